import path from 'node:path';

import { catalogue } from '../../nodes/Utilities/catalogue';
import { NODE_WORDS } from './nodeWords';
import { type NodePage } from './pages';
import { operationNames } from './parameterTables';
import { withSection } from './section';
import { tableOf } from './table';

/** A README with generated parts: the table of the nodes, and the number of utility endpoints. */

export interface Readme {
	/** The path relative to the project. */
	file: string;
	language: 'english' | 'chinese';
	/** The titles of the table's columns. */
	titles: string[];
	/** The operations of the utilities node. */
	utilities: (endpoints: number) => string;
	/** The text that a sub-node has in place of operations. */
	subNode: string;
	separator: string;
	/** The path from the README to the pages of the nodes. */
	pages: string;
}

export const readmes: Readme[] = [
	{
		file: 'README.md',
		language: 'english',
		titles: ['Node', 'Operations', 'In short', 'Page'],
		utilities: (endpoints) => `${endpoints} endpoints, Custom Endpoint`,
		subNode: "_Sub-node for n8n's AI nodes_",
		separator: ', ',
		pages: 'docs/nodes',
	},
	{
		file: 'docs/zh-CN/README.md',
		language: 'chinese',
		titles: ['节点', '操作', '功能', '文档'],
		utilities: (endpoints) => `${endpoints} 个接口，以及 Custom Endpoint`,
		subNode: 'n8n AI 节点的子节点',
		separator: '、',
		pages: '../nodes',
	},
];

/** A place where a README states the number of utility endpoints. */
const COUNT = /(<!-- endpoints -->)[^<]*(<!-- end of endpoints -->)/g;

/**
 * Returns a README with an up-to-date table and counts, and everything else unchanged.
 *
 * @throws Error when one of the marks around the table is missing, or a node has no words in `nodeWords.ts`
 */
export function withNodes(text: string, readme: Readme, pages: NodePage[]): string {
	const order = Object.keys(NODE_WORDS);
	const rows = pages
		.toSorted((one, other) => order.indexOf(one.nodeType) - order.indexOf(other.nodeType))
		.map((page) => [
			`**${page.title}**`,
			operationsOf(page, readme),
			wordsOf(page, readme),
			linkTo(page, readme),
		]);
	const counted = text.replaceAll(COUNT, `$1${catalogue.length}$2`);
	return withSection(counted, 'nodes', tableOf(readme.titles, rows));
}

function operationsOf({ nodeType, properties }: NodePage, readme: Readme): string {
	if (nodeType === 'utilities') return readme.utilities(catalogue.length);
	return operationNames(properties).join(readme.separator) || readme.subNode;
}

function wordsOf({ nodeType, title }: NodePage, { language }: Readme): string {
	if (!(nodeType in NODE_WORDS)) throw new Error(`tools/docs/nodeWords.ts has no entry for ${title}.`);
	return NODE_WORDS[nodeType][language];
}

function linkTo({ file }: NodePage, { pages }: Readme): string {
	const page = path.basename(file, '.md');
	return `[${page}](${pages}/${page}.md)`;
}
