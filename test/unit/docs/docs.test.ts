import type { INodeProperties } from 'n8n-workflow';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { catalogue } from '../../../nodes/Utilities/catalogue';
import { commonParameters } from '../../../tools/docs/commonParameters';
import { failureMessagesOf } from '../../../tools/docs/failureMessages';
import {
	messagesByTitle,
	NODES_IN_FOLDERS,
	troubleshootingPage,
	withFailures,
} from '../../../tools/docs/failurePages';
import { limitsPage, withLimits } from '../../../tools/docs/limits';
import { NODE_WORDS } from '../../../tools/docs/nodeWords';
import {
	commonOptionsPage,
	type NodePage,
	nodePages,
	type Page,
	pages,
	project,
	textOf,
	withCommonParameters,
	withTables,
} from '../../../tools/docs/pages';
import { parameterTables, undescribed } from '../../../tools/docs/parameterTables';
import { readmes, withNodes } from '../../../tools/docs/readme';
import { cellOf } from '../../../tools/docs/table';

const sourceFiles = ['nodes', 'credentials'].flatMap((folder) =>
	readdirSync(path.join(project, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts'))
		.map((file) => path.join(project, folder, file)),
);

const field = (name: string, more: Partial<INodeProperties> = {}): INodeProperties => ({
	displayName: name[0].toUpperCase() + name.slice(1),
	name,
	type: 'string',
	default: '',
	description: `The ${name}`,
	...more,
});

const selector = (name: string, values: string[], show?: Record<string, string[]>): INodeProperties =>
	field(name, {
		type: 'options',
		options: values.map((value) => ({ name: value.toUpperCase(), value, description: `Does ${value}` })),
		default: values[0],
		...(show ? { displayOptions: { show } } : {}),
	});

describe('Documentation of the package', () => {
	let all: Page[];

	beforeAll(async () => {
		all = await pages();
	});

	it('has a page for every node and credential, with its current parameters (npm run docs)', () => {
		const stale = all.filter((page) => textOf(page) !== withTables(page, textOf(page)));
		expect(stale.map(({ file }) => file)).toEqual([]);
	});

	it('describes every parameter', () => {
		const silent = all.map(({ title, properties }) => ({ title, parameters: undescribed(properties) }));
		expect(silent.filter(({ parameters }) => parameters.length > 0)).toEqual([]);
	});

	it('describes the parameters that several nodes share on a page of their own (npm run docs)', async () => {
		const text = textOf({ file: commonOptionsPage });
		expect(withCommonParameters(await nodePages(), text) === text).toBe(true);
	});

	it('links only to sections that the page of common parameters has', () => {
		const titles = [...(textOf({ file: commonOptionsPage }) ?? '').matchAll(/^## (.+)$/gm)];
		const anchors = titles.map(([, title]) => title.toLowerCase().replace(/[()]/g, '').replaceAll(' ', '-'));
		const linked = all
			.map((page) => textOf(page) ?? '')
			.flatMap((text) => [...text.matchAll(/common-options\.md#([\w-]+)/g)].map(([, anchor]) => anchor));
		expect(linked.length).toBeGreaterThan(0);
		expect([...new Set(linked)].filter((anchor) => !anchors.includes(anchor))).toEqual([]);
	});
});

describe('Parameter tables', () => {
	it('list exactly the parameters that an operation shows', () => {
		const tables = parameterTables(
			[
				field('resource', { type: 'hidden' }),
				selector('operation', ['get', 'put', 'list'], { resource: ['a'] }),
				field('always'),
				field('putOnly', { displayOptions: { show: { operation: ['put'] } } }),
				field('notInList', { displayOptions: { hide: { operation: ['list'] } } }),
			],
			2,
		);
		const shown = tables.split('## ').slice(1);
		const labels = shown.map((section) => [
			section.split('\n')[0],
			...[...section.matchAll(/^\| \*\*(\w+)/gm)].map(([, label]) => label),
		]);
		expect(labels).toEqual([
			['GET', 'Always', 'NotInList'],
			['PUT', 'Always', 'PutOnly', 'NotInList'],
			['LIST', 'Always'],
		]);
	});

	it('contain default, limits, allowed values, and when a parameter is shown', () => {
		const kind = selector('kind', ['x', 'y']);
		const count = field('count', {
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 9 },
			default: 4,
			displayOptions: { show: { kind: ['y'] } },
		});
		const lines = parameterTables([kind, count], 3).split('\n');
		expect(lines[2]).toBe('| **Kind** | The kind | X | _X_ `x`: Does x<br>_Y_ `y`: Does y |');
		expect(lines[3]).toBe('| **Count** | _When **Kind** is Y._ The count | `4` | 1 to 9 |');
	});

	it('include the parameters in collections, and escape what would end a cell', () => {
		const inner = field('inner', { description: 'One | two\nthree' });
		const tables = parameterTables(
			[
				field('options', { type: 'collection', description: undefined, default: {}, options: [inner] }),
				field('list', {
					type: 'fixedCollection',
					default: {},
					options: [{ name: 'entry', displayName: 'Entry', values: [inner] }],
				}),
			],
			3,
		);
		expect(tables).toContain('| **Options → Inner** | One \\| two three | — | — |');
		expect(tables).toContain('| **List → Inner** | One \\| two three | — | — |');
	});

	it('detect parameters without a description, also in collections', () => {
		const silent = field('inner', { description: undefined });
		const options = field('options', { type: 'collection', default: {}, options: [silent, field('fine')] });
		expect(undescribed([field('fine'), options])).toEqual(['**Options → Inner**']);
	});
});

describe('Common parameters', () => {
	const timeout = (seconds: number) => field('timeout', { type: 'number', default: seconds });
	const nodes = [1, 2, 3].map((seconds) => ({
		title: `Unified AI Node ${seconds}`,
		page: `nodes/${seconds}.md`,
		properties: [field('model'), timeout(seconds), ...(seconds < 3 ? [field('rare')] : [])],
	}));

	it('are those that three nodes describe in the same way, whatever their defaults', () => {
		expect(commonParameters(nodes).map(({ label }) => label)).toEqual(['Model', 'Timeout']);
	});

	it('become links below the table, with the default where it differs', () => {
		const [table, links] = parameterTables(nodes[0].properties, 3, commonParameters(nodes)).split('\n\n');
		expect(table).toContain('| **Rare** |');
		expect(table).not.toContain('**Model**');
		expect(links).toBe(
			'Common parameters: [Model](../common-options.md#model), [Timeout](../common-options.md#timeout) (default `1`).',
		);
	});

	it('keep the condition under which they are shown', () => {
		const kind = selector('kind', ['x', 'y']);
		const model = field('model', { displayOptions: { show: { kind: ['y'] } } });
		expect(parameterTables([kind, model], 3, commonParameters(nodes))).toContain(
			'[Model](../common-options.md#model) (when **Kind** is Y)',
		);
	});
});

describe('Documentation page', () => {
	const page: Page = { file: '/page.md', title: 'Node', description: 'Does it', properties: [field('one')] };

	it('is created if there is none, and stays the same if nothing has changed', () => {
		const made = withTables(page, undefined);
		expect(made).toMatch(/^# Node\n\nDoes it\.\n\n## All parameters\n/);
		expect(withTables(page, made)).toBe(made);
	});

	it('keeps the text before and after the tables', () => {
		const written = withTables(page, '# My title\n\nMy words.\n') + '\nMore words.\n';
		const renewed = withTables({ ...page, properties: [field('two')] }, written);
		expect(renewed).toMatch(/^# My title\n\nMy words\.\n/);
		expect(renewed).toMatch(/\*\*Two\*\*/);
		expect(renewed).not.toMatch(/\*\*One\*\*/);
		expect(renewed).toMatch(/end of parameters -->\n\nMore words\.\n$/);
	});

	it('is refused if a mark is missing', () => {
		const broken = withTables(page, undefined).replace('<!-- end of parameters -->', '');
		expect(() => withTables(page, broken)).toThrow('One of the marks around "parameters" is missing');
	});
});

describe('docs/limits.md', () => {
	it('has the figures of the source (npm run docs)', () => {
		const text = readFileSync(limitsPage, 'utf8');
		expect(withLimits(text) === text).toBe(true);
	});
});

describe('docs/credential.md', () => {
	it('names messages of the source for what the test of a credential finds', () => {
		const text = readFileSync(path.join(project, 'docs', 'credential.md'), 'utf8');
		const cells = [...text.matchAll(/^\| [^|]+ \| ([^|]*_[^|]+_) +\|$/gm)].map(([, cell]) => cell);
		const named = cells.flatMap((cell) => [...cell.matchAll(/_([^_]+)_/g)].map(([, words]) => words));
		expect(named.length).toBeGreaterThan(10);
		const messages = [...messagesByTitle().values()].flat().map(({ message }) => message);
		const isMessage = (words: string) =>
			messages.some((message) => words.split('…').every((part) => message.includes(part.trim())));
		expect(named.filter((words) => !isMessage(words))).toEqual([]);
	});
});

describe('docs/troubleshooting.md', () => {
	const text = readFileSync(troubleshootingPage, 'utf8');
	const rows = text.split('\n').filter((line) => line.startsWith('| '));
	const shown = rows.flatMap((row) => row.slice(2).split(' | ')[0].split('<br>'));
	const messages = [...messagesByTitle().values()].flat();

	it('is up to date with the messages in the source (npm run docs)', () => {
		expect(withFailures(text) === text).toBe(true);
	});

	it('lists each message exactly once', () => {
		expect(messages.length).toBeGreaterThan(100);
		const counts = messages.map(({ message }) => ({
			message,
			count: shown.filter((entry) => entry === cellOf(message)).length,
		}));
		expect(counts.filter(({ count }) => count !== 1)).toEqual([]);
	});

	it('lists the messages of every source file', () => {
		const listed = new Set(messages.map(({ message }) => message));
		const inSource = sourceFiles.flatMap((file) => failureMessagesOf(file)).map(({ message }) => message);
		expect(inSource.filter((message) => !listed.has(message))).toEqual([]);
	});

	it('gives advice in the row of each message instead of referring to another one', () => {
		expect(text).not.toMatch(/see \[?(above|below)|as above|the same without/i);
		expect(rows.filter((row) => /\|\s+\|$/.test(row))).toEqual([]);
	});

	it('explains each kind of failure', () => {
		const source = readFileSync(path.join(project, 'nodes/shared/errors/gatewayFailure.ts'), 'utf8');
		const [, union] = /type FailureKind =([^;]+);/.exec(source) ?? [];
		const kinds = [...(union ?? '').matchAll(/'(\w+)'/g)].map(([, kind]) => kind);
		const explained = [...text.matchAll(/^\| `(\w+)` +\| \S/gm)].map(([, kind]) => kind);
		expect(kinds.length).toBeGreaterThan(10);
		expect(kinds.filter((kind) => !explained.includes(kind))).toEqual([]);
	});

	it('knows the nodes whose code is in the folder of another node', () => {
		const missing = Object.keys(NODES_IN_FOLDERS).filter((folder) => !existsSync(path.join(project, folder)));
		expect(missing).toEqual([]);
	});
});

describe('Messages found in the source', () => {
	let folder: string;

	beforeEach(() => {
		folder = mkdtempSync(path.join(tmpdir(), 'docs-'));
	});

	afterEach(() => {
		rmSync(folder, { recursive: true });
	});

	const messagesOf = (code: string, otherFile = '') => {
		const file = path.join(folder, 'operation.ts');
		writeFileSync(file, code);
		writeFileSync(path.join(folder, 'other.ts'), otherFile);
		return failureMessagesOf(file);
	};

	it('include those of the shared functions, of parameters, and of single nodes', () => {
		const shared = ['errorMessages', 'statusFailure'].flatMap((name) =>
			failureMessagesOf(path.join(project, `nodes/shared/errors/${name}.ts`)),
		);
		expect(shared.length).toBeGreaterThan(20);
		const titles = messagesByTitle();
		expect(titles.get('Parameters')?.length).toBeGreaterThan(5);
		expect(titles.get('Unified AI Chat')?.length).toBeGreaterThan(5);
		expect(titles.get('Unified AI Chat Model')?.length).toBeGreaterThan(2);
	});

	it.each([
		['of a definition', "inputFailure(PROMPT, 'is empty', 'Enter a text.');"],
		['of a definition that a function returns', "inputFailure(promptField(1), 'is empty', 'Enter a text.');"],
		[
			'of a copy of a definition',
			"const COPY = { ...PROMPT, default: '' };\ninputFailure(COPY, 'is empty', 'Enter a text.');",
		],
		[
			'of a definition that is passed on',
			"function emptyFailure(parameter: object) {\n\treturn inputFailure(parameter, 'is empty', 'Enter a text.');\n}\nemptyFailure(PROMPT);",
		],
		['that is written out', "inputFailure('Prompt', 'is empty', 'Enter a text.');"],
	])('begin with the label %s', (_form, code) => {
		const fields =
			"export const PROMPT = { displayName: 'Prompt', name: 'prompt' } as const;\nexport function promptField(rows: number) {\n\treturn { ...PROMPT, rows };\n}\n";
		const found = messagesOf(`import { PROMPT, promptField } from './other';\n${code}`, fields);
		expect(found).toContainEqual({
			message: '**Prompt** is empty',
			advice: ['Enter a text.'],
			kind: 'input',
		});
	});

	it('have … for the parts that are known only at run time', () => {
		const code =
			'const here = `Messages (entry ${index + 1})`;\ninputFailure(here, `has the role "${role}"`, \'Choose System, User or Assistant.\');';
		expect(messagesOf(code)).toEqual([
			{
				message: '**Messages (entry …)** has the role "…"',
				advice: ['Choose System, User or Assistant.'],
				kind: 'input',
			},
		]);
	});

	it('are completed by the function that makes the failure, also in another file', () => {
		const other =
			"export function answerFailure(what: string) {\n\treturn new GatewayFailure('answer', `The answer cannot be used: ${what}`, 'Ask the operator.');\n}\n";
		const code = "import { answerFailure } from './other';\nthrow answerFailure('it is empty');";
		expect(messagesOf(code, other)).toEqual([
			{ message: 'The answer cannot be used: it is empty', advice: ['Ask the operator.'], kind: 'answer' },
		]);
	});

	it('have the advice of the case in which they appear', () => {
		const code = `function interruptedFailure(timedOut: boolean) {
	const message = timedOut ? 'It took too long' : 'The connection broke';
	return new GatewayFailure('interrupted', message, timedOut ? 'Wait longer.' : 'Try again.');
}`;
		expect(messagesOf(code)).toEqual([
			{ message: 'It took too long', advice: ['Wait longer.'], kind: 'interrupted' },
			{ message: 'The connection broke', advice: ['Try again.'], kind: 'interrupted' },
		]);
	});

	it('are also found in tables', () => {
		const code = `const TEXTS = { request: { message: () => 'It was refused', description: () => 'Correct it.' } };
const texts = { name: ['The address does not exist', 'Check the address.'] };`;
		expect(messagesOf(code)).toEqual([
			{ message: 'It was refused', advice: ['Correct it.'], kind: 'request' },
			{ message: 'The address does not exist', advice: ['Check the address.'], kind: '' },
		]);
	});
});

describe.each(readmes.map((readme) => ({ ...readme, name: path.basename(readme.file) })))(
	'$name',
	(readme) => {
		const text = readFileSync(readme.file, 'utf8');
		let nodes: NodePage[];

		beforeAll(async () => {
			nodes = await nodePages();
		});

		it('lists the nodes with their current operations (npm run docs)', () => {
			expect(withNodes(text, readme, nodes) === text).toBe(true);
		});

		it('states the number of utility endpoints', () => {
			const counts = [...text.matchAll(/(\d+)(?:<!-- end of endpoints -->| endpoints| 个接口)/g)];
			expect(new Set(counts.map(([, count]) => Number(count)))).toEqual(new Set([catalogue.length]));
		});

		it('lists every example', () => {
			const examples = readdirSync(path.join(project, 'examples')).filter((file) => file.endsWith('.json'));
			expect(examples.filter((file) => !text.includes(`| \`${file}\``))).toEqual([]);
		});
	},
);

describe('Promises', () => {
	const sectionsOf = (file: string) => readFileSync(path.join(project, file), 'utf8').split(/^## /m);
	const promisesOf = (readme: string) => sectionsOf(readme)[0].split(/^- /m).slice(1);
	const testsOf = (promise: string) => /<!-- tests: (.+?) -->/.exec(promise)?.[1].split(', ') ?? [];

	it.each([
		['README.md', promisesOf('README.md')],
		['docs/paid-once.md', sectionsOf('docs/paid-once.md').slice(1)],
	])('in %s name their tests, which exist', (_file, promises) => {
		expect(promises.length).toBeGreaterThan(3);
		expect(promises.filter((promise) => testsOf(promise).length === 0)).toEqual([]);
		const missing = promises.flatMap(testsOf).filter((file) => !existsSync(path.join(project, file)));
		expect(missing).toEqual([]);
	});

	it('are as many in Chinese as in English', () => {
		expect(promisesOf('README.zh-CN.md').length).toBe(promisesOf('README.md').length);
	});
});

describe('Descriptions of the nodes for the READMEs', () => {
	it('cover exactly the nodes of the package', async () => {
		const types = (await nodePages()).map(({ nodeType }) => nodeType);
		expect(Object.keys(NODE_WORDS).sort()).toEqual(types.sort());
	});
});

describe('package.json', () => {
	it('describes the package without counts, which could become outdated', () => {
		const { description } = JSON.parse(readFileSync(path.join(project, 'package.json'), 'utf8')) as {
			description: string;
		};
		expect(description).not.toMatch(/\d{2}|sixty/);
	});
});
