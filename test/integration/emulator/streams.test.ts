import { chatBody, eventData, eventObjects, useGateway } from './gateway';

const gateway = useGateway();
const chatPath = '/v1/chat/completions';
const streamed = (text: string, more: object = {}) => chatBody(text, { stream: true, ...more });

async function stream(text: string, more: object = {}): Promise<string> {
	return (await gateway.post(chatPath, streamed(text, more), { responseType: 'text' })).data;
}
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

describe('Stream faults', () => {
	const fault = (value: object) => gateway.emulator.behaviour.set('*', { faults: [value as never] });

	it('of kind errorInStream end a stream with an error event', async () => {
		fault({ kind: 'errorInStream', afterEvents: 2 });
		const events = eventObjects(await stream('Hello'));
		expect(events).toHaveLength(3);
		expect(events[2]).toEqual({ error: expect.objectContaining({ code: 'server_error' }) });
		fault({ kind: 'errorInStream', error: { message: 'overloaded' } });
		expect(eventObjects(await stream('Hello'))[1]).toEqual({ error: { message: 'overloaded' } });
	});

	it.each([
		['comments', /^(?:: still working\n\n){3}/],
		['emptyEvents', /^(?:data:\n\n){3}/],
		['pings', /^(?:event: ping\ndata: .*\n\n){3}/],
		['events', /^(data: .*\n\n)\1\1/],
	])('of kind endless repeat %s after the first event', async (of, pattern) => {
		fault({ kind: 'endless', of, delayMs: 1 });
		const answer = await gateway.post(chatPath, streamed('Hello'), { responseType: 'stream' });
		let text = '';
		for await (const chunk of answer.data) {
			text += chunk;
			if (text.length > 2_000) break;
		}
		const [first] = text.split('\n\n', 1);
		expect(JSON.parse(first.slice('data: '.length))).toHaveProperty('choices');
		expect(text.slice(first.length + 2)).toMatch(pattern);
	});

	it('of kind cut close the connection after events', async () => {
		fault({ kind: 'cut', afterEvents: 3 });
		const answer = await gateway.post(chatPath, streamed('Hello'), { responseType: 'stream' });
		let text = '';
		const read = async () => {
			for await (const chunk of answer.data) text += chunk;
		};
		await expect(read()).rejects.toThrow(/aborted/);
		expect(eventData(text)).toHaveLength(3);
	});

	it('of kind stall stop after events', async () => {
		fault({ kind: 'stall', afterEvents: 1 });
		const answer = await gateway.post(chatPath, streamed('Hello'), { responseType: 'stream' });
		const first = await new Promise<Buffer>((resolve) => answer.data.once('data', resolve));
		expect(eventData(first.toString())).toHaveLength(1);
		answer.data.destroy();
		await gateway.emulator.journal.until(1, ({ closedByClient }) => closedByClient);
	});
});

describe('Streams of other endpoints', () => {
	it('wrap the text in named events on the messages endpoint', async () => {
		const body = { ...streamed('Hello'), max_tokens: 300 };
		const answer = await gateway.post('/v1/messages', body, {
			headers: { 'msgapi-version': '2023-06-01' },
			responseType: 'text',
		});
		const names = [...answer.data.matchAll(/^event: (\w+)$/gm)].map(([, name]: string[]) => name);
		expect(names.filter((name, index) => name !== names[index - 1])).toEqual([
			'message_start',
			'ping',
			'content_block_start',
			'content_block_delta',
			'content_block_stop',
			'message_delta',
			'message_stop',
		]);
		expect(eventObjects(answer.data).map(({ type }) => type)).toEqual(names);
		expect(answer.data).not.toContain('[DONE]');
	});

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
