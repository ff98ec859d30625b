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
const before = Error.stackTraceLimit;

/** How many functions of ours a request may pass. */
const MOST = { chat: 14, image: 16 };

describe('The road of a request, from n8n to its request helper,', () => {
	beforeAll(() => (Error.stackTraceLimit = 200));
	afterAll(() => (Error.stackTraceLimit = before));

	it(`is at most ${MOST.chat} of our functions long for a chat item`, async () => {
		const parameters = {
			resource: 'chat',
			operation: 'chatCompletion',
			model,
			prompt: 'Hi',
			messages: {},
			options: {},
		};
		const answer = { body: { choices: [{ message: { content: 'Hello' } }] } };
		const [road] = await roads(new Chat(), parameters, () => answer);
		console.log(`A chat item passes ${road.length} of our functions:\n${road.join('\n')}`);
		expect(road.at(-1)).toContain('Chat.node.ts');
		expect(road.length).toBeLessThanOrEqual(MOST.chat);
	});

	it(`is at most ${MOST.image} of our functions long for an image and for its download`, async () => {
		const parameters = {
			resource: 'image',
			operation: 'generate',
			model,
			prompt: 'A cat',
			size: '1024x1024',
			downloadImages: true,
			simplify: true,
			binaryPropertyName: 'data',
			options: { maxRetries: 0 },
		};
		const found = await roads(new Image(), parameters, (url) =>
			url.startsWith('https://files.example')
				? { status: 403 }
				: { body: { data: [{ url: 'https://files.example/cat.png' }] } },
		);
		expect(found).toHaveLength(2);
		for (const road of found) {
			console.log(`An image passes ${road.length} of our functions:\n${road.join('\n')}`);
			expect(road.at(-1)).toContain('Image.node.ts');
			expect(road.length).toBeLessThanOrEqual(MOST.image);
		}
	});
});
