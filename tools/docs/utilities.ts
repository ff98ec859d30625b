import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import { catalogue, groups } from '../../nodes/Utilities/catalogue';
import {
	defaultEncodingOf,
	type Utility,
	type UtilityParameter,
} from '../../nodes/Utilities/catalogue/utility';

/** The parts that `npm run docs` generates from the catalogue of utilities; a test compares them with the files. */

const project = path.join(__dirname, '../..');
const page = path.join(project, 'docs', 'nodes', 'utilities.md');
const codexFile = path.join(project, 'nodes', 'Utilities', 'Utilities.node.json');
const begin = '<!-- from the catalogue: npm run docs -->';
const end = '<!-- end of the catalogue -->';

/** Search words for the node as a whole. */
const COMMON_WORDS = [
	'utility',
	'utilities',
	'information',
	'trends',
	'60s',
	'gateway',
	'ai gateway',
	'unified ai gateway',
	'网关',
	'AI 网关',
	'工具',
	'资讯',
	'今日新闻',
	'查天气预报',
	'hot searches',
	'热榜',
];

/** The words by which n8n's node search finds the node. */
export function searchWords(): string[] {
	const words = catalogue.flatMap((utility) => [utility.name, ...utility.searchWords, utility.chinese]);
	const seen = new Set<string>();
	return [...COMMON_WORDS, ...words].filter((word) => {
		const folded = word.toLowerCase();
		return !seen.has(folded) && seen.add(folded);
	});
}

/** One table for each group, in Markdown. */
export function catalogueTables(): string {
	return groups
		.map(({ name, value }) => ({ name, utilities: catalogue.filter(({ group }) => group.value === value) }))
		.filter(({ utilities }) => utilities.length > 0)
		.map(({ name, utilities }) => {
			const rows = utilities.map((utility) => `| ${cellsOf(utility).join(' | ')} |`);
			return [
				`### ${name}`,
				'',
				'| Operation | Endpoint | Encoding | Parameters |',
				'| --- | --- | --- | --- |',
				...rows,
			].join('\n');
		})
		.join('\n\n');
}

function cellsOf(utility: Utility): string[] {
	const { name, chinese, encodings, parameters } = utility;
	const preset = defaultEncodingOf(utility);
	const offered = encodings.map((encoding) => (encoding === preset ? `**${encoding}**` : encoding));
	return [
		`**${name}** ${chinese}`,
		`\`${utility.path}\``,
		offered.join(', ') || '—',
		parameters.map(describe).join('; ') || '—',
	];
}

function describe(parameter: UtilityParameter): string {
	const { key, label, required } = parameter;
	const facts = [required ? 'required' : '', ...valuesOf(parameter)].filter((fact) => fact !== '');
	return `**${label}** \`${key}\`${facts.length > 0 ? ` (${facts.join(', ')})` : ''}`;
}

function valuesOf(parameter: UtilityParameter): string[] {
	switch (parameter.type) {
		case 'text':
			return parameter.default ? [`default ${parameter.default}`] : [];
		case 'number': {
			const { min, max, default: preset } = parameter;
			const range = max === undefined ? `at least ${min}` : `${min} to ${max}`;
			return preset === undefined ? [range] : [range, `default ${preset}`];
		}
		case 'date':
			return ['YYYY-MM-DD'];
		case 'list':
			return [
				parameter.choices.map(({ value }) => value).join(' / '),
				...(parameter.default ? [`default ${parameter.default}`] : []),
			];
		case 'switch':
			return ['true / false', `default ${parameter.usual}`];
		case 'presence':
			return [`${parameter.value}, or not sent`];
		case 'picker':
			return ['from a list', ...(parameter.default ? [`default ${parameter.default}`] : [])];
	}
}

/** The page with up-to-date tables. @throws Error when the marks around them are missing */
export function withTables(text: string): string {
	const [from, to] = [text.indexOf(begin), text.indexOf(end)];
	if (from < 0 || to < from) throw new Error(`The marks around the tables of ${page} are missing.`);
	return `${text.slice(0, from)}${begin}\n\n${catalogueTables()}\n\n${text.slice(to)}`;
}

async function writeFormatted(file: string, text: string): Promise<void> {
	await writeFile(file, await format(text, { ...(await resolveConfig(file)), filepath: file }));
}

async function write(): Promise<void> {
	await writeFormatted(page, withTables(await readFile(page, 'utf8')));
	const codex = JSON.parse(await readFile(codexFile, 'utf8')) as { alias: string[] };
	await writeFormatted(codexFile, JSON.stringify({ ...codex, alias: searchWords() }));
}

if (require.main === module) void write();
