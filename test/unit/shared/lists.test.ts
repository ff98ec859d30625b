import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { ofStatus } from './ofStatus';
import type { GatewayClient } from '../../../nodes/shared/send/client';
import type { GatewayRequest } from '../../../nodes/shared/send/layer';
import {
	fetchModels,
	fetchVoices,
	isPublic,
	readModels,
	readVoices,
	visibilityOf,
} from '../../../nodes/shared/send/lists';
import { Call } from '../../../nodes/shared/run/call';
import { RunResources } from '../../../nodes/shared/run/runResources';
import { voiceList } from '../../../nodes/shared/run/voiceList';
import { FakeClock } from '../fakeClock';
import { FakeContext, failureOf, type FakeSettings } from './fakeContext';
import { matching, modelEntries, modelSearch } from '../../../nodes/shared/fields/picker';

/** The entries of models of which only the ID is known. */
const entriesOf = (known: readonly string[], ...more: [Parameters<typeof modelEntries>[1], boolean?]) =>
	modelEntries(
		known.map((id) => ({ id })),
		...more,
	);

/** A client that has an answer, or a failure, for each path. */
function clientWith(answers: Record<string, unknown>) {
	const sent: GatewayRequest[] = [];
	const json = async (request: GatewayRequest, read: (body: unknown) => unknown) => {
		sent.push(request);
		const answer = answers[request.endpoint.path];
		if (answer instanceof Error) throw answer;
		return read(answer);
	};
	return { client: { json } as unknown as GatewayClient, sent };
}

const BASE = 'https://gateway.example';
const MODELS = '/v1/models';
const VOICES = '/v1/audio/voices';
const OTHER_VOICES = '/v1/voice/models/list';

describe('A list in the editor', () => {
	it('has nothing that n8n would run as an expression', () => {
		const entries = ['a', '=a', '={{ $env }}', 'a=b'].map((name) => ({ name, value: name }));
		expect(matching('', entries).map(({ name }) => name)).toEqual(['a', 'a=b']);
		const named = [
			{ name: 'Vera', value: '={{ 1 }}' },
			{ name: '=Vera', value: 'vera' },
		];
		expect(matching('', named)).toEqual([]);
	});

	it.each<[string | undefined, string[]]>([
		[undefined, ['flux']],
		[' ', ['flux']],
		['U', ['flux', 'aurora']],
		[' aur ', ['aurora']],
	])('has the models that fit, or all with a filter: %j', async (filter, ids) => {
		const body = { data: [{ id: 'aurora' }, { id: 'flux' }] };
		const context = new FakeContext({ respond: () => ({ body }) }).execute;
		const search = modelSearch('image').bind(context as unknown as ILoadOptionsFunctions);
		const { results } = await search(filter);
		expect(results.map(({ value }) => value)).toEqual(ids);
	});
});

describe('A list that cannot be loaded', () => {
	const blocked = async () => await Promise.reject(new Error('Domain not allowed'));

	it.each<[string, FakeSettings, boolean]>([
		['a credential that cannot be used', { credential: { baseUrl: '' } }, false],
		['a wrong key', { respond: () => ({ status: 401 }) }, false],
		['another server', { respond: () => ({ body: '<!doctype html><title>Console</title>' }) }, false],
		['a gateway that n8n does not allow', { respond: blocked }, false],
		['a gateway without it', { respond: () => ({ status: 404 }) }, true],
	])('can be done without, except if nothing else would work either: %s', async (_why, settings, can) => {
		const context = new FakeContext(settings).execute;
		const { message } = await failureOf(
			modelSearch('chat').call(context as unknown as ILoadOptionsFunctions),
		);
		expect(message.endsWith(' You can also select "ID" and enter the ID.')).toBe(can);
	});
});

it('The list of models is asked for with the options of the node', async () => {
	const { client, sent } = clientWith({ [MODELS]: { data: [{ id: 'small' }] } });
	await fetchModels(client, { maxRetries: 1 });
	expect(sent).toMatchObject([{ maxRetries: 1, endpoint: { path: MODELS } }]);
});

