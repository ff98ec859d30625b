import { startEmulator, type Emulator } from '../../../emulator';
import type { JournalEntry } from '../../../emulator/journal';
import { catalogue } from '../../../nodes/Utilities/catalogue';
import { endpoints } from '../emulator/utilities/endpoints';
import { fileBytes, oneNode, runWorkflow } from '../engine/runWorkflow';
import { filledIn } from './utilityValues';

let emulator: Emulator;
beforeAll(async () => {
	emulator = await startEmulator();
});
afterAll(async () => await emulator.close());
beforeEach(() => emulator.journal.clear());

/** What these send without being told; required parameters come from above. */
const presets: Record<string, Record<string, string>> = {
	exchangeRates: { currency: 'CNY' },
	healthReport: { gender: 'female' },
	translate: { from: 'auto', to: 'auto' },
};

const rows = catalogue.flatMap(({ group, value, path, encodings }) =>
	(encodings.length > 0 ? encodings : ['none']).map((encoding) => ({
		operation: value,
		resource: group,
		path,
		encoding,
	})),
);

const asked = new Set<string>();

test.each(rows)('$path as $encoding ($operation)', async ({ resource, operation, path, encoding }) => {
	const parameters = {
		resource,
		operation,
		...(encoding === 'none' ? {} : { encoding }),
		...filledIn[operation],
	};
	const { items, error, hints } = await runWorkflow(oneNode('utilities', parameters), {
		credential: { baseUrl: emulator.url, apiKey: emulator.apiKey, requestsPerMinute: 60_000 },
	});

	expect(error).toBeUndefined();
	expect(hints).toEqual([]);
	const [sent] = emulator.journal.entries();
	const { id, ...query } = plain(filledIn[operation]);
	expect(sent.path).toBe(path.replace('{id}', id).replace('{type}', 'top'));
	expect(sent.query).toEqual({
		...query,
		...presets[operation],
		...(encoding === 'none' ? {} : { encoding }),
	});
	asked.add(path);

	expect(items.length).toBeGreaterThan(0);
	for (const item of items) {
		expect(item.json.error).toBeUndefined();
		expect(item.pairedItem).toEqual({ item: 0 });
	}
	const [{ json, binary }] = items;
	switch (encoding) {
		case 'json':
			expect(binary).toBeUndefined();
			expect(items.map((item) => item.json)).toEqual(await directly(operation, sent));
			return;
		case 'none':
			if (operation === 'worldNewsRss')
				expect(items).toEqual([expect.objectContaining({ json: { text: expect.stringContaining('<rss') } })]);
			else expect(items.map((item) => item.json)).toEqual(await directly(operation, sent));
			return;
		case 'image':
		case 'image-proxy': {
			const type = operation === 'qrCode' ? 'gif' : 'png';
			const { mimeType, fileName } = binary!.data;
			expect([mimeType, fileName]).toEqual([`image/${type}`, expect.stringMatching(`\\.${type}$`)]);
			expect((await fileBytes(binary!.data)).length).toBe(json.bytes);
			return;
		}
		default:
			expect(items).toHaveLength(1);
			expect(json).toEqual({ text: expect.stringMatching(/\S/) });
			if (encoding === 'markdown') expect(json.text).toMatch(/^# \S/);
			if (encoding === 'html') expect(json.text).toMatch(/^<!DOCTYPE html>/);
	}
});

/** What the gateway says without the node in between: its data, or the entries of its list. */
async function directly(operation: string, { path, query }: JournalEntry): Promise<unknown[]> {
	const parameters = new URLSearchParams(query as Record<string, string>).toString();
	const response = await fetch(`${emulator.url}${path}?${parameters}`, {
		headers: { authorization: `Bearer ${emulator.apiKey}` },
	});
	const { data } = (await response.json()) as { data: Record<string, unknown[]> | unknown[] };
	const { many, list } = catalogue.find(({ value }) => value === operation)!;
	if (!many) return [data];
	return Array.isArray(data) ? data : data[list!];
}

/** As the query shows it. */
function plain(values: Record<string, unknown> = {}): Record<string, string> {
	const value = (entry: unknown) => (entry as { value?: string }).value ?? (entry as string | number);
	return Object.fromEntries(Object.entries(values).map(([key, entry]) => [key, String(value(entry))]));
}

test('these are all 58 paths', () => {
	const known = endpoints.map(({ path }) => `/v2/apis${path.replace(/\/(new|top|best)$/, '/{type}')}`);
	expect(asked.size).toBe(58);
	expect([...asked].map(pattern).sort()).toEqual([...new Set(known.map(pattern))].sort());
});

/** A path whose variable part is written alike, whoever names it. */
function pattern(path: string): string {
	return path.replace(/(music-rank)\/(?!list$).*/, '$1/*').replace(/(tech-news)\/.*/, '$1/*');
}
