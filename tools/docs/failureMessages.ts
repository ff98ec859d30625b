import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** Finds the words of failures in the source, so that the documentation can list all of them. */

/** What a failure says, with `…` for what is only known when it happens. */
export interface FailureMessage {
	message: string;
	/** How to get on; empty when the source puts it together elsewhere. */
	advice: string;
}

/** What the shared functions make of the words that their callers give them; their advice stands in `advice.ts`. */
const FRAMES: Record<string, (what: string) => string> = {
	answerFailure: (what) => `The gateway's answer cannot be used: ${what}`,
	audioFailure: (what) => `The gateway's answer cannot be used: the audio of part … ${what}`,
	downloadFailure: (why) => `The file could not be downloaded from … (${why})`,
	taskFailure: (reason) => `The gateway could not finish the task: ${reason}`,
};

/** The most alternatives that one expression is followed into. */
const MANY = 20;

/** The failures that are worded in one TypeScript file, in the order of the file. Pure apart from reading it. */
export function failureMessagesOf(file: string): FailureMessage[] {
	const source = ts.createSourceFile(
		path.basename(file),
		readFileSync(file, 'utf8'),
		ts.ScriptTarget.Latest,
		true,
	);
	const found: FailureMessage[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isCallExpression(node) || ts.isNewExpression(node)) found.push(...messagesOf(node));
		if (ts.isObjectLiteralExpression(node)) found.push(...messagesIn(node));
		if (ts.isArrayLiteralExpression(node)) found.push(...pairOf(node));
		ts.forEachChild(node, visit);
	};
	visit(source);
	return found.filter(
		({ message }, index) =>
			isWorded(message) && found.findIndex((other) => other.message === message) === index,
	);
}

/** The messages of one call that makes a failure; none for any other call. */
function messagesOf(call: ts.CallExpression | ts.NewExpression): FailureMessage[] {
	const name = ts.isIdentifier(call.expression) ? call.expression.text : '';
	const texts = (index: number) => textsOf(call.arguments?.[index]);
	const advice = (index: number) => texts(index).filter(isWorded).join(' / ');
	if (name === 'GatewayFailure' && ts.isNewExpression(call)) {
		return texts(1)
			.filter(isWorded)
			.map((message) => ({ message, advice: advice(2) }));
	}
	if (name === 'inputFailure') {
		return texts(0).flatMap((label) =>
			texts(1)
				.filter((what) => isWorded(what) || isWorded(label))
				.map((what) => ({ message: `**${label}** ${what}`, advice: advice(2) })),
		);
	}
	if (!name.endsWith('Failure')) return [];
	// The last worded argument is what differs from other failures of the kind.
	const worded = (call.arguments ?? []).map((_argument, index) => texts(index).filter(isWorded));
	const words = worded.filter((list) => list.length > 0).at(-1) ?? [];
	const frame = FRAMES[name];
	return frame ? words.map((what) => ({ message: frame(what), advice: '' })) : [];
}

/** The messages of an entry of a table, `{ message, description }`; either may be a function that gives the text. */
function messagesIn(entry: ts.ObjectLiteralExpression): FailureMessage[] {
	const texts = (name: string) => {
		const property = entry.properties.find(
			(candidate): candidate is ts.PropertyAssignment =>
				ts.isPropertyAssignment(candidate) && candidate.name.getText(entry.getSourceFile()) === name,
		);
		const value = property?.initializer;
		const text = value && ts.isArrowFunction(value) ? (value.body as ts.Expression) : value;
		return text ? textsOf(text).filter(isWorded) : [];
	};
	const advice = texts('description');
	return advice.length === 0
		? []
		: texts('message').map((message) => ({ message, advice: advice.join(' / ') }));
}

/** The message of an entry of a table, `[message, advice]`. */
function pairOf({ elements }: ts.ArrayLiteralExpression): FailureMessage[] {
	if (elements.length !== 2) return [];
	const [[message], [advice]] = elements.map((element) => textsOf(element));
	return isWorded(message) && /\.( …)?$/.test(advice) ? [{ message, advice }] : [];
}

/** Whether a text says something by itself, apart from what it is filled in with. */
function isWorded(text: string): boolean {
	return /[a-z]{2}/i.test(text);
}

/** What a name stands for where it is used; undefined for a parameter, and for what another file gives. */
function initializerOf(name: ts.Identifier): ts.Expression | undefined {
	for (let scope: ts.Node = name.parent; scope; scope = scope.parent) {
		if (
			ts.isFunctionLike(scope) &&
			scope.parameters.some((parameter) => mentions(parameter.name, name.text))
		) {
			return undefined;
		}
		if (!ts.isBlock(scope) && !ts.isSourceFile(scope)) continue;
		const declarations = scope.statements
			.filter(ts.isVariableStatement)
			.flatMap(({ declarationList }) => declarationList.declarations);
		const found = declarations.find((declaration) => mentions(declaration.name, name.text));
		if (found) return ts.isIdentifier(found.name) ? found.initializer : undefined;
	}
	return undefined;
}

/** Whether a name is bound here, by itself or among others. */
function mentions(binding: ts.BindingName, name: string): boolean {
	if (ts.isIdentifier(binding)) return binding.text === name;
	return binding.elements.some((element) => ts.isBindingElement(element) && mentions(element.name, name));
}

/** Every text that an expression may give; `…` for what cannot be told from the source. */
function textsOf(expression: ts.Expression | undefined, depth = 0): string[] {
	if (expression === undefined || depth > 4) return ['…'];
	const inner = (part: ts.Expression) => textsOf(part, depth + 1);
	if (ts.isStringLiteralLike(expression)) return [expression.text];
	if (ts.isParenthesizedExpression(expression)) return inner(expression.expression);
	if (ts.isConditionalExpression(expression)) {
		return [...inner(expression.whenTrue), ...inner(expression.whenFalse)];
	}
	if (ts.isTemplateExpression(expression)) {
		return expression.templateSpans.reduce(
			(texts, { expression: part, literal }) => join(texts, inner(part)).map((text) => text + literal.text),
			[expression.head.text],
		);
	}
	if (ts.isBinaryExpression(expression) && expression.operatorToken.kind === ts.SyntaxKind.PlusToken) {
		return join(inner(expression.left), inner(expression.right));
	}
	if (ts.isCallExpression(expression) && ts.isPropertyAccessExpression(expression.expression)) {
		return expression.expression.name.text === 'trim' ? inner(expression.expression.expression) : ['…'];
	}
	const initializer = ts.isIdentifier(expression) ? initializerOf(expression) : undefined;
	return initializer ? inner(initializer) : ['…'];
}

/** Every beginning with every end. */
function join(beginnings: string[], ends: string[]): string[] {
	return beginnings
		.flatMap((beginning) => ends.map((end) => (beginning + end).replaceAll('……', '…')))
		.slice(0, MANY);
}
