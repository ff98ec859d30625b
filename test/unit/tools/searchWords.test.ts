import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { catalogue } from '../../../nodes/Utilities/catalogue/index';
import { Utilities } from '../../../nodes/Utilities/Utilities.node.ts';

const nodes = path.join(__dirname, '../../../nodes');

/** The search words of each node, by its type without the name of the package. */
const searchWords = new Map(
	readdirSync(nodes, { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.node.json'))
		.map(
			(file) => JSON.parse(readFileSync(path.join(nodes, file), 'utf8')) as { node: string; alias: string[] },
		)
		.map(({ node, alias }) => [node.slice(node.indexOf('.') + 1), alias]),
);
const utilityWords = new Utilities().description.codex?.alias ?? [];
searchWords.set('utilities', utilityWords);

/** The nodes of which a condition on their search words does not hold. */
const without = (holds: (words: string[]) => boolean) =>
	[...searchWords].filter(([, words]) => !holds(words)).map(([node]) => node);

const isChinese = (text: string) => /\p{Script=Han}/u.test(text);

describe('Search words', () => {
	it('exist in English and Chinese for every node', () => {
		expect(searchWords.size).toBe(12);
		expect(without((words) => words.some(isChinese))).toEqual([]);
		expect(without((words) => words.some((word) => !isChinese(word)))).toEqual([]);
	});

	it('find every node by "gateway" and "网关", although no name of a node contains them', () => {
		expect(without((words) => words.includes('gateway') && words.includes('网关'))).toEqual([]);
	});

	it('of Utilities contain the name of each endpoint, and what else people call it', () => {
		const words = catalogue.flatMap(({ name, searchWords: others }) => [name, ...others]);
		expect(catalogue.filter((entry) => entry.searchWords.length === 0)).toEqual([]);
		expect(words.filter((word) => !utilityWords.includes(word))).toEqual([]);
	});
});