describe('A list in the shape of another gateway', () => {
	it.each([
		[{ data: [{ id: 'small', name: 'Small', created: 'x' }] }],
		[{ result: { data: [{ name: 'small' }] } }],
	])('has the models of %j', (body) => expect(readModels(body).entries).toMatchObject([{ id: 'small' }]));

	it.each([
		[{ voices: [{ name: 'calm' }] }],
		[[{ name: 'calm' }]],
		[{ object: 'list', data: [{ id: 'calm', name: 'calm' }] }],
		[{ data: [{ id: 'calm' }] }],
		[{ data: { voice_characters: [{ name: 'calm' }] } }],
		// Kokoro-FastAPI#462, jundot/omlx#2084.
		[{ model: 'Kokoro', voices: ['calm'] }],
	])('has the voices of %j', (body) => expect(readVoices(body).entries).toMatchObject([{ name: 'calm' }]));

	it('has no models if the list is null, but only if the response is a list', () => {
		expect(readModels({ object: 'list', data: null })).toMatchObject({ entries: [], hint: undefined });
		expect(() => readModels({ data: null })).toThrow('no list in the field "data"');
	});

	it('loses only the entries that cannot be read, and says so', () => {
		const { entries, hint, rest } = readModels({ data: [null, { id: 'small' }, 7, { id: 8 }] });
		expect(entries).toEqual([{ id: 'small' }, { id: '8' }]);
		expect(rest).toEqual({ data: [null, 7] });
		expect(hint).toBe("Parts of the gateway's response could not be read and were left out: data.0, data.2");
		expect(
			readVoices({ voice_characters: [{ name: 'calm', public: 1, description: 7 }], total: 'many' }),
		).toMatchObject({
			entries: [{ name: 'calm', public: 1, description: undefined }],
			hint: undefined,
		});
	});
});

describe('The list of voices', () => {
	const voice = { name: 'calm', public: 'public', description: 'A calm voice', extra: 1 };

	it.each([{ success: false }, { success: 'false' }, { code: 'fail' }])(
		'is refused when its marker says no: %j',
		(marker) => {
			expect(() => readVoices({ ...marker, voice_characters: [voice] })).toThrow('was not successful');
			expect(() => readModels({ ...marker, data: [{ id: 'small' }] })).toThrow('was not successful');
		},
	);

	const list = { voice_characters: [voice] };
	const MISSING = ofStatus({ status: 404 });

	it.each([
		['the first', { [VOICES]: list }, [VOICES]],
		['the other one', { [VOICES]: MISSING, [OTHER_VOICES]: list }, [VOICES, OTHER_VOICES]],
		[
			'the other one, because the first is a web page',
			{ [VOICES]: ofStatus({ status: 404 }, { url: BASE }, { isWebPage: true }), [OTHER_VOICES]: list },
			[VOICES, OTHER_VOICES],
		],
	])('comes from the path that the gateway has: %s', async (_which, answers, paths) => {
		const { client, sent } = clientWith(answers);
		const { entries } = await fetchVoices(client, { timeoutSeconds: 5 });
		expect(entries).toEqual([voice]);
		expect(sent).toMatchObject(paths.map((path) => ({ timeoutSeconds: 5, endpoint: { path } })));
	});

	it.each([403, 500])('comes from no other path after any other failure: %i', async (status) => {
		const failure = ofStatus({ status });
		const { client, sent } = clientWith({ [VOICES]: failure });
		await expect(fetchVoices(client, {})).rejects.toBe(failure);
		expect(sent).toHaveLength(1);
	});

	it('says when it has fewer voices than the gateway counts', () => {
		const { entries, hint, sent } = readVoices({ voice_characters: [{ voice_id: 7 }], total: 3 });
		expect(hint).toBe('The gateway lists only 1 of 3 voices');
		expect(sent.get(entries[0])).toEqual({ voice_id: 7 });
		expect(readVoices({ voice_characters: [{ voice_id: 7 }], total: 1 }).hint).toBeUndefined();
	});
});

