import ts from 'typescript';
import { sourceFiles } from './sourceFiles';

/** How a list begins that the file itself writes down, or names as a constant. */
const WRITTEN = /(?:Object\.\w+\()?(?:[[{'"`]|[A-Z][A-Z\d_]+\b)/;

const expects = (text: string, about = '') => new RegExp(`expect\\([^;]*${about}`).test(text);

/** The list of a loop that expects something of each of its entries. */
function listOf(node: ts.Node): string | undefined {
	if (ts.isForOfStatement(node)) {
		return expects(node.statement.getText()) ? node.expression.getText() : undefined;
	}
	if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined;
	const { name, expression } = node.expression;
	return name.text === 'forEach' && expects(node.getText()) ? expression.getText() : undefined;
}

/** The lists of such loops that may be empty, because the test around them says nothing else about them. */
function possiblyEmpty(text: string): string[] {
	const file = ts.createSourceFile('', text, ts.ScriptTarget.Latest, true);
	const found: string[] = [];
	const visit = (node: ts.Node, test?: ts.CallExpression, columns = '') => {
		if (ts.isCallExpression(node) && /^(it|describe)\b/.test(node.expression.getText())) {
			const callback = node.arguments.at(-1);
			if (node.expression.getText().startsWith('it')) test = node;
			if (ts.isCallExpression(node.expression) && callback && ts.isArrowFunction(callback))
				columns += callback.parameters.map((parameter) => parameter.getText()).join();
		}
		const list = listOf(node);
		if (test && list !== undefined && !new RegExp(`^${WRITTEN.source}`).test(list)) {
			const name = `\\b${/\w+/.exec(list.replace(/^Object\.\w+\(/, ''))![0]}\\b`;
			const constant = new RegExp(`const ${name}[^;{]*? = ${WRITTEN.source}|import[^;]*${name}[^;]* from `);
			const others = test.getText().replace(node.getText(), '');
			if (!new RegExp(name).test(columns) && !constant.test(text) && !expects(others, name)) found.push(list);
		}
		ts.forEachChild(node, (child) => visit(child, test, columns));
	};
	visit(file);
	return found;
}

describe('A test that expects something of each entry of a list', () => {
	it('also expects that there are any, unless the list is written down', () => {
		const files = sourceFiles('test/unit', 'test/integration');
		const tests = files.filter(({ path }) => path.endsWith('.test.ts'));
		expect(tests.length).toBeGreaterThan(100);
		expect(tests.flatMap(({ path, text }) => possiblyEmpty(text).map((list) => `${path}: ${list}`))).toEqual(
			[],
		);
	});

	it.each([
		['a loop', 'for (const item of items) expect(item).toBe(1);', ['items']],
		['a call', 'items.forEach((item) => expect(item).toBe(1)); expect(others).toEqual([]);', ['items']],
		[
			'an expectation of the list',
			'expect(items).toHaveLength(2); for (const item of items) expect(item).toBe(1);',
			[],
		],
		['a literal', 'for (const item of [1, 2]) expect(item).toBe(1);', []],
	])('would be seen: %s', (_what, body, lists) => {
		expect(possiblyEmpty(`it('is one', () => { ${body} });`)).toEqual(lists);
	});
});
