import path from 'node:path';
import { NodeConnectionTypes, type INodeTypeDescription } from 'n8n-workflow';

import { catalogue } from '../../nodes/Utilities/catalogue';
import { NODE_WORDS } from './nodeWords';
import { project, type NodePage } from './pages';
import { operationNames } from './parameterTables';
import { withSection } from './section';
import { tableOf } from './table';

/** The generated parts of the READMEs: the tables of the nodes, and the number of utility endpoints. */

export interface Readme {
	/** Absolute. */
	file: string;
	language: 'english' | 'chinese';
	headings: { nodes: string; subNodes: string };
	/** The first cells of the tables. */
	titles: { nodes: string[]; subNodes: string[] };
	/** The operations of the utilities node. */
	utilities: (endpoints: number) => string;
	separator: string;
	/** The path from the README to the pages of the nodes. */
	pages: string;
}

export const readmes: Readme[] = [
	{
		file: path.join(project, 'README.md'),
		language: 'english',
		headings: { nodes: 'Nodes', subNodes: 'Sub-nodes' },
		titles: {
			nodes: ['Node', 'Operations', 'In short', 'Page'],
			subNodes: ["Sub-node for n8n's AI nodes", 'In short', 'Page'],
		},
		utilities: (endpoints) => `${endpoints} endpoints, Custom Endpoint`,
		separator: ', ',
		pages: 'docs/nodes',
	},
	{
		file: path.join(project, 'docs', 'zh-CN', 'README.md'),
		language: 'chinese',
		headings: { nodes: '节点', subNodes: '子节点' },
		titles: {
			nodes: ['节点', '操作', '功能', '文档'],
			subNodes: ['n8n AI 节点的子节点', '功能', '文档'],
		},
		utilities: (endpoints) => `${endpoints} 个接口，以及 Custom Endpoint`,
		separator: '、',
		pages: '../nodes',
	},
];

/** Where a README says how many utility endpoints there are. */
const COUNT = /(<!-- endpoints -->)[^<]*(<!-- end of endpoints -->)/g;

/**
 * A README with up-to-date tables and counts; everything else is kept.
 *
 * @throws Error when one of the marks around a table is missing, or a node has no words in `nodeWords.ts`
 */
export function withNodes(text: string, readme: Readme, pages: NodePage[]): string {
	const order = Object.keys(NODE_WORDS);
	const sorted = pages.toSorted((one, other) => order.indexOf(one.nodeType) - order.indexOf(other.nodeType));
	const nodes = sorted.filter(({ node }) => !isSubNode(node));
	const subNodes = sorted.filter(({ node }) => isSubNode(node));
	const counted = text.replaceAll(COUNT, `$1${catalogue.length}$2`);
	const withTable = withSection(counted, {
		name: 'nodes',
		heading: readme.headings.nodes,
		content: tableOf(
			readme.titles.nodes,
			nodes.map((page) => [
				titleOf(page),
				operationsOf(page, readme),
				wordsOf(page, readme),
				linkTo(page, readme),
			]),
		),
	});
	return withSection(withTable, {
		name: 'sub-nodes',
		heading: readme.headings.subNodes,
		content: tableOf(
			readme.titles.subNodes,
			subNodes.map((page) => [titleOf(page), wordsOf(page, readme), linkTo(page, readme)]),
		),
	});
}

function isSubNode({ outputs }: INodeTypeDescription): boolean {
	return Array.isArray(outputs) && !outputs.some((output) => output === NodeConnectionTypes.Main);
}

function titleOf({ title }: NodePage): string {
	return `**${title}**`;
}

function operationsOf({ nodeType, properties }: NodePage, { utilities, separator }: Readme): string {
	if (nodeType === 'utilities') return utilities(catalogue.length);
	return operationNames(properties).join(separator) || '—';
}

function wordsOf({ nodeType, title }: NodePage, { language }: Readme): string {
	if (!(nodeType in NODE_WORDS)) throw new Error(`tools/docs/nodeWords.ts has no entry for ${title}.`);
	return NODE_WORDS[nodeType][language];
}

function linkTo({ file }: NodePage, { pages }: Readme): string {
	const page = path.basename(file, '.md');
	return `[${page}](${pages}/${page}.md)`;
}
