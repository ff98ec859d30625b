import ts from 'typescript';

import {
	functionOf,
	parse,
	propertyOf,
	scopeOfCall,
	type FunctionNode,
	type Scope,
	type Value,
} from './sourceNames';
import { areCompatible, wordingsOf, type Wording } from './sourceTexts';

/** Finds the messages of all failures in the source, so that the documentation can list them. */

/** What a failure says, with `…` for the parts that are known only at run time. */
export interface FailureMessage {
	message: string;
	/** What to do; several texts when it depends on the case, none when it comes from another failure. */
	advice: string[];
	/** `kind` of the failure; empty when it is that of another failure. */
	kind: string;
}

/** A call or `new` expression, and the arguments that its names refer to. */
interface Creation {
	call: ts.CallExpression | ts.NewExpression;
	scope: Scope;
}

/** The failures that one TypeScript file words, in the order of the file, each once. @param file absolute */
export function failureMessagesOf(file: string): FailureMessage[] {
	const found: FailureMessage[] = [];
	const visit = (node: ts.Node): void => {
		if (isCreation(node)) found.push(...messagesOf({ call: node, scope: new Map() }));
		if (ts.isObjectLiteralExpression(node)) found.push(...messagesOfEntry(node));
		if (ts.isArrayLiteralExpression(node)) found.push(...messagesOfPair(node));
		ts.forEachChild(node, visit);
	};
	visit(parse(file));
	return withoutRepetitions(found);
}

/** Each message once, with all advice that it comes with. */
export function withoutRepetitions(messages: FailureMessage[]): FailureMessage[] {
	const found = new Map<string, FailureMessage>();
	for (const { message, advice, kind } of messages) {
		const known = found.get(message);
		found.set(message, {
			message,
			advice: shortest([...(known?.advice ?? []), ...advice]),
			kind: known && known.kind !== '' ? known.kind : kind,
		});
	}
	return [...found.values()];
}

/** The messages of one call that makes a failure; none for any other call. */
function messagesOf({ call, scope }: Creation, followed: FunctionNode[] = []): FailureMessage[] {
	const name = ts.isIdentifier(call.expression) ? call.expression.text : '';
	const argument = (index: number): Value | undefined => {
		const node = call.arguments?.[index];
		return node && { node, scope };
	};
	const words = (index: number) => wordingsOf(argument(index)).filter(isWorded);
	if (name === 'GatewayFailure' && ts.isNewExpression(call)) {
		const kinds = words(0);
		return words(1).map((message) => ({
			message: message.text,
			advice: adviceFor(message, words(2)),
			kind: kinds.length === 1 ? kinds[0].text : '',
		}));
	}
	if (name === 'inputFailure') {
		return labelsOf(argument(0)).flatMap((label) =>
			wordingsOf(argument(1))
				.filter((what) => isWorded(what) || isWorded(label))
				.map((what) => ({
					message: `**${label.text}** ${what.text}`,
					advice: adviceFor(what, words(2)),
					kind: 'input',
				})),
		);
	}
	const maker = name.endsWith('Failure') ? functionOf(call.expression, scope) : undefined;
	if (!maker || followed.includes(maker)) return [];
	const inside = scopeOfCall(maker, call.arguments ?? [], scope);
	return creationsIn(maker).flatMap((inner) =>
		messagesOf({ call: inner, scope: inside }, [...followed, maker]),
	);
}

/** The labels that a parameter can have: of its definition, or the text itself. */
function labelsOf(definition: Value | undefined): Wording[] {
	const label = propertyOf(definition, 'displayName');
	return wordingsOf(label ?? definition);
}

function creationsIn(maker: FunctionNode): Array<ts.CallExpression | ts.NewExpression> {
	const found: Array<ts.CallExpression | ts.NewExpression> = [];
	const visit = (node: ts.Node): void => {
		if (isCreation(node)) found.push(node);
		ts.forEachChild(node, visit);
	};
	if (maker.body) visit(maker.body);
	return found;
}

/** The messages of an entry of a table, `{ message, description }`; either may be a function that returns the text. */
function messagesOfEntry(entry: ts.ObjectLiteralExpression): FailureMessage[] {
	const words = (name: string): Wording[] => {
		const property = propertyOf({ node: entry, scope: new Map() }, name);
		if (!property) return [];
		const { node, scope } = property;
		const text = ts.isArrowFunction(node) && !ts.isBlock(node.body) ? node.body : node;
		return wordingsOf({ node: text, scope }).filter(isWorded);
	};
	const advice = words('description');
	if (advice.length === 0) return [];
	const kind = nameAround(entry);
	return words('message').map((message) => ({
		message: message.text,
		advice: adviceFor(message, advice),
		kind,
	}));
}

/** The name of the property that an object is the value of, or is inside of; statuses are no names. */
function nameAround(entry: ts.Node): string {
	if (!ts.isPropertyAssignment(entry.parent)) return '';
	const name = entry.parent.name.getText();
	return /^\d+$/.test(name) ? nameAround(entry.parent.parent) : name;
}

/** The message of an entry of a table, `[message, advice]`. */
function messagesOfPair(pair: ts.ArrayLiteralExpression): FailureMessage[] {
	if (pair.elements.length !== 2) return [];
	const [[message], [advice]] = pair.elements.map((node) => wordingsOf({ node, scope: new Map() }));
	if (!isWorded(message) || !/\.( …)?$/.test(advice.text)) return [];
	return [{ message: message.text, advice: [advice.text], kind: kindAround(pair) }];
}

/** The kind of the failure that the function around a table makes; empty when it is not written there. */
function kindAround(node: ts.Node): string {
	for (let place = node.parent; place; place = place.parent) {
		if (!ts.isFunctionDeclaration(place)) continue;
		const kinds = creationsIn(place)
			.filter(ts.isNewExpression)
			.map((creation) => creation.arguments?.[0])
			.filter((kind) => kind !== undefined)
			.filter(ts.isStringLiteral);
		return kinds.length === 1 ? kinds[0].text : '';
	}
	return '';
}

/** What to do, in the cases in which a message appears. */
function adviceFor(message: Wording, advice: Wording[]): string[] {
	return shortest(advice.filter((text) => areCompatible(message, text)).map(({ text }) => text));
}

/** Texts without repetitions, and without those that only add to another one, such as the gateway's own words. */
function shortest(texts: string[]): string[] {
	const distinct = [...new Set(texts)];
	return distinct.filter((text) => !distinct.some((other) => other !== text && text.startsWith(other)));
}

function isCreation(node: ts.Node): node is ts.CallExpression | ts.NewExpression {
	return ts.isCallExpression(node) || ts.isNewExpression(node);
}

/** Whether a text says something by itself, apart from what is filled in. */
function isWorded({ text }: Wording): boolean {
	return /[a-z]{2}/i.test(text);
}
