import { readFileSync } from 'node:fs';
import { NodeHelpers, type INodeProperties, type INodePropertyOptions } from 'n8n-workflow';
import { utilitiesPage, withCatalogue } from '../../../tools/docs/utilities';
import { catalogue } from '../../../nodes/Utilities/catalogue';
import type { UtilityParameter } from '../../../nodes/Utilities/catalogue/utility';
import { customEndpoint } from '../../../nodes/Utilities/operations/customEndpoint.operation';
import { ENCODINGS } from '../../../nodes/Utilities/fields';
import { isField } from '../../../nodes/Utilities/parameter';
import { Utilities } from '../../../nodes/Utilities/Utilities.node.ts';
import codex from '../../../nodes/Utilities/Utilities.node.json';

const fields = new Utilities().description.properties.filter(
	({ name, displayOptions }) =>
		!['resource', 'operation'].includes(name) && displayOptions?.show?.['@tool'] === undefined,
);
const options = fields.find(({ name }) => name === 'options')!.options as INodeProperties[];
const operations = new Utilities().description.properties
	.filter(({ name }) => name === 'operation')
	.flatMap(({ options: entries = [] }) => entries as INodePropertyOptions[]);
const shownFor = ({ displayOptions }: INodeProperties, key: string) =>
	(displayOptions?.show?.[key] ?? []) as string[];

/** Whether an operation has a field, whatever its encoding is. */
const isShown = ({ displayOptions: { show = {}, hide = {} } = {} }: INodeProperties, operation: string) =>
	(show.operation?.includes(operation) ?? true) && !(hide.operation?.includes(operation) ?? false);

/** The texts inside of a value, each with its key. */
function textsOf(value: unknown, key = ''): Array<[key: string, text: string]> {
	if (typeof value === 'string') return [[key, value]];
	const isList = Array.isArray(value);
	return Object.entries(Object(value)).flatMap(([name, inner]) => textsOf(inner, isList ? key : name));
}

describe('Catalogue', () => {
	it('has unique operations, names, and actions', () => {
		for (const key of ['value', 'name', 'action', 'description'] as const) {
			expect(new Set(catalogue.map((utility) => utility[key])).size).toBe(catalogue.length);
		}
	});

	it('shares an entry of Options only between equal parameters', () => {
		const optional = catalogue.flatMap(({ parameters }) => parameters.filter((one) => !isField(one)));
		const byKey = new Map<string, UtilityParameter>();
		for (const parameter of optional) {
			expect(byKey.get(parameter.name) ?? parameter).toEqual(parameter);
			byKey.set(parameter.name, parameter);
		}
		expect(new Set(options.map(({ name }) => name)).size).toBe(options.length);
	});

	it.each(catalogue)('has a field for each parameter of $value, and only one of each name', (utility) => {
		const { value, parameters, encodings, output } = utility;
		const own = fields.filter((field) => isShown(field, value)).map(({ name }) => name);
		const required = parameters.filter(isField).map(({ name }) => name);
		const images = encodings.some((encoding) => encoding.startsWith('image'));
		expect(own).toEqual([
			...required,
			...(encodings.length > 0 ? ['encoding'] : []),
			...(images ? ['binaryPropertyName'] : []),
			...(output ? ['simplify'] : []),
			...(output?.lists ? ['splitOutLists'] : []),
			'options',
		]);
		const inOptions = options.filter((entry) => shownFor(entry, '/operation').includes(value));
		const optional = parameters.filter((parameter) => !isField(parameter));
		const several = Object.keys(output?.lists ?? {}).length > 1;
		expect(inOptions.map(({ name }) => name).sort()).toEqual(
			[...optional.map(({ name }) => name), ...(several ? ['listToSplitOut'] : [])].sort(),
		);
	});
});

