import path from 'node:path';
import type { INodeProperties } from 'n8n-workflow';
import { credentialsOf, nodesOf, read } from './guidelineFacts';
import type { PackageManifest } from './packageFacts';

/** The facts that the rules check. */
interface Facts {
	/** The source files of the nodes, with their codex files. */
	nodeFiles: Array<{ file: string; text: string; codex: Codex }>;
	nodes: ReturnType<typeof nodesOf>;
	/** The fields of all nodes and credentials, including those in collections. */
	fields: INodeProperties[];
	/** The icons: the content of the file, its path, and the background on which it is shown. */
	icons: Array<{ text: string; file: string; background: string }>;
}

interface Codex {
	node?: string;
	categories?: string[];
	subcategories?: Record<string, string[]>;
}

/** The categories of n8n that fit the nodes. */
const CATEGORIES = ['AI', 'Data & Storage', 'Marketing & Content', 'Productivity', 'Utility'];
const BACKGROUNDS = { light: '#FFFFFF', dark: '#2B2B2B' };
/** Choices in an order that says more than the alphabet: from little to much, from common to rare, or from the default to off. */
const IN_ORDER = ['level', 'operation', 'promptCaching', 'reasoningEffort', 'sendSchema'];

const namesOf = (list: Array<{ name: string }>) => list.map(({ name }) => name);
const isSdkNode = (text: string) => text.includes("from '@n8n/ai-node-sdk'");
const choicesOf = ({ type, options }: INodeProperties) =>
	type === 'options' || type === 'multiOptions'
		? ((options ?? []) as Array<{ name: string; value: unknown }>)
		: [];

/** The rules on n8n's main branch that the linter on npm does not have yet, as it calls them, with what breaks them. */
const rules: Record<string, (facts: Facts) => string[]> = {
	'no-ai-codex-category or no-codex-subcategories': ({ nodeFiles }) =>
		nodeFiles
			.filter(
				({ codex, text }) => !isSdkNode(text) && (codex.categories?.includes('AI') || codex.subcategories),
			)
			.map(({ file }) => file),
	'valid-codex-categories or valid-node-categories or no-logic-or-flow-nodes': ({ nodeFiles }) =>
		nodeFiles
			.filter(({ codex: { node = '', categories = [], subcategories }, file }) => {
				const isKnown = categories.every((category) => CATEGORIES.includes(category));
				const [type] = path.posix.basename(file).split('.');
				if (node.split('.').at(-1)?.toLowerCase() !== type.toLowerCase()) return true;
				return !isKnown || categories.length === 0 || categories.includes('AI') !== !!subcategories?.AI;
			})
			.map(({ file }) => file),
	'require-continue-on-fail': ({ nodeFiles }) =>
		nodeFiles
			.filter(({ text }) => / execute\(/.test(text) && !text.includes('this.continueOnFail()'))
			.map(({ file }) => file),
	'node-operation-error-itemindex or prefer-declarative-style or no-hardcoded-ids': ({ nodeFiles }) =>
		nodeFiles
			.filter(({ text }) =>
				/\bfor \(|(?:partner|affiliate|reseller|account|tenant|customer|client)_?id:/i.test(text),
			)
			.map(({ file }) => file),
	'hint-max-length': ({ fields }) => namesOf(fields.filter(({ hint = '' }) => hint.length > 120)),
	'require-param-default': ({ fields }) =>
		namesOf(fields.filter((field) => field.type && field.default === undefined)),
	'open-ended-node-fields': ({ nodes }) =>
		nodes.flatMap(({ properties }) =>
			namesOf(properties.filter(({ type, required }) => type === 'json' && !required)),
		),
	'no-duplicate-param-options or no-asterisk-in-option-names': ({ fields }) =>
		namesOf(
			fields.filter((field) => {
				const choices = choicesOf(field);
				const [names, values] = [namesOf(choices), choices.map(({ value }) => value)];
				return [names, values].some((list) => new Set(list).size < list.length) || names.join().includes('*');
			}),
		),
	'options-sorted-alphabetically': ({ fields }) =>
		namesOf(
			fields.filter((field) => {
				const names = namesOf(choicesOf(field));
				const sorted = names.toSorted((a, b) => a.localeCompare(b, undefined, { sensitivity: 'base' }));
				return names.join() !== sorted.join() && !IN_ORDER.includes(field.name);
			}),
		),
	'icon-contrast': ({ icons }) =>
		icons
			.filter(({ text, background }) => {
				const colors = text.match(/#[\dA-F]{6}/gi) ?? ['#000000'];
				return Math.max(...colors.map((color) => contrast(color, background))) < 1.5;
			})
			.map(({ file }) => file),
};

/** Returns what breaks a rule that only n8n's newest linter has, in sentences. The package must be built. */
export function newestRuleFindings(project: string): string[] {
	const facts = factsOf(project);
	return Object.entries(rules).flatMap(([names, offenders]) =>
		offenders(facts).map((offender) => `${offender} breaks ${names}.`),
	);
}

function factsOf(project: string): Facts {
	const manifest = JSON.parse(read(project, 'package.json')) as PackageManifest;
	const sources = manifest.n8n.nodes.map((file) => file.replace(/^dist\/(.*)\.js$/, '$1'));
	const nodes = nodesOf(project);
	const credentials = credentialsOf(project);
	return {
		nodes,
		nodeFiles: sources.map((file) => ({
			file,
			text: read(project, `${file}.ts`),
			codex: JSON.parse(read(project, `${file}.json`)) as Codex,
		})),
		fields: [...nodes, ...credentials].flatMap(({ properties }) => properties.flatMap(withInner)),
		icons: sources.flatMap((source) => {
			const icon = /icon: \{ light: 'file:(.*?)', dark: 'file:(.*?)' \}/.exec(read(project, `${source}.ts`));
			const [light, dark] = icon?.slice(1).map((name) => `${path.posix.dirname(source)}/${name}`) ?? [];
			return [
				{ file: light, background: BACKGROUNDS.light, text: read(project, light) },
				{ file: dark, background: BACKGROUNDS.dark, text: read(project, dark) },
			];
		}),
	};
}

/** Returns a field and all fields inside it. */
function withInner(field: INodeProperties): INodeProperties[] {
	const inner = (field.options ?? []).flatMap((option) => {
		if ('values' in option) return option.values;
		return 'type' in option ? [option] : [];
	});
	return [field, ...inner.flatMap(withInner)];
}

/** Returns the contrast of two colors such as #FF6D5A, from 1 to 21, as WCAG defines it. */
function contrast(one: string, other: string): number {
	const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b);
	return (lighter + 0.05) / (darker + 0.05);
}

function luminance(color: string): number {
	const [red, green, blue] = [1, 3, 5]
		.map((start) => parseInt(color.slice(start, start + 2), 16) / 255)
		.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
