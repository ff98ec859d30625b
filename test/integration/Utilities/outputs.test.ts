import type { IDataObject } from 'n8n-workflow';
import { catalogue } from '../../../nodes/Utilities/catalogue';
import { asRecord, toText } from '../../../nodes/shared/plain/values';
import { oneNode, runWorkflow } from '../engine/runWorkflow';
import { useEmulator } from '../engine/useEmulator';
import { filledIn } from './utilityValues';

const gateway = useEmulator(3.2e7);

/** The endpoints whose JSON has `text` beside the gateway's own name for it. */
const ONE_LINERS = [
	'bookOfAnswers',
	'dadJoke',
	'fastFoodCopy',
	'fortune',
	'joke',
	'lovesickRant',
	'quote',
	'translate',
];
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/**
 * What the editor's table has room for at 1,600 pixels. A cell shows about 20 letters before it breaks the line; a longer
 * word makes it wider, up to 42 letters.
 */
const TABLE_WIDTH = 1600;
const LETTER_WIDTH = 7;
const CELL_PADDING = 13;
const LETTERS_OF_CELL = 20;
const LETTERS_OF_WORD = 42;
/** A digest is one long word, which a cell does not break. */
const WIDE = ['hash'];

const utilities = catalogue.filter(({ output }) => output);

async function run(operation: string, parameters: object): Promise<IDataObject[]> {
	const json = oneNode('utilities', { operation, encoding: 'json', ...filledIn[operation], ...parameters });
	const { items, error } = await runWorkflow(json, {
		credential: gateway.credential(),
	});
	expect(error).toBeUndefined();
	return items.map((item) => item.json);
}

/** The gateway's own response to the last request of the node. */
async function sentByGateway(): Promise<IDataObject> {
	const { path, query } = gateway.emulator.journal.entries().at(-1)!;
	const parameters = new URLSearchParams(query as Record<string, string>).toString();
	const response = await fetch(`${gateway.emulator.url}${path}?${parameters}`, {
		headers: { authorization: `Bearer ${gateway.emulator.apiKey}` },
	});
	return (await response.json()) as IDataObject;
}

const isNested = (value: unknown) => typeof value === 'object' && value !== null;
const isAddress = (value: unknown) => typeof value === 'string' && /^https?:/.test(value);
/** Chinese characters are as wide as two letters. */
const lettersOf = (value: unknown) =>
	[...String(value)].reduce((sum, one) => sum + (one > '\u2e7f' ? 2 : 1), 0);

const longestWordOf = (value: unknown) =>
	Math.max(
		...String(value)
			.split(/[\s-]|[^ -~]/)
			.map(({ length }) => length),
	);

function widthOf(items: IDataObject[]): number {
	return Object.keys(items[0])
		.map((name) => {
			const values = items.map((item) =>
				Math.max(
					Math.min(lettersOf(item[name]), LETTERS_OF_CELL),
					Math.min(longestWordOf(item[name]), LETTERS_OF_WORD),
				),
			);
			return Math.max(name.length, ...values) * LETTER_WIDTH + CELL_PADDING;
		})
		.reduce((sum, width) => sum + width, 0);
}

function expectTable(items: IDataObject[]): void {
	for (const item of items) {
		const entries = Object.entries(item);
		expect(entries.length).toBeGreaterThan(0);
		expect(entries.length).toBeLessThanOrEqual(10);
		for (const [name, value] of entries) {
			if (name.endsWith('_at')) expect(value).toMatch(ISO_TIME);
			else expect(toText(value)).not.toMatch(/^\d{13}$/);
		}
	}
}

describe('Simplified output', () => {
	it.each(utilities)('of $value is a narrow table that ends with addresses', async ({ value }) => {
		const items = await run(value, {});
		expect(items.length).toBeGreaterThan(0);
		expectTable(items);
		const [first] = items;
		expect(Object.values(first).some(isNested)).toBe(false);
		expect(widthOf(items) > TABLE_WIDTH).toBe(WIDE.includes(value));
		const addresses = Object.values(first).map(isAddress);
		expect(addresses).toEqual([...addresses].sort());
		expect(Object.hasOwn(first, 'text')).toBe(ONE_LINERS.includes(value) || value === 'qrCode');
		if (ONE_LINERS.includes(value)) expect(first.text).toMatch(/\S/);
	});

	it.each(utilities)('of $value has a list exactly where the switch is', async ({ value, output = {} }) => {
		const whole = await run(value, { splitOutLists: false });
		expect(whole).toHaveLength(1);
		expectTable(whole);
		const { data } = await sentByGateway();
		const lists = Object.keys(output.lists ?? {});
		const fields = Array.isArray(data) ? { data } : asRecord(data)!;
		const found = Object.keys(fields).filter(
			(name) => Array.isArray(fields[name]) && (fields[name].some(isNested) || lists.includes(name)),
		);
		expect(found.sort()).toEqual(lists.sort());
		for (const name of lists.filter((list) => list in fields)) {
			const options = { listToSplitOut: lists.length > 1 ? name : '' };
			const entries = await run(value, { splitOutLists: true, options });
			expect(entries).toHaveLength((fields[name] as unknown[]).length);
			expectTable(entries);
			expect(entries.flatMap((item) => Object.values(item)).some(isNested)).toBe(false);
		}
	});

	it.each(utilities)('of $value can be turned off for the whole response', async ({ value }) => {
		const items = await run(value, { simplify: false, splitOutLists: true });
		expect(items).toEqual([await sentByGateway()]);
	});
});
