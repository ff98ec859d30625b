import type { INodeProperties } from 'n8n-workflow';
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { failureMessagesOf } from '../../../tools/docs/failureMessages';
import { explainedMessages, troubleshootingPage, withFailures } from '../../../tools/docs/failurePages';
import { type Page, pages, textOf, withTables } from '../../../tools/docs/pages';
import { parameterTables, undescribed } from '../../../tools/docs/parameterTables';

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

describe('the documentation of the package', () => {
	let all: Page[];

	beforeAll(async () => {
		all = await pages();
	});

	it('has a page for every node and credential, with the parameters of today (npm run docs)', () => {
		const stale = all.filter((page) => textOf(page) !== withTables(page, textOf(page)));
		expect(stale.map(({ file }) => file)).toEqual([]);
	});

	it('describes every parameter', () => {
		const silent = all.map(({ title, properties }) => ({ title, parameters: undescribed(properties) }));
		expect(silent.filter(({ parameters }) => parameters.length > 0)).toEqual([]);
	});
});

describe('tables of parameters', () => {
	it('hold what one operation of one resource shows, and nothing else', () => {
		const tables = parameterTables(
			[
				selector('resource', ['a', 'b']),
				selector('operation', ['get', 'put'], { resource: ['a'] }),
				selector('operation', ['get'], { resource: ['b'] }),
				field('always'),
				field('putOnly', { displayOptions: { show: { resource: ['a'], operation: ['put'] } } }),
				field('notInB', { displayOptions: { hide: { resource: ['b'] } } }),
			],
			2,
		);
		const shown = tables.split('## ').slice(1);
		const labels = shown.map((section) => [
			section.split('\n')[0],
			...[...section.matchAll(/^\| \*\*(\w+)/gm)].map(([, label]) => label),
		]);
		expect(labels).toEqual([
			['A → GET', 'Always', 'NotInB'],
			['A → PUT', 'Always', 'PutOnly', 'NotInB'],
			['B → GET', 'Always'],
		]);
	});

	it('say default, limits, allowed values and when a parameter is shown', () => {
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

	it('reach into collections, and keep cells whole', () => {
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

	it('find parameters without a description, also inside others', () => {
		const silent = field('inner', { description: undefined });
		const options = field('options', { type: 'collection', default: {}, options: [silent, field('fine')] });
		expect(undescribed([field('fine'), options])).toEqual(['**Options → Inner**']);
	});
});

describe('a page', () => {
	const page: Page = { file: '/page.md', title: 'Node', description: 'Does it', properties: [field('one')] };

	it('is made when there is none, and left alone when nothing has changed', () => {
		const made = withTables(page, undefined);
		expect(made).toMatch(/^# Node\n\nDoes it\.\n\n## All parameters\n/);
		expect(withTables(page, made)).toBe(made);
	});

	it('keeps what people wrote before and after the tables', () => {
		const written = withTables(page, '# My title\n\nMy words.\n') + '\nMore words.\n';
		const renewed = withTables({ ...page, properties: [field('two')] }, written);
		expect(renewed).toMatch(/^# My title\n\nMy words\.\n/);
		expect(renewed).toMatch(/\*\*Two\*\*/);
		expect(renewed).not.toMatch(/\*\*One\*\*/);
		expect(renewed).toMatch(/end of parameters -->\n\nMore words\.\n$/);
	});

	it('that has lost a mark is refused by name', () => {
		const broken = withTables(page, undefined).replace('<!-- end of parameters -->', '');
		expect(() => withTables(page, broken)).toThrow('One of the marks around "parameters" is lost');
	});
});

describe('docs/troubleshooting.md', () => {
	const text = readFileSync(troubleshootingPage, 'utf8');

	it.each(explainedMessages())('explains "%s"', (message) => {
		expect(text.includes(message)).toBe(true);
	});

	it('lists the messages that the source has today (npm run docs)', () => {
		expect(withFailures(text) === text).toBe(true);
	});

	it('knows the forms in which messages are worded', () => {
		expect(explainedMessages().length).toBeGreaterThan(15);
		const chat = failureMessagesOf(path.join(__dirname, '../../../nodes/Chat/input.ts'));
		expect(chat).toContainEqual({
			message: '**Messages (entry …)** has the role "…"',
			advice: 'Choose System, User or Assistant.',
		});
		const answer = failureMessagesOf(path.join(__dirname, '../../../nodes/Chat/json/parseAnswer.ts'));
		expect(answer.map(({ message }) => message)).toContain("The model's answer holds no JSON");
	});
});