describe('Description of the node', () => {
	it('lists options in alphabetical order', () => {
		const labels = options.map(({ displayName }) => displayName);
		expect(labels).toEqual([...labels].sort((one, other) => one.localeCompare(other)));
	});

	it('lists operations from common to rare, with their group in the name and in the action', () => {
		const groups = operations.map(({ name }) => name.split(': ')[0]);
		const together = groups.filter((group, index) => group !== groups[index - 1]);
		expect(new Set(together).size).toBe(together.length);
		expect(together.slice(0, 3)).toEqual(['News', 'Weather', 'Translation']);
		expect(operations[0].value).toBe('worldNews');
		expect(operations.at(-1)!.value).toBe(customEndpoint.value);
		for (const { name, action } of operations.slice(0, -1)) {
			const [group] = name.split(': ');
			expect(action).toMatch(/^[A-Z][a-z ]+: (get|create|translate|check|generate|hash) /);
			expect(action!.split(': ')[0].toLowerCase()).toBe(group.toLowerCase());
		}
	});

	it('spells days and weeks in one way', () => {
		const words = operations.flatMap(({ action, description }) => [action, description]).join('\n');
		expect(words).toMatch(/best movies of the week/);
		expect(words).not.toMatch(/of (week|day)\b/i);
	});

	it('is in English, with a Chinese example beside its English name', () => {
		const texts = textsOf(new Utilities().description);
		expect(texts.length).toBeGreaterThan(500);
		const chinese = texts.filter(([, text]) => /\p{Script=Han}/u.test(text));
		expect([...new Set(chinese.map(([key]) => key))]).toEqual(['placeholder']);
		for (const [, text] of chinese) expect(text).toMatch(/^e\.g\. \p{Script=Han}+ \([A-Za-z ]+\)$/u);
	});

	it('tells the AI builder what each operation returns unless it is JSON', () => {
		const { builderHint } = new Utilities().description;
		const [{ content }] = builderHint!.extraTypeDefContent!;
		const presetTo = (encoding: string) =>
			catalogue.filter(({ encodings }) => encodings[0] === encoding).map(({ value }) => value);
		expect(presetTo('text')).toEqual(['worldNews', 'breakDigest', 'lyrics']);
		expect(presetTo('image')).toEqual(['qrCode', 'wallpaper']);
		expect(presetTo('markdown')).toEqual([]);
		expect(content).toContain(`text for ${presetTo('text').join(', ')}`);
		expect(content).toContain(`image for ${presetTo('image').join(', ')}`);
	});

	it('stays small because the editor loads it at every start', () => {
		expect(JSON.stringify(new Utilities().description).length).toBeLessThan(46_500);
	});

	it('offers what applies only to JSON for no other encoding', () => {
		const { properties } = new Utilities().description;
		const ofCustom = ({ displayOptions }: INodeProperties) =>
			displayOptions?.show?.operation?.includes(customEndpoint.value);
		const all = properties.filter(ofCustom);
		const entries = all.find(({ name }) => name === 'options')!.options as INodeProperties[];
		const offered = (name: string, encoding: string, simplify = true) => {
			const values = {
				resource: 'utility',
				operation: customEndpoint.value,
				splitOutLists: true,
				encoding,
				simplify,
			};
			const entry = [...all, ...entries].find((one) => one.name === name)!;
			return NodeHelpers.displayParameter(values, entry, null, null, values);
		};
		for (const name of ['simplify', 'splitOutLists', 'listToSplitOut']) {
			expect(offered(name, 'json')).toBe(true);
			expect(offered(name, 'json', false)).toBe(name === 'simplify');
			for (const encoding of ENCODINGS.filter((one) => one !== 'json'))
				expect(offered(name, encoding)).toBe(false);
		}
	});

	it('has an action for each operation, which the canvas shows', () => {
		const { subtitle = '' } = new Utilities().description;
		expect(new Set(operations.map(({ value }) => value)).size).toBe(operations.length);
		const [, actions] = /^=\{\{ (\{.*\})\[\$parameter\["operation"\]\] \}\}$/.exec(subtitle) ?? [];
		expect(JSON.parse(actions)).toEqual(
			Object.fromEntries(operations.map(({ value, action }) => [value, action])),
		);
	});
});

describe('Documentation of the utilities', () => {
	it('shows the catalogue (npm run docs)', () => {
		const page = readFileSync(utilitiesPage, 'utf8');
		expect(withCatalogue(page)).toBe(page);
		for (const { name } of catalogue) expect(page).toContain(`**${name}**`);
	});
});

describe('Node search', () => {
	it('knows the name of each endpoint', () => {
		const names = catalogue.map(({ name }) => name);
		expect(names.filter((name) => !codex.alias.includes(name))).toEqual([]);
	});

	it.each(['gold price', 'lyric', '天气', '翻译', '二维码', '汇率', '段子', '热搜'])(
		'finds the node by %s',
		(word) => {
			expect(codex.alias).toContain(word);
		},
	);
});
