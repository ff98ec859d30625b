import type { INodeExecutionData } from 'n8n-workflow';
import type { JournalEntry } from '../../../emulator/journal';
import { catalogue } from '../../../nodes/Utilities/catalogue';
import type { Utility } from '../../../nodes/Utilities/catalogue/utility';
import { toItems } from '../../../nodes/Utilities/items';
import { isField } from '../../../nodes/Utilities/parameter';
import { openEnvelope } from '../../../nodes/Utilities/readUtility';
import { asRecord, toText } from '../../../nodes/shared/plain/values';
import { fileBytes } from '../engine/runWorkflow';
import { useNode } from '../engine/useNode';
import { presetOf } from '../../../tools/docs/utilities';
import { emulatedPaths, filledIn } from './utilityValues';

const gateway = useNode('utilities');

const rows = catalogue.flatMap((utility) =>
	(utility.encodings.length > 0 ? utility.encodings : ['none']).map((encoding) => ({
		operation: utility.value,
		encoding,
		utility,
	})),
);

const requested = new Set<string>();

describe('Operation', () => {
	it.each(rows)('$operation outputs the response with encoding $encoding', async (row) => {
		const { operation, encoding, utility } = row;
		const parameters = { operation, ...(encoding === 'none' ? {} : { encoding }), ...filledIn[operation] };
		const { items, error, hints } = await gateway.run(parameters);

		expect(error).toBeUndefined();
		const chosen = utility.parameters.filter((one) => one.upfront === 'telling' && one.default === '');
		expect(hints).toEqual(
			chosen.map(({ displayName }) => `${displayName} is empty, so the gateway chose it`),
		);
		const [sent] = gateway.emulator.journal.entries();
		const { path, query } = requestOf(utility);
		expect(sent.path).toBe(path);
		expect(sent.query).toEqual({ ...query, ...(encoding === 'none' ? {} : { encoding }) });
		requested.add(utility.path);

		expect(items.length).toBeGreaterThan(0);
		for (const item of items) {
			expect(item.json.error).toBeUndefined();
			expect(item.pairedItem).toEqual({ item: 0 });
		}
		const [{ json, binary }] = items;
		const response = await directly(sent);
		switch (encoding) {
			case 'json':
				expect(binary).toBeUndefined();
				expectSimplified(utility, items, await response.json());
				expectDescribed(utility, items);
				return;
			case 'none':
				if (utility.output) expectSimplified(utility, items, await response.json());
				else expect(json).toEqual({ text: await response.text() });
				expectDescribed(utility, items);
				return;
			case 'image':
			case 'image-proxy': {
				const type = response.headers.get('content-type')!;
				const { mimeType, fileName } = binary!.data;
				expect(mimeType).toBe(type);
				expect(fileName).toMatch(new RegExp(`\\.${type.replace('image/', '')}$`));
				const bytes = await fileBytes(binary!.data);
				expect(bytes.equals(Buffer.from(await response.arrayBuffer()))).toBe(true);
				expect(bytes).toHaveLength(json.bytes as number);
				return;
			}
			default:
				expect(items).toHaveLength(1);
				expect(json).toEqual({ text: expect.stringMatching(/\S/) });
				if (encoding === 'markdown') expect(json.text).toMatch(/^# \S/);
				if (encoding === 'html') expect(json.text).toMatch(/^<!DOCTYPE html>/);
		}
	});
});

describe('Without Simplify', () => {
	it.each(catalogue.filter(({ output }) => output))('$value is the whole response', async ({ value }) => {
		const json = { encoding: 'json', ...filledIn[value], simplify: false, splitOutLists: true };
		const { items } = await gateway.run({ operation: value, ...json });
		const response = await directly(gateway.emulator.journal.entries()[0]);
		expect(items.map((item) => item.json)).toEqual([await response.json()]);
	});
});

describe('Catalogue', () => {
	it('has exactly the paths of the emulator, and all of them were requested', () => {
		expect(catalogue.map(({ path }) => path).sort()).toEqual([...emulatedPaths].sort());
		expect([...requested].sort()).toEqual([...emulatedPaths].sort());
	});
});

/** The request that a node with the required values sends. */
function requestOf({ value: operation, path, parameters }: Utility) {
	const fields = parameters
		.filter(isField)
		.map((parameter) => [parameter.name, plain(filledIn[operation][parameter.name]) || presetOf(parameter)])
		.filter(([, text]) => text !== '');
	const isInPath = ([key]: string[]) => path.includes(`{${key}}`);
	return {
		path: fields.filter(isInPath).reduce((filled, [key, text]) => filled.replace(`{${key}}`, text), path),
		query: Object.fromEntries(fields.filter((field) => !isInPath(field))) as Record<string, string>,
	};
}

/** A value of the editor as the query contains it. */
function plain(value: unknown): string {
	return toText(asRecord(value)?.value ?? value);
}

/** The response of the gateway to the same request without the node. */
async function directly({ path, query }: JournalEntry): Promise<Response> {
	const parameters = new URLSearchParams(query as Record<string, string>).toString();
	return await fetch(`${gateway.emulator.url}${path}?${parameters}`, {
		headers: { authorization: `Bearer ${gateway.emulator.apiKey}` },
	});
}

/** Items are the simplified response or the entries of its list; see unit/Utilities for what they are like. */
function expectSimplified({ many, output = {} }: Utility, items: INodeExecutionData[], body: unknown): void {
	const shape = { simplify: true, splitOutLists: many, wantedList: '', output };
	expect(items.map((item) => item.json)).toEqual(toItems(openEnvelope(body), shape));
	const addresses = Object.values(items[0].json).map(isAddress);
	expect(addresses).toEqual([...addresses].sort());
}

/** What the user asks for decides the language, which the description then does not promise. */
const IN_ANY_LANGUAGE = ['lyrics', 'pageMetadata', 'qrCode', 'translate', 'whois'];

/** The description says whether the fields are in Chinese, and the action whether they are many. */
function expectDescribed({ value, description, action, output }: Utility, items: INodeExecutionData[]): void {
	const isChinese = /\p{Script=Han}/u.test(JSON.stringify(items.map(({ json }) => json)));
	const isFree = IN_ANY_LANGUAGE.includes(value);
	expect([description, / in Chinese\b/.test(description)]).toEqual([description, !isFree && isChinese]);
	if (output) expect([action, items.length > 1]).toEqual([action, /^get many /.test(action)]);
}

const isAddress = (value: unknown) => typeof value === 'string' && /^https?:/.test(value);
