import path from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import { utilityEndpoints } from '../../emulator/utilities';
import type { Endpoint } from '../../emulator/utilities/endpoint';
import { ParameterReader } from '../../emulator/utilities/parameterReader';
import { dateOf } from '../../emulator/utilities/time';
import { catalogue, groups } from '../../nodes/Utilities/catalogue';
import type { Utility } from '../../nodes/Utilities/catalogue/utility';
import { toItems } from '../../nodes/Utilities/items';
import { openEnvelope } from '../../nodes/Utilities/readUtility';
import { toText } from '../../nodes/shared/values';
import { project } from './pages';
import { withSection } from './section';
import { tableOf } from './table';

/** The page with the simplified output of every utility endpoint; pure, except for the names of files. */

export const outputsPage = path.join(project, 'docs', 'utilities-outputs.md');

/** The time of all examples. */
const NOW = Date.parse('2026-08-21T04:00:00Z');
/** How many items of a list, and how much of a text is shown. */
const [ITEMS, LETTERS] = [2, 48];

/** The page with up-to-date examples. @throws Error when one of the marks around them is missing */
export function withOutputs(text = '# Simplified output of the utilities\n'): string {
	const sections = groups.map(({ name, value }) => {
		const utilities = catalogue.filter(({ group, output }) => group.value === value && output);
		return [`### ${name}`, ...utilities.map(sectionOf)].join('\n\n');
	});
	return withSection(text, { name: 'outputs', heading: 'All endpoints', content: sections.join('\n\n') });
}

function sectionOf(utility: Utility): string {
	const { name, many, output = {} } = utility;
	const data = dataOf(utility);
	const lists = Object.keys(output.lists ?? {});
	const tables = lists.map((list) => {
		const splitting = lists.length > 1 ? `With **List to Split Out** \`${list}\`:` : '';
		return [splitting, tableFor(data, utility, list)].filter(Boolean).join('\n\n');
	});
	const whole = tableFor(data, utility);
	const parts = many ? ['One item per entry.', ...tables] : ['One item.', whole];
	const split =
		many || lists.length === 0 ? [] : ['With **Split Out Lists**, one item per entry.', ...tables];
	return [`#### ${name}`, ...parts, ...split].join('\n\n');
}

/** The first items, as the editor's table shows them. */
function tableFor(data: unknown, { output }: Utility, list?: string): string {
	const wantedList = list === 'data' ? '' : (list ?? '');
	const settings = { simplify: true, splitOutLists: list !== undefined, wantedList, output };
	const items = toItems(openEnvelope({ code: 200, message: '', data }), settings).slice(0, ITEMS);
	const names = Object.keys(items[0] ?? {});
	return names.length === 0
		? '_No entries in the example._'
		: tableOf(
				names.map((name) => `\`${name}\``),
				items.map((item) => names.map((name) => shown(item[name]))),
			);
}

function shown(value: IDataObject[string]): string {
	const text = toText(value).replaceAll('<', '&lt;');
	return text.length > LETTERS ? `${[...text].slice(0, LETTERS).join('')}…` : text;
}

/** What the emulator answers to the example of an endpoint. */
function dataOf(utility: Utility): unknown {
	const endpoint = utilityEndpoints.find(
		(one) => `/v2/apis${one.path.replace(/:(\w+)/g, '{$1}')}` === utility.path,
	);
	if (!endpoint) throw new Error(`The emulator has no ${utility.path}.`);
	const body = endpoint.answer(exampleCall(endpoint));
	const json = (body.bodies.json ?? body.fallback)();
	if (json.kind !== 'json') throw new Error(`${utility.path} has no JSON.`);
	return json.data;
}

function exampleCall({ path: pattern, example = pattern }: Endpoint): Parameters<Endpoint['answer']>[0] {
	const { pathname, searchParams } = new URL(example, 'http://gateway.example');
	const parts = pathname.split('/');
	const variables = pattern
		.split('/')
		.flatMap((name, index) => (name.startsWith(':') ? [[name.slice(1), parts[index]] as const] : []));
	return {
		parameters: new ParameterReader(Object.fromEntries(searchParams)),
		path: Object.fromEntries(variables),
		now: NOW,
		today: dateOf(NOW),
		callerAddress: '203.0.113.7',
		fileUrl: (name) => `https://files.example/${encodeURIComponent(name)}`,
	};
}
