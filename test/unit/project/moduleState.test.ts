import ts from 'typescript';
import { sourceFiles } from './sourceFiles';

/** All that outlives a run; everything else belongs to a run. */
const ALLOWED = [
	// Long work of all runs takes turns in one event loop.
	'nodes/shared/plain/turns.ts: waiting',
	// What all runs with a credential share.
	'nodes/shared/send/credentialState.ts: states',
];

/** Methods that change a list, a map, or a set. */
const CHANGING = /^(set|add|delete|clear|push|pop|shift|unshift|splice|sort|reverse|fill)$/;

/** The variable that a piece of code changes: by an assignment, a count, or a method. */
function changedBy(node: ts.Node): string | undefined {
	if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
		const { name, expression } = node.expression;
		return CHANGING.test(name.text) ? ownerOf(expression) : undefined;
	}
	if (ts.isBinaryExpression(node)) {
		const { kind } = node.operatorToken;
		const isAssignment = kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
		return isAssignment ? ownerOf(node.left) : undefined;
	}
	if (!ts.isPostfixUnaryExpression(node) && !ts.isPrefixUnaryExpression(node)) return undefined;
	const isCount = [ts.SyntaxKind.PlusPlusToken, ts.SyntaxKind.MinusMinusToken].includes(node.operator);
	return isCount ? ownerOf(node.operand) : undefined;
}

/** The name at the beginning of `name.field[0]`. */
function ownerOf(node: ts.Node): string | undefined {
	if (ts.isIdentifier(node)) return node.text;
	const isInside = ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node);
	return isInside ? ownerOf(node.expression) : undefined;
}

/** What a module could remember: variables, static fields, collections that are empty at first, constants it changes. */
function stateIn(text: string): string[] {
	const file = ts.createSourceFile('', text, ts.ScriptTarget.Latest, true);
	const constants = new Set<string>();
	const state = new Set<string>();
	for (const statement of file.statements.filter(ts.isVariableStatement)) {
		const { declarations, flags } = statement.declarationList;
		for (const { name, initializer } of declarations) {
			const isEmpty = /^(new (Weak)?(Map|Set)(<.*>)?\(\)|\[\])$/s.test(initializer?.getText() ?? '');
			const isConstant = (flags & ts.NodeFlags.Const) !== 0 && !isEmpty;
			(isConstant ? constants : state).add(name.getText());
		}
	}
	const visit = (node: ts.Node, hidden: Set<string>): void => {
		const isField = ts.isPropertyDeclaration(node);
		const modifiers = isField ? ts.getCombinedModifierFlags(node) : 0;
		if (modifiers & ts.ModifierFlags.Static && !(modifiers & ts.ModifierFlags.Readonly)) {
			state.add((node as ts.PropertyDeclaration).name.getText());
		}
		const changed = changedBy(node);
		if (changed !== undefined && constants.has(changed) && !hidden.has(changed)) state.add(changed);
		const inside = ts.isFunctionLike(node) ? new Set([...hidden, ...namesIn(node)]) : hidden;
		node.forEachChild((child) => visit(child, inside));
	};
	visit(file, new Set());
	return [...state];
}

/** The names that a function declares, which hide those of the module. */
function namesIn(node: ts.Node): string[] {
	const names: string[] = [];
	const visit = (inner: ts.Node): void => {
		if (ts.isVariableDeclaration(inner) || ts.isParameter(inner) || ts.isBindingElement(inner)) {
			names.push(inner.name.getText());
		}
		inner.forEachChild(visit);
	};
	visit(node);
	return names;
}

describe('State of a module', () => {
	it.each([
		['let last: string | undefined;', ['last']],
		['const known = new Map<string, number>();', ['known']],
		['const LIST = ["a"]; export const add = () => LIST.push("b");', ['LIST']],
		['const LIST = ["a"]; export const add = (LIST: string[]) => LIST.push("b");', []],
		['const FACTS = { count: 1 }; export const count = () => (FACTS.count += 1);', ['FACTS']],
		['class A { static made = 0; static readonly most = 1; private count = 0; }', ['made']],
		['const NAMES = new Set(["a"]); export const has = (name: string) => NAMES.has(name);', []],
	])('is found: %s', (text, names) => expect(stateIn(text)).toEqual(names));

	it('is nowhere else, so that runs do not depend on each other', () => {
		const found = sourceFiles('nodes').flatMap(({ path, text }) =>
			stateIn(text).map((name) => `${path}: ${name}`),
		);
		expect(found.sort()).toEqual(ALLOWED);
	});
});
