import ts from 'typescript';
import { sourceFiles } from './sourceFiles';

/** All that outlives a run; everything else belongs to a run. */
const ALLOWED = [
	// Long work of all runs takes turns in one event loop.
	'nodes/shared/plain/turns.ts: lastTurn',
	// What all runs with a credential share.
	'nodes/shared/send/credentialState.ts: states',
];

/** A constant that is changed: by an assignment to a part of it, a count, or a method. */
const CHANGED =
	/\b([A-Z][A-Z0-9_]+)\b(?:\.\w+|\[[^\]]+\])*(?:\.(?:set|add|delete|clear|push|pop|shift|unshift|splice|sort|reverse|fill)\(|\s*(?:[-+*/|&?]{0,2}=(?![=>])|\+\+|--))/g;

/** What a module could remember: variables, static fields, collections that are empty at first, constants it changes. */
function stateIn(text: string): string[] {
	const file = ts.createSourceFile('', text, ts.ScriptTarget.Latest, true);
	const state = new Set<string>();
	const constants = new Set<string>();
	for (const statement of file.statements) {
		if (ts.isClassDeclaration(statement)) {
			for (const member of statement.members.filter(ts.isPropertyDeclaration)) {
				const modifiers = ts.getCombinedModifierFlags(member);
				const isState = (modifiers & ts.ModifierFlags.Static) !== 0;
				if (isState && !(modifiers & ts.ModifierFlags.Readonly)) state.add(member.name.getText());
			}
		}
		if (!ts.isVariableStatement(statement)) continue;
		const { declarations, flags } = statement.declarationList;
		for (const { name, initializer } of declarations) {
			const isEmpty = /^(new (Weak)?(Map|Set)(<.*>)?\(\)|\[\])$/s.test(initializer?.getText() ?? '');
			const isConstant = (flags & ts.NodeFlags.Const) !== 0 && !isEmpty;
			(isConstant ? constants : state).add(name.getText());
		}
	}
	// The declaration itself is no change.
	const code = text.replace(/\bconst \w+[^=]*=/g, '');
	for (const [, name] of code.matchAll(CHANGED)) if (constants.has(name)) state.add(name);
	return [...state];
}

describe('State of a module', () => {
	it.each([
		['let last: string | undefined;', ['last']],
		['const known = new Map<string, number>();', ['known']],
		['const LIST = ["a"]; export const add = () => LIST.push("b");', ['LIST']],
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
