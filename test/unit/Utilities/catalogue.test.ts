import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { catalogueTables, searchWords } from '../../../tools/docs/utilities';
import { catalogue, groups } from '../../../nodes/Utilities/catalogue';
import type { UtilityParameter } from '../../../nodes/Utilities/catalogue/utility';
import { catalogueFields, isField } from '../../../nodes/Utilities/fields';
import { Utilities } from '../../../nodes/Utilities/Utilities.node.ts';
import codex from '../../../nodes/Utilities/Utilities.node.json';

const fields = catalogueFields(catalogue);
const options = fields.find(({ name }) => name === 'options')!.options as INodeProperties[];
const shownFor = ({ displayOptions }: INodeProperties, key = 'operation') =>
	(displayOptions?.show?.[key] ?? []) as string[];

test('operations, their names and actions are unique, and every group has some', () => {
	for (const key of ['value', 'name', 'action', 'chinese'] as const) {
		expect(new Set(catalogue.map((utility) => utility[key])).size).toBe(58);
	}
	const used = new Set(catalogue.map(({ group }) => group));
	expect([...used, 'customEndpoint'].sort()).toEqual(groups.map(({ value }) => value).sort());
});

test.each(catalogue)('$value has a field for each parameter, and exactly one of each name', (utility) => {
	const { value, parameters, encodings, textOnly = false } = utility;
	const own = fields.filter((field) => shownFor(field).includes(value)).map(({ name }) => name);
	const required = parameters.filter(isField).map(({ key }) => key);
	const images = encodings.some((encoding) => encoding.startsWith('image'));
	const json = encodings.length === 0 ? !textOnly : encodings.includes('json');
	expect(own).toEqual([
		...required,
		...(encodings.length > 0 ? ['encoding'] : []),
		...(images ? ['binaryPropertyName'] : []),
		...(json ? ['splitOutLists'] : []),
		'options',
	]);
	const inOptions = options.filter((entry) => shownFor(entry, '/operation').includes(value));
	const optional = parameters.filter((parameter) => !isField(parameter));
	expect(inOptions.map(({ name }) => name).sort()).toEqual(optional.map(({ key }) => key).sort());
});

test('parameters that share an entry of Options are alike', () => {
	const optional = catalogue.flatMap(({ parameters }) => parameters.filter((one) => !isField(one)));
	const byKey = new Map<string, UtilityParameter>();
	for (const parameter of optional) {
		expect(byKey.get(parameter.key) ?? parameter).toEqual(parameter);
		byKey.set(parameter.key, parameter);
	}
	expect(new Set(options.map(({ name }) => name)).size).toBe(options.length);
});

test('options are in alphabetical order, and so are the operations of each resource', () => {
	const sorted = (labels: string[]) => [...labels].sort((one, other) => one.localeCompare(other));
	const labels = options.map(({ displayName }) => displayName);
	expect(labels).toEqual(sorted(labels));
	const { properties } = new Utilities().description;
	for (const { name, options: entries } of properties) {
		if (name !== 'operation' && name !== 'resource') continue;
		const names = entries!.map((entry) => entry.name);
		expect(names).toEqual(sorted(names));
	}
});

test('the whole description stays small: the editor loads it at every start', () => {
	expect(JSON.stringify(new Utilities().description).length).toBeLessThan(45_000);
});

test('the documentation shows the catalogue (npm run docs)', () => {
	// Formatting pads the cells.
	const squeeze = (text: string) => text.replace(/-{3,}/g, '---').replace(/ +/g, ' ');
	const page = readFileSync(join(__dirname, '../../../docs/nodes/utilities.md'), 'utf8');
	expect(squeeze(page)).toContain(squeeze(catalogueTables()));
});

test('the node search knows the words of the catalogue (npm run docs)', () => {
	expect(codex.alias).toEqual(searchWords());
});

test.each([
	['weather', 'translate', 'QR code', 'exchange rate', 'joke'],
	['news', 'password', 'gold price', 'lyric', 'box office'],
	['天气', '翻译', '二维码', '汇率', '段子', '热搜'],
])('somebody who types %s, %s, %s, %s or %s finds the node', (...words) => {
	const known = codex.alias.map((alias) => alias.toLowerCase());
	for (const word of words) expect(known).toContain(word.toLowerCase());
});

test('each operation has a value of its own, and the canvas says what it does', () => {
	const { subtitle = '', properties } = new Utilities().description;
	const operations = properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ options = [] }) => options as INodePropertyOptions[]);
	expect(new Set(operations.map(({ value }) => value)).size).toBe(operations.length);
	const [, actions] = /^=\{\{ (\{.*\})\[\$parameter\["operation"\]\] \}\}$/.exec(subtitle) ?? [];
	expect(JSON.parse(actions)).toEqual(
		Object.fromEntries(operations.map(({ value, action }) => [value, action])),
	);
});