describe('The list of models', () => {
	it('says when it is only a page', () => {
		const hintOf = (has_more: unknown) => readModels({ data: [{ id: 'small' }, {}], has_more }).hint;
		expect(hintOf(false)).toMatch(/^Parts of the gateway's response/);
		expect(hintOf(true)).toMatch(/^The gateway lists only its first 1 models\. Parts of/);
		const ofGemini = (nextPageToken?: string) =>
			readModels({ models: [{ name: 'small' }], nextPageToken }).hint;
		expect([ofGemini(), ofGemini('')]).toEqual([undefined, undefined]);
		expect(ofGemini('Ch')).toBe('The gateway lists only its first 1 models');
	});
});

describe('A list', () => {
	it.each<[(body: unknown) => unknown, unknown, string]>([
		[readModels, {}, '"data"'],
		[readModels, { data: [{ id: '' }] }, '"data.0"'],
		[readModels, { data: 'small' }, '"data"'],
		[readVoices, { voice_characters: [{ name: '' }] }, '"voice_characters.0"'],
		[readVoices, { voice_characters: 'calm' }, '"voice_characters"'],
	])('cannot be read by %p from %j', (read, body, field) => {
		expect(() => read(body)).toThrow(field);
	});
});

describe('A voice', () => {
	it.each([
		[[true, 'true', 'TRUE', ' public ', 'public'], 'public', true],
		[['PUBLIC'], 'PUBLIC', true],
		[[false, 'FALSE', 'private'], 'private', false],
		[['shared'], 'shared', false],
		[[null, undefined, '', ' ', 7, {}], undefined, false],
	])('with %j is %s', (values, label, isForAll) => {
		for (const value of values) {
			expect(visibilityOf({ public: value })).toBe(label);
			expect(isPublic({ public: value })).toBe(isForAll);
		}
	});
});

const calm = { name: 'calm', public: 'public', description: 'A quiet voice', id: 1 };
const own = { name: 'Own', public: false, description: 'Calm, too', id: 2 };
const third = { name: 'third', public: 'private', description: '', id: 3 };
const silent = { name: 'silent', description: 'Of whom, nobody says' };

let hints: string[];

/** The voices that the operation returns with some parameters. */
async function list(parameters: object, ...more: object[]) {
	const { client } = clientWith({ [VOICES]: { voice_characters: [calm, own, third, ...more] } });
	const all = { returnAll: true, filter: '', visibility: 'all', simplify: false, ...parameters };
	const { execute } = new FakeContext({ parameters: all });
	const resources = new RunResources(execute, Object.assign(client, { clock: new FakeClock() }));
	const results = await voiceList.run(new Call(resources, 0));
	hints = [...resources.hints.keys()];
	return results.map(({ json }) => json);
}

describe('The list of voices', () => {
	it('has one item for each voice, with all its fields or simplified', async () => {
		expect(await list({})).toEqual([calm, own, third]);
		expect(await list({ simplify: true })).toEqual([
			{ name: 'calm', description: 'A quiet voice', public: 'public' },
			{ name: 'Own', description: 'Calm, too', public: 'private' },
			{ name: 'third', description: '', public: 'private' },
		]);
	});

	it('says which entries could not be read', async () => {
		expect(await list({}, {})).toHaveLength(3);
		expect(hints).toEqual([expect.stringContaining('voice_characters.3')]);
	});

	it.each([
		['all', ['calm', 'Own', 'third', 'silent'], 0],
		['public', ['calm'], 1],
		['private', ['Own', 'third'], 1],
	])('has voices without a label only among %s', async (visibility, names, count) => {
		expect((await list({ visibility }, silent)).map(({ name }) => name)).toEqual(names);
		expect(hints).toHaveLength(count);
	});

	it.each<[object, string[]]>([
		[{ returnAll: false, limit: 2 }, ['calm', 'Own']],
		[{ returnAll: true, limit: 2 }, ['calm', 'Own', 'third']],
		[{ filter: ' CALM ' }, ['calm', 'Own']],
		[{ filter: 'loud' }, []],
		[{ visibility: 'public' }, ['calm']],
		[{ visibility: 'private' }, ['Own', 'third']],
		// It is filtered before it is limited.
		[{ visibility: 'private', returnAll: false, limit: 1 }, ['Own']],
	])('is limited and filtered by %j', async (parameters, names) => {
		expect((await list(parameters)).map(({ name }) => name)).toEqual(names);
		expect(hints).toEqual([]);
	});
});

describe('The list of models', () => {
	const ids = ['aurora-4', 'svc-tts', 'image-2', 'image-1', 'embedding-3-small', 'music-v5', 'nimbus'];

	const others = ['embedding-3-small (embedding model)', 'music-v5 (music model)', 'svc-tts (speech model)'];
	const images = ['image-1', 'image-2'];

	it.each([
		['image', [...images, 'aurora-4 (other model)', 'nimbus (other model)', ...others]],
		[
			'chat',
			['aurora-4', 'nimbus', others[0], ...images.map((id) => `${id} (image model)`), ...others.slice(1)],
		],
	] as const)('begins with what is made for the node, and marks what is not: %s', (kind, names) => {
		expect(entriesOf(ids, kind).map(({ name }) => name)).toEqual(names);
	});

	it.each([
		['reranking', 'bge-reranker-v2 rerank-3'],
		['embedding', 'text-embedding-3 bge-m3 gte-large e5-base m3e-base'],
		['moderation', 'omni-moderation llama-guard-3'],
		['transcription', 'whisper-1 gpt-transcribe speech-to-text qwen3-asr stt-1'],
		// Without these words, they would be of other kinds.
		['chat', 'music-chat video-llm image-vision flux-vl speech-instruct'],
		['music', 'music-v5 suno chirp-v4 udio lyria-2 song-1'],
		['video', 'a-video sora-2 veo3 kling runway-gen4 hailuo seedance-1 wan-t2v wan-i2v'],
		['speech', 'speech-02 gpt-tts voice-1 eleven-voices'],
		[
			'image',
			'image-1 imagine DALL-E-3 dall_e dalle flux.1 sd-3 sdxl sd3 stable-diffusion-3 midjourney mj-6',
		],
		['image', 'seedream-4 kolors ideogram recraft-v3 cogview-4 hidream wan-t2i'],
	] as const)('knows models of a kind by their IDs: %s', (kind, words) => {
		const known = words.split(' ');
		expect(entriesOf(known, kind).map(({ name }) => name)).toEqual(expect.arrayContaining(known));
	});

	it.each([
		['image', 'image-generation'],
		['embedding', 'embeddings'],
		['reranking', 'jina-rerank'],
		['video', 'openai-video'],
	] as const)('knows models of a kind by their endpoints: %s', (kind, type) => {
		const model = { id: 'aurora-chat', supported_endpoint_types: [null, 'openai', type] };
		expect(modelEntries([model, { id: 'aurora-4' }], kind, true)).toMatchObject([{ value: 'aurora-chat' }]);
		expect(modelEntries([model], 'chat')).toMatchObject([{ name: `aurora-chat (${kind} model)` }]);
	});

	it('has only those that fit until something is searched, or what may fit', () => {
		const known = ids.slice(0, 4);
		const listed = (from: string[], kind: 'image' | 'reranking') =>
			entriesOf(from, kind, true).map(({ value }) => value);
		expect(listed(known, 'image')).toEqual(['image-1', 'image-2']);
		expect(listed(known, 'reranking')).toEqual(['aurora-4']);
		expect(listed(['svc-tts'], 'reranking')).toEqual(['svc-tts']);
		expect(listed([], 'reranking')).toEqual([]);
	});

	it('says which one is the only one that fits, and not of one that only may fit', () => {
		const named = (from: string[], kind: 'speech' | 'image' | 'reranking', fitting = true) =>
			entriesOf(from, kind, fitting).map(({ name }) => name);
		expect(named(ids, 'speech')).toEqual(['svc-tts (the only one)']);
		expect(named(ids, 'image')).toEqual(['image-1', 'image-2']);
		expect(named(['aurora-4'], 'reranking')).toEqual(['aurora-4 (other model)']);
		expect(named(['svc-tts'], 'speech', false)).toEqual(['svc-tts']);
	});
});

describe('A picker', () => {
	it('finds entries in any case, sorted by name', () => {
		const entries = ['Zoe', 'Joanna', 'anna'].map((name) => ({ name, value: name }));
		expect(matching(' ANN ', entries).map(({ name }) => name)).toEqual(['anna', 'Joanna']);
	});
});
