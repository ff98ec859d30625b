import path from 'node:path';
import { catalogue } from '../../nodes/Utilities/catalogue';
import type { Utility, UtilityParameter } from '../../nodes/Utilities/catalogue/utility';
import { project } from './pages';
import { withSection } from './section';
import { tableOf } from './table';

/** What `npm run docs` makes of the catalogue of utilities: the table of the page, and the words of the node search. */

export const utilitiesPage = path.join(project, 'docs', 'nodes', 'utilities.md');
export const codexFile = path.join(project, 'nodes', 'Utilities', 'Utilities.node.json');

/** Search words for the node as a whole. */
const COMMON_WORDS =
	'utility, utilities, information, trends, 60s, gateway, ai gateway, unified ai gateway, 网关, AI 网关, 工具, 资讯, 今日新闻, 查天气预报, hot searches, 热榜';

/** The encodings of most endpoints, which the table leaves out. */
const USUAL = 'json, text, markdown';

/** The words by which n8n's node search finds the node. */
export function searchWords(): string[] {
	const words = catalogue.flatMap((utility) => [utility.name, ...utility.searchWords, utility.chinese]);
	const seen = new Set<string>();
	return [...COMMON_WORDS.split(', '), ...words].filter((word) => {
		const folded = word.toLowerCase();
		return !seen.has(folded) && seen.add(folded);
	});
}

/** The page with an up-to-date table of all endpoints. */
export function withCatalogue(text: string): string {
	const rows = catalogue
		.toSorted((one, other) => one.group.localeCompare(other.group))
		.map((utility) => [
			`${utility.group}: **${utility.name}** ${utility.chinese}`,
			`\`${utility.path.replace(/^\/v2\/apis/, '')}\``,
			[...utility.parameters.map(describe), encodingsOf(utility)].filter(Boolean).join('; '),
		]);
	return withSection(text, 'catalogue', tableOf(['Operation', 'Endpoint', 'Parameters'], rows));
}

/** The codex file of the node with up-to-date search words. */
export function withSearchWords(text: string): string {
	return JSON.stringify({ ...(JSON.parse(text) as object), alias: searchWords() });
}

/** What differs from most endpoints, with the default first. */
function encodingsOf({ encodings }: Utility): string {
	if (encodings.join(', ') === USUAL) return '';
	return encodings.length > 0 ? `**Encoding** (${encodings.join(', ')})` : 'no **Encoding**';
}

function describe(parameter: UtilityParameter): string {
	const { key, label, required } = parameter;
	const facts = [required ? 'required' : '', ...valuesOf(parameter)].filter(Boolean);
	return `**${label}** \`${key}\`${facts.length > 0 ? ` (${facts.join(', ')})` : ''}`;
}

function valuesOf(parameter: UtilityParameter): string[] {
	const defaults =
		'default' in parameter && parameter.default !== undefined && parameter.default !== ''
			? [`default ${parameter.default}`]
			: [];
	switch (parameter.type) {
		case 'number': {
			const { min, max } = parameter;
			return [max === undefined ? `at least ${min}` : `${min} to ${max}`, ...defaults];
		}
		case 'list':
			return [parameter.choices.map(({ value }) => value).join('/'), ...defaults];
		case 'switch':
			return [`default ${parameter.usual ? 'on' : 'off'}`];
		case 'picker':
			return ['from a list', ...defaults];
		default:
			return defaults;
	}
}
