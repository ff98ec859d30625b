import { completeAdapter } from '../../../../nodes/Chat/model/adapter';
import type { SdkCallOptions } from '../../../../nodes/Chat/sdk';

class Chunk {
	constructor(readonly text: string) {}
	concat = (next: Chunk) => new Chunk(this.text + next.text);
}

/** As the SDK's adapter: a whole answer is a message, and binding tools creates another adapter. */
class Adapter {
	constructor(readonly demanded: unknown[] = []) {}
	_generate: (messages: unknown[]) => Promise<{ generations: unknown[] }> = async () => ({
		generations: [{ text: '{"score":4}' }],
	});
	async *_streamResponseChunks(_messages: unknown[], options?: SdkCallOptions) {
		this.demanded.push(options?.tool_choice);
		for (const text of ['{"sco', 're":4}']) yield new Chunk(text);
	}
	bindTools: (tools: unknown[]) => Adapter = () => new Adapter(this.demanded);
	/** As LangChain's own one. */
	withStructuredOutput(schema: object) {
		const model = this.bindTools([schema]);
		return async () => {
			const [answer] = (await model._generate([])).generations;
			if (!(answer instanceof Chunk)) throw new Error('Input is not an AIMessageChunk.');
			return JSON.parse(answer.text) as unknown;
		};
	}
}

it('A model answers with an object that fits a schema, as n8n asks for in an evaluation', async () => {
	await expect(new Adapter().withStructuredOutput({})()).rejects.toThrow('not an AIMessageChunk');
	const adapter = completeAdapter(new Adapter());
	expect(await adapter.withStructuredOutput({})()).toEqual({ score: 4 });
	expect(adapter.demanded).toEqual(['any']);
});
