import type { INodeProperties } from 'n8n-workflow';

import { isAsked, rowsOf, type Row } from './parameterRows';

/** Parameters that several nodes have in common: the page that describes them once, and links to it; pure. */

/** A parameter with the same label, description and values in several nodes. */
export interface CommonParameter {
	label: string;
	description: string;
	values: string;
	/** The nodes that have each default. */
	defaults: Array<{ initial: string; nodes: NodeLink[] }>;
	/** Of its title on the page. */
	anchor: string;
}

/** A node, and the path of its page from the folder `docs`. */
export interface NodeLink {
	title: string;
	page: string;
}

/** A node with its parameters. */
export interface DescribedNode extends NodeLink {
	properties: INodeProperties[];
}

/** How many nodes must share a parameter before their pages only link to it. */
const SEVERAL = 3;

const PAGE = '../common-options.md';

/** The parameters that several of the nodes have in common, by label. */
export function commonParameters(nodes: DescribedNode[]): CommonParameter[] {
	const found = new Map<string, Array<{ row: Row; node: NodeLink }>>();
	for (const node of nodes) {
		const rows = node.properties.filter(isAsked).flatMap((property) => rowsOf(property, node.properties));
		for (const row of rows.filter(isShareable)) {
			found.set(identityOf(row), [...(found.get(identityOf(row)) ?? []), { row, node }]);
		}
	}
	const shared = [...found.values()]
		.filter((uses) => new Set(uses.map(({ node }) => node.title)).size >= SEVERAL)
		.sort(([one], [other]) => labelOf(one.row).localeCompare(labelOf(other.row)));
	const anchors = new Map<string, number>();
	return shared.map((uses) => {
		const [{ row }] = uses;
		return {
			label: labelOf(row),
			description: row.description,
			values: row.values,
			defaults: defaultsOf(uses),
			anchor: anchorOf(labelOf(row), anchors),
		};
	});
}

/** The common parameter that a row describes; undefined for a parameter of its own. */
export function commonOf(row: Row, common: CommonParameter[]): CommonParameter | undefined {
	return isShareable(row)
		? common.find((parameter) => identityOf(row) === identityOf({ ...parameter, path: [parameter.label] }))
		: undefined;
}

/**
 * A line of links to the common parameters among the rows, with what differs between operations: the default, and
 * when the parameter is shown. Empty when none of them is common.
 */
export function commonLine(rows: Row[], common: CommonParameter[]): string {
	const places = new Map<string, string[]>();
	for (const row of rows) {
		const parameter = commonOf(row, common);
		if (!parameter) continue;
		const place = row.path.length > 1 ? `In **${row.path[0]}**` : 'Common parameters';
		places.set(place, [...(places.get(place) ?? []), linkTo(parameter, row)]);
	}
	return [...places].map(([place, links]) => `${place}: ${links.join(', ')}.`).join(' ');
}

function linkTo({ label, anchor, defaults }: CommonParameter, { condition, initial }: Row): string {
	const facts = [
		condition.replace(/^W/, 'w').replace(/\.$/, ''),
		defaults.length > 1 && initial !== '—' ? `default ${initial}` : '',
	].filter(Boolean);
	return `[${label}](${PAGE}#${anchor})${facts.length > 0 ? ` (${facts.join('; ')})` : ''}`;
}

/** The sections of the page that describes the common parameters, in Markdown. */
export function commonSections(common: CommonParameter[]): string {
	return common
		.map(({ label, description, values, defaults }) => {
			const nodes = new Map(defaults.flatMap((entry) => entry.nodes).map((node) => [node.title, node]));
			return [
				`## ${label}`,
				`${description.replace(/\.$/, '')}.`,
				[
					`- Default: ${defaultText(defaults)}`,
					...(values === '—' ? [] : [`- Values: ${values.replaceAll('<br>', '; ')}`]),
					`- Nodes: ${linksTo([...nodes.values()])}`,
				].join('\n'),
			].join('\n\n');
		})
		.join('\n\n');
}

function defaultText(defaults: CommonParameter['defaults']): string {
	const words = ({ initial }: { initial: string }) => (initial === '—' ? 'none' : initial);
	if (defaults.length === 1) return words(defaults[0]);
	return defaults
		.map((entry) => `${words(entry)} (${entry.nodes.map(({ title }) => shortTitle(title)).join(', ')})`)
		.join('; ');
}

function linksTo(nodes: NodeLink[]): string {
	return nodes
		.toSorted((one, other) => one.title.localeCompare(other.title))
		.map(({ title, page }) => `[${shortTitle(title)}](${page})`)
		.join(', ');
}

function shortTitle(title: string): string {
	return title.replace('Unified AI ', '');
}

function defaultsOf(uses: Array<{ row: Row; node: NodeLink }>): CommonParameter['defaults'] {
	const found = new Map<string, Map<string, NodeLink>>();
	for (const { row, node } of uses) {
		const nodes = found.get(row.initial) ?? new Map<string, NodeLink>();
		found.set(row.initial, nodes.set(node.title, { title: node.title, page: node.page }));
	}
	return [...found].map(([initial, nodes]) => ({ initial, nodes: [...nodes.values()] }));
}

/** Whether a row stands for a whole parameter, not for a part of one: it is at the top or in a collection. */
function isShareable({ path }: Row): boolean {
	return path.length === 1 || (path.length === 2 && path[0] === 'Options');
}

function identityOf(row: Pick<Row, 'path' | 'description' | 'values'>): string {
	return JSON.stringify([labelOf(row), row.description, row.values]);
}

function labelOf({ path }: Pick<Row, 'path'>): string {
	return path[path.length - 1];
}

/** The anchor that GitHub gives to a title; repeated titles are numbered. */
function anchorOf(label: string, used: Map<string, number>): string {
	const anchor = label
		.toLowerCase()
		.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
		.replaceAll(/\s/g, '-');
	const count = used.get(anchor) ?? 0;
	used.set(anchor, count + 1);
	return count === 0 ? anchor : `${anchor}-${count}`;
}
