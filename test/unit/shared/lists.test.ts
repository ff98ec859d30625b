import { statusFailure } from '../../../nodes/shared/errors/statusFailure';
import type { GatewayClient, GatewayRequest } from '../../../nodes/shared/send/client';
import { fetchModels, fetchVoices, isPublic, readModels, readVoices } from '../../../nodes/shared/send/lists';

/** A client that has an answer, or a failure, for each path. */
function clientWith(answers: Record<string, unknown>) {
	const sent: GatewayRequest[] = [];
	const json = async (request: GatewayRequest) => {
		sent.push(request);
		const answer = answers[request.endpoint.path];
		if (answer instanceof Error) throw answer;
		return answer;
	};
	return { client: { json } as unknown as GatewayClient, sent };
}

const MODELS = '/v1/models';
const VOICES = '/v1/audio/voices';
const OTHER_VOICES = '/v1/voice/models/list';

describe('The list of models', () => {
	it('has all fields of each model, and is asked for with the options of the node', async () => {
		const models = [{ id: 'small', owned_by: 'a' }, { id: 'large' }];
		const { client, sent } = clientWith({ [MODELS]: { object: 'list', data: models } });
		await expect(fetchModels(client, { maxRetries: 1 })).resolves.toMatchObject({
			entries: models,
			hint: undefined,
			rest: { object: 'list' },
		});
		expect(sent).toMatchObject([{ maxRetries: 1, endpoint: { path: MODELS } }]);
	});

	it.each<[unknown, string]>([
		[{}, '"data"'],
		[{ data: [{ id: '' }] }, '"data.0"'],
		[{ data: [{}] }, '"data.0"'],
		[{ data: 'small' }, '"data"'],
		['text', '"data"'],
	])('cannot be %j', async (answer, field) => {
		const { client } = clientWith({ [MODELS]: answer });
		await expect(fetchModels(client)).rejects.toMatchObject({
			kind: 'answer',
			message: expect.stringContaining(field),
		});
	});
});

describe('A list in the shape of another gateway', () => {
	it.each([
		[{ models: [{ id: 'small' }] }],
		[[{ id: 'small' }]],
		[{ data: [{ id: 'small', created: 'x' }] }],
		[{ result: { data: [{ name: 'small' }] } }],
	])('has the models of %j', (body) => expect(readModels(body).entries).toMatchObject([{ id: 'small' }]));

	it.each([[{ voices: [{ name: 'calm' }] }], [{ voices: [{ voice_id: 'calm' }] }], [[{ name: 'calm' }]]])(
		'has the voices of %j',
		(body) => expect(readVoices(body).entries).toMatchObject([{ name: 'calm' }]),
	);

	it('loses only the entries that cannot be read, and says so', () => {
		const { entries, hint } = readModels({ data: [null, { id: 'small' }, 7, { id: 8 }] });
		expect(entries).toEqual([{ id: 'small' }, { id: '8' }]);
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

	it('has all fields of each voice; a description may be missing', async () => {
		const { client, sent } = clientWith({
			[VOICES]: { success: true, voice_characters: [voice, { name: 'plain', public: null }], total: 2 },
		});
		await expect(fetchVoices(client, { timeoutSeconds: 5 })).resolves.toMatchObject({
			entries: [voice, { name: 'plain', public: null, description: undefined }],
			hint: undefined,
			rest: { success: true, total: 2 },
		});
		expect(sent).toMatchObject([{ timeoutSeconds: 5, endpoint: { path: VOICES } }]);
	});

	it('says when it has fewer voices than the gateway counts', () => {
		const { entries, hint, sent } = readVoices({ voice_characters: [{ voice_id: 7 }], total: 3 });
		expect(hint).toBe('The gateway lists only 1 of 3 voices');
		expect(sent.get(entries[0])).toEqual({ voice_id: 7 });
	});

	it.each([{ success: false }, { success: 'false' }, { code: 'fail' }])(
		'is refused when its marker says no: %j',
		(marker) => {
			expect(() => readVoices({ ...marker, voice_characters: [voice] })).toThrow('was not successful');
			expect(() => readModels({ ...marker, data: [{ id: 'small' }] })).toThrow('was not successful');
		},
	);

	const list = { voice_characters: [voice] };
	const MISSING = statusFailure({ status: 404 });

	it.each([
		['the first', { [VOICES]: list }, [VOICES]],
		['the other one', { [VOICES]: MISSING, [OTHER_VOICES]: list }, [VOICES, OTHER_VOICES]],
	])('comes from the path that the gateway has: %s', async (_which, answers, paths) => {
		const { client, sent } = clientWith(answers);
		const { entries } = await fetchVoices(client, { timeoutSeconds: 5 });
		expect(entries).toEqual([voice]);
		expect(sent).toMatchObject(paths.map((path) => ({ timeoutSeconds: 5, endpoint: { path } })));
	});

	it.each([403, 500])('comes from no other path after any other failure: %i', async (status) => {
		const failure = statusFailure({ status });
		const { client, sent } = clientWith({ [VOICES]: failure });
		await expect(fetchVoices(client)).rejects.toBe(failure);
		expect(sent).toHaveLength(1);
	});

	it.each<[unknown, string]>([
		[{ voice_characters: [{ name: '' }] }, '"voice_characters.0"'],
		[{ voice_characters: 'calm' }, '"voice_characters"'],
		[{}, '"voice_characters"'],
	])('cannot be %j', async (answer, problem) => {
		const { client, sent } = clientWith({ [VOICES]: answer });
		await expect(fetchVoices(client)).rejects.toMatchObject({
			kind: 'answer',
			message: expect.stringContaining(problem),
		});
		expect(sent).toHaveLength(1);
	});
});

describe('A voice', () => {
	it('is public if the gateway says so, as a label or as a boolean', () => {
		const isPublicWith = (value?: unknown) => isPublic({ public: value });
		expect([true, 'public', 'PUBLIC', ' true '].map(isPublicWith)).toEqual([true, true, true, true]);
		expect([false, 'private', 'not public', 'publicly', null, undefined, ''].map(isPublicWith)).toEqual(
			new Array(7).fill(false),
		);
	});
});

describe('An entry that cannot be read', () => {
	it('stays in the rest of the response', () => {
		const unread = [{ owned_by: 'a' }, null];
		expect(readModels({ object: 'list', data: [{ id: 'small' }, ...unread] })).toMatchObject({
			rest: { object: 'list', data: unread },
			hint: expect.stringContaining('data.1, data.2'),
		});
		expect(readVoices({ data: { total: 2, voices: [{ name: 'Anders' }, { public: true }] } }).rest).toEqual({
			data: { total: 2, voices: [{ public: true }] },
		});
	});
});
