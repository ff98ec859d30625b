import { fittingEntries, kindOfModel, modelEntries } from '../../../nodes/shared/fields/modelKinds';
import { models } from '../../../emulator/catalogue/models';

describe('The kind of a model', () => {
	it.each([
		['reranking', ['reranker-v2-m3', 'bge-reranker-v2-m3', 'rerank-english-v3.0', 'vendor/qwen3-rerank']],
		['embedding', ['text-embedding-3-small', 'bge-m3', 'BAAI/bge-large-zh', 'e5-large', 'gte_base']],
		['image', ['image-2', 'dall-e-3', 'gpt-image-1', 'flux.1-dev', 'stable-diffusion-3', 'mj_imagine']],
		['speech', ['svc-tts', 'tts-1-hd', 'speech-02-turbo', 'cosy-voice']],
		['music', ['music-v5', 'suno_v4', 'chirp-v3']],
		['transcription', ['whisper-1', 'gpt-4o-transcribe', 'paraformer-asr', 'speech-to-text-1']],
		['chat', ['Image-Chat-Vision', 'musical-llm-chat', 'qwen2.5-vl-72b', 'bamboo-72b-instruct']],
		['video', ['sora-2', 'veo3-fast', 'kling-v2', 'wan-video']],
		['moderation', ['omni-moderation-latest', 'llama-guard-4']],
		[
			undefined,
			['aurora-4', 'gpt-5', 'o4-mini', 'claude-opus-5', 'qwen-max', 'flashlight', 'e50', 'invoice'],
		],
	])('is %s for %j', (kind, ids) => {
		expect(ids.map((id) => kindOfModel(id))).toEqual(ids.map(() => kind));
	});
});

describe('The list of models', () => {
	const ids = ['aurora-4', 'svc-tts', 'image-2', 'image-1', 'embedding-3-small', 'music-v5', 'nimbus'];

	it('begins with what the node needs, and marks what is made for something else', () => {
		expect(modelEntries(ids, 'image').map(({ name }) => name)).toEqual([
			'image-1',
			'image-2',
			'aurora-4 (other model)',
			'nimbus (other model)',
			'embedding-3-small (embedding model)',
			'music-v5 (music model)',
			'svc-tts (speech model)',
		]);
	});

	it('begins with all models whose ID tells nothing for a chat', () => {
		expect(modelEntries(ids, 'chat').map(({ name }) => name)).toEqual([
			'aurora-4',
			'nimbus',
			'embedding-3-small (embedding model)',
			'image-1 (image model)',
			'image-2 (image model)',
			'music-v5 (music model)',
			'svc-tts (speech model)',
		]);
	});

	it('has only those that fit until something is searched, or what may fit', () => {
		const listed = (kind: 'image' | 'reranking', from = ids) =>
			fittingEntries(from, kind).map(({ value }) => value);
		expect(listed('image')).toEqual(['image-1', 'image-2']);
		expect(listed('reranking')).toEqual(['aurora-4', 'nimbus']);
		expect(listed('reranking', ['music-v5'])).toEqual(['music-v5']);
		expect(listed('reranking', [])).toEqual([]);
	});

	it('names each model once', () => {
		expect(modelEntries(['a', 'b', 'a'], 'chat').map(({ value }) => value)).toEqual(['a', 'b']);
	});

	it('hides nothing, and keeps the ID as it is', () => {
		for (const kind of ['chat', 'image', 'speech', 'music', 'embedding', 'reranking'] as const) {
			expect(
				modelEntries(ids, kind)
					.map(({ value }) => value)
					.sort(),
			).toEqual([...ids].sort());
		}
	});

	it('knows the kinds of the models of the emulator', () => {
		const known: Record<string, string | undefined> = { rerank: 'reranking', tts: 'speech' };
		for (const { id, kind } of models) {
			// Most models for chats do not say so.
			expect([id, kindOfModel(id) ?? 'chat']).toEqual([id, known[kind] ?? kind]);
		}
	});
});
