import type { INodeType } from 'n8n-workflow';
import { Chat } from '../../../nodes/Chat/Chat.node';
import { Image } from '../../../nodes/Image/Image.node';
import { type FakeAnswer, FakeContext } from '../shared/fakeContext';

/** A function of ours in a stack trace. */
const OWN = /^\s+at (?:async )?(.*?)\(?\/.*\/nodes\/(.*\.ts):\d+/;

/** Runs one item, and returns the functions of ours between n8n and its request helper, for each request. */
async function roads(
	node: INodeType,
	parameters: Record<string, unknown>,
	respond: (url: string) => FakeAnswer,
): Promise<string[][]> {
	const found: string[][] = [];
	const context = new FakeContext({
		parameters,
		continueOnFail: true,
		respond: ({ url }) => {
			const lines = (new Error().stack ?? '').split('\n');
			found.push(
				lines.map((line) => OWN.exec(line)).flatMap((match) => (match ? `${match[1]}${match[2]}` : [])),
			);
			return respond(url);
		},
	});
	const unconnected = { getParentNodes: () => [], getInputConnectionData: async () => [] };
	await node.execute!.call(Object.assign(context.execute, unconnected));
	return found;
}

const model = { __rl: true, value: 'model' };
const chat = { resource: 'chat', operation: 'chatCompletion', model, prompt: 'Hi', messages: {} };
const image = {
	...{ resource: 'image', operation: 'generate', model, prompt: 'A cat', size: '1024x1024' },
	...{ downloadImages: true, simplify: true, binaryPropertyName: 'data' },
};
const link = { data: [{ url: 'https://files.example/cat.png' }] };
const before = Error.stackTraceLimit;

describe('The road of a request, from n8n to its request helper,', () => {
	beforeAll(() => (Error.stackTraceLimit = 200));
	afterAll(() => (Error.stackTraceLimit = before));

	/** How many functions of ours a request may pass; the second request for an image is its download. */
	it.each([
		[14, 'Chat', 1, new Chat(), chat, { choices: [] }],
		[16, 'Image', 2, new Image(), image, link],
	])('is at most %i of our functions long: %s', async (most, name, requests, node, parameters, body) => {
		const options = { maxRetries: 0 };
		const found = await roads(node, { ...parameters, options }, (url) =>
			url.startsWith('https://files.example') ? { status: 403 } : { body },
		);
		expect(found).toHaveLength(requests);
		for (const road of found) {
			expect(road.at(-1)).toContain(`${name}.node.ts`);
			expect(road.slice(most)).toEqual([]);
		}
	});
});
