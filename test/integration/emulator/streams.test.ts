import { chatBody, eventObjects, useGateway } from './gateway';

const gateway = useGateway();
const chatPath = '/v1/chat/completions';
const streamed = (text: string, more: object = {}) => chatBody(text, { stream: true, ...more });

interface Chunk {
	choices: Array<{ delta: { content?: string | null } }>;
}
const chunksOf = (text: string) => eventObjects(text) as unknown as Chunk[];
const textOf = (chunks: Chunk[]) => chunks.flatMap(({ choices }) => choices[0]?.delta.content ?? '').join('');

describe('Stream rule', () => {
	const shape = (value: object) => gateway.emulator.behaviour.set(`POST ${chatPath}`, { stream: value });

	async function chunksFrom(text: string): Promise<Buffer[]> {
		const answer = await gateway.post(chatPath, streamed(text, { max_tokens: 20 }), {
			responseType: 'stream',
		});
		const received: Buffer[] = [];
		for await (const chunk of answer.data) received.push(chunk);
		return received;
	}

	it('splits characters across chunks', async () => {
		shape({ splitCharacters: true });
		const received = await chunksFrom('天空为什么是蓝色的？');
		const separately = received.map((chunk) => chunk.toString('utf8')).join('');
		expect(separately).toContain('\ufffd');
		const together = textOf(chunksOf(Buffer.concat(received).toString('utf8')));
		expect(together).toMatch(/^\p{Script=Han}{2}/u);
		expect(together).not.toContain('\ufffd');
	});
});

describe('Streams of other endpoints', () => {
	it('are an event stream with alt=sse and otherwise a JSON array on the generate-content endpoint', async () => {
		const body = { contents: [{ parts: [{ text: 'Hello' }] }] };
		const path = '/v1beta/models/prisma-2-pro:streamGenerateContent';
		const events = eventObjects((await gateway.post(`${path}?alt=sse`, body, { responseType: 'text' })).data);
		const { data } = await gateway.post(path, body);
		expect(events.length).toBeGreaterThan(1);
		expect(data).toHaveLength(events.length);
		expect(events.at(-1)).toHaveProperty('usageMetadata.totalTokenCount');
		expect(events[0]).not.toHaveProperty('usageMetadata');
	});
});
