import { sublimeSearch } from '@n8n/utils/search/sublime-search';
import type { INodePropertyOptions } from 'n8n-workflow';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { n8n } from '../../../package.json';
import { nodeTypes } from '../../integration/engine/nodeTypes';
import { operationIntents, searchIntents } from '../../../tools/host/searchIntents';
import { catalogue } from '../../../nodes/Utilities/catalogue/index';
import { Utilities } from '../../../nodes/Utilities/Utilities.node.ts';

interface Codex {
	node: string;
	alias?: string[];
}

/** The nodes of the package as n8n's editor searches them. */
const listed = n8n.nodes.map((file) => {
	const source = file.replace(/^dist/, path.join(__dirname, '../../..')).replace(/\.js$/, '.json');
	const codex = JSON.parse(readFileSync(source, 'utf8')) as Codex;
	const { description } = nodeTypes[codex.node];
	return {
		name: codex.node.split('.')[1],
		properties: { displayName: description.displayName, codex: description.codex ?? codex },
	};
});

/** The nodes without a search word of some kind. */
const without = (isWanted: (word: string) => boolean) =>
	listed.filter(({ properties: { codex } }) => !codex.alias?.some(isWanted)).map(({ name }) => name);

describe('Search words', () => {
	it('exist in English and Chinese for every node, among them "gateway" and "网关"', () => {
		expect(listed).toHaveLength(12);
		expect(without((word) => /\p{Script=Han}/u.test(word))).toEqual([]);
		expect(without((word) => !/\p{Script=Han}/u.test(word))).toEqual([]);
		expect(without((word) => word === 'gateway')).toEqual([]);
		expect(without((word) => word === '网关')).toEqual([]);
	});

	it('of Utilities contain the name of each endpoint, and what else people call it', () => {
		const { alias = [] } = new Utilities().description.codex!;
		const words = catalogue.flatMap(({ name, searchWords: others }) => [name, ...others]);
		expect(catalogue.filter((entry) => entry.searchWords.length === 0)).toEqual([]);
		expect(words.filter((word) => !alias.includes(word))).toEqual([]);
	});
});

describe('The node search of n8n', () => {
	it.each(searchIntents)('finds $node by "$words"', ({ words, node }) => {
		const found = sublimeSearch(words, listed).map(({ item }) => item.name);
		expect(found).toContain(node);
	});
});

describe('The operations of Utilities', () => {
	const { properties } = new Utilities().description;
	const { options } = properties.find(({ name }) => name === 'operation')!;

	it.each(Object.entries(operationIntents))('are found by "%s": %s', (words, operation) => {
		const { name, action = '' } = (options as INodePropertyOptions[]).find(
			({ value }) => value === operation,
		)!;
		// The list of operations in the panel is searched by names, the list of actions by actions.
		expect(name.toLowerCase()).toContain(words);
		const actions = (options as INodePropertyOptions[]).map((one) => ({
			name: one.value,
			properties: { displayName: one.action ?? '' },
		}));
		expect(action.toLowerCase()).toContain(words);
		expect(sublimeSearch(words, actions).map(({ item }) => item.name)).toContain(operation);
	});

	it('say in their actions that what comes is in Chinese', () => {
		const unlike = (options as INodePropertyOptions[]).filter(
			({ action = '', description = '' }) =>
				description.includes('in Chinese') !== action.includes('in Chinese'),
		);
		expect(unlike.map(({ value }) => value)).toEqual([]);
	});
});
