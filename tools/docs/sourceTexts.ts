import ts from 'typescript';

import {
	functionOf,
	isWrapper,
	meaningOf,
	returnsOf,
	scopeOfCall,
	type Scope,
	type Value,
} from './sourceNames';

/** Works out, without running it, which texts an expression of the source can have. */

/** One text that an expression can have, with `…` for the parts that are known only at run time. */
export interface Wording {
	text: string;
	/** The outcome of each condition that leads to this text, by the place and words of the condition. */
	given: ReadonlyMap<string, boolean>;
}

/** How many names and calls are followed in a row. */
const MAX_DEPTH = 12;

/** How many alternatives of one expression are kept. */
const MAX_ALTERNATIVES = 20;

const UNKNOWN: Wording[] = [{ text: '…', given: new Map() }];

/** Every text that a value can have. */
export function wordingsOf(value: Value | undefined, depth = 0): Wording[] {
	if (value === undefined || depth > MAX_DEPTH || ts.isFunctionDeclaration(value.node)) return UNKNOWN;
	const { node, scope } = value;
	const inner = (part: ts.Expression) => wordingsOf({ node: part, scope }, depth + 1);
	const part = (expression: ts.Expression) => (isFunctionCall(expression) ? UNKNOWN : inner(expression));
	if (ts.isStringLiteralLike(node)) return [{ text: node.text, given: new Map() }];
	if (isWrapper(node)) return inner(node.expression);
	if (ts.isConditionalExpression(node)) {
		return [
			...assuming(node.condition, true, inner(node.whenTrue)),
			...assuming(node.condition, false, inner(node.whenFalse)),
		];
	}
	if (ts.isTemplateExpression(node)) {
		return node.templateSpans.reduce(
			(begun, { expression, literal }) => join(join(begun, part(expression)), [fixed(literal.text)]),
			[fixed(node.head.text)],
		);
	}
	if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
		return join(part(node.left), part(node.right));
	}
	if (ts.isCallExpression(node)) return textsOfCall(node, scope, depth);
	const meant = meaningOf(value);
	return meant ? wordingsOf(meant, depth + 1) : UNKNOWN;
}

function textsOfCall(call: ts.CallExpression, scope: Scope, depth: number): Wording[] {
	const { expression: called } = call;
	if (ts.isPropertyAccessExpression(called)) {
		return called.name.text === 'trim' ? wordingsOf({ node: called.expression, scope }, depth + 1) : UNKNOWN;
	}
	// The page says once that the words of the gateway may follow any message.
	if (called.getText() === 'withGatewayWords') {
		return wordingsOf({ node: call.arguments[0], scope }, depth + 1);
	}
	const followed = functionOf(called, scope);
	if (!followed) return UNKNOWN;
	const inside = scopeOfCall(followed, call.arguments, scope);
	const texts = returnsOf(followed).flatMap((node) => wordingsOf({ node, scope: inside }, depth + 1));
	return texts.length > 0 ? texts.slice(0, MAX_ALTERNATIVES) : UNKNOWN;
}

function isFunctionCall(node: ts.Expression): boolean {
	return ts.isCallExpression(node) && ts.isIdentifier(node.expression);
}

function assuming(condition: ts.Expression, outcome: boolean, wordings: Wording[]): Wording[] {
	let owner: ts.Node = condition;
	while (!ts.isFunctionLike(owner) && !ts.isSourceFile(owner)) owner = owner.parent;
	const key = `${condition.getSourceFile().fileName}:${owner.pos}:${condition.getText()}`;
	return wordings
		.filter(({ given }) => (given.get(key) ?? outcome) === outcome)
		.map(({ text, given }) => ({ text, given: new Map([...given, [key, outcome]]) }));
}

function fixed(text: string): Wording {
	return { text, given: new Map() };
}

/** Whether two texts can occur in the same run: no condition has both outcomes. */
export function areCompatible(one: Wording, other: Wording): boolean {
	return [...one.given].every(([key, outcome]) => (other.given.get(key) ?? outcome) === outcome);
}

/** Every beginning with every compatible end. */
function join(beginnings: Wording[], ends: Wording[]): Wording[] {
	return beginnings
		.flatMap((beginning) =>
			ends
				.filter((end) => areCompatible(beginning, end))
				.map((end) => ({
					text: (beginning.text + end.text).replaceAll('……', '…'),
					given: new Map([...beginning.given, ...end.given]),
				})),
		)
		.slice(0, MAX_ALTERNATIVES);
}
