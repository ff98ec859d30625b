import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { ICredentialType, INodeProperties, INodeType } from 'n8n-workflow';

import { commonParameters, commonTable, type CommonParameter } from './commonParameters';
import { isAsked, rowsOf } from './parameterRows';
import { type OtherPage, parameterTables } from './parameterTables';
import { emptySection, withSection } from './section';

export const project = path.join(__dirname, '../..');

/** The page whose tables are generated from the catalogue of utilities instead of the node's description. */
const OTHER_TABLES = 'utilities.md';

/** A page of the documentation that ends with tables of parameters. */
export interface Page {
	/** The absolute path. */
	file: string;
	/** The displayed name of the node or credential. */
	title: string;
	description: string;
	properties: INodeProperties[];
	/** Parameters that the page links to instead of describing them. */
	common?: CommonParameter[];
	/** Pages that describe some of its parameters. This page only names those. */
	others?: OtherPage[];
}

/** The page of a node. */
export interface NodePage extends Page {
	/** The name of the node's type, without that of the package. */
	nodeType: string;
	/** The expression for the text below the node on the canvas. */
	subtitle: string;
}

/** Returns the absolute paths of all pages in `docs`. */
export function docsPages(): string[] {
	const folder = path.join(project, 'docs');
	return readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.md'))
		.map((file) => path.join(folder, file));
}

/** Returns the pages of all nodes and credentials that package.json offers to n8n. */
export async function pages(): Promise<Page[]> {
	const nodes = await nodePages();
	const credentials = await Promise.all(readManifest().n8n.credentials.map(credentialPage));
	const common = commonParameters(nodes);
	const others = nodes.map(otherPage);
	return [
		...nodes.map((page, index) => ({ ...page, common, others: others.slice(0, index) })),
		...credentials,
	];
}

function otherPage({ file, title, properties }: Page): OtherPage {
	const rows = properties.filter(isAsked).flatMap((property) => rowsOf(property, properties));
	return { title, name: path.basename(file), rows };
}

/** Returns the pages of the nodes that package.json offers to n8n. */
export async function nodePages(): Promise<NodePage[]> {
	return await Promise.all(readManifest().n8n.nodes.map(nodePage));
}

function readManifest(): { n8n: { nodes: string[]; credentials: string[] } } {
	return JSON.parse(readFileSync(path.join(project, 'package.json'), 'utf8')) as ReturnType<
		typeof readManifest
	>;
}

async function nodePage(built: string): Promise<NodePage> {
	const { description } = await instanceOf<INodeType>(built);
	const className = path.basename(built).split('.')[0];
	return {
		file: path.join(project, 'docs', 'nodes', `${kebabCase(className)}.md`),
		nodeType: description.name,
		subtitle: description.subtitle ?? '',
		title: description.displayName,
		description: description.description,
		properties: description.properties,
	};
}

async function credentialPage(built: string): Promise<Page> {
	const { displayName, properties } = await instanceOf<ICredentialType>(built);
	return {
		file: path.join(project, 'docs', 'credential.md'),
		title: displayName,
		description: 'Address and key of your gateway',
		properties,
	};
}

/** Creates an instance of a built class from its source: `dist/nodes/Chat/Chat.node.js` contains the class `Chat`. */
async function instanceOf<T>(built: string): Promise<T> {
	const source = path.join(project, built.replace(/^dist\//, '').replace(/\.js$/, '.ts'));
	const className = path.basename(built).split('.')[0];
	const exported = (await import(source)) as Record<string, new () => T>;
	return new exported[className]();
}

/** Converts a name such as `VoiceModel` to `voice-model`. */
function kebabCase(name: string): string {
	return name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();
}

/**
 * Returns a page with up-to-date tables of its parameters, and everything else unchanged.
 *
 * @param text the current page; undefined if there is none yet
 * @throws Error when one of the two marks around the tables is missing or they are in the wrong order
 */
export function withTables(page: Page, text?: string): string {
	const { file, title, description, properties, common, others } = page;
	if (text !== undefined && path.basename(file) === OTHER_TABLES) return text;
	const content = [pictureOf(page), parameterTables(properties, common, others)].filter(Boolean).join('\n\n');
	const blank = `# ${title}\n\n${description}.\n\n## All parameters\n\n${emptySection('parameters')}\n`;
	return withSection(text ?? blank, 'parameters', content);
}

/** The page of the parameters that several nodes have in common. @throws Error when one of the marks is missing */
export function withCommonParameters(nodes: NodePage[], text: string): string {
	return withSection(text, 'common', commonTable(commonParameters(nodes)));
}

/** Returns the picture of a node's panel in Markdown; empty if there is none (`npm run screenshots`). */
function pictureOf({ file, title }: Page): string {
	const name = `images/panels/${path.basename(file, '.md')}.png`;
	return existsSync(path.join(project, 'docs', name)) ? `![${title} in the editor](../${name})` : '';
}
