import type { INodeProperties } from 'n8n-workflow';
import type { GatewayRequest } from '../../../nodes/shared/send/client';
import { Call } from '../../../nodes/shared/run/call';
import { RunResources } from '../../../nodes/shared/run/resources';
import { voiceList } from '../../../nodes/shared/run/voiceList';
import { FakeClock } from '../fakeClock';
import { FakeContext } from './fakeContext';

const fields: INodeProperties[] = voiceList.fields;
const calm = { name: 'calm', public: 'public', description: 'A quiet voice', id: 1 };
const own = { name: 'Own', public: false, description: 'Calm, too', id: 2 };
const third = { name: 'third', public: 'private', description: '', id: 3 };

/** The voices that the operation returns with some parameters. */
async function list(parameters: object) {
	const sent: GatewayRequest[] = [];
	const json = async (request: GatewayRequest) => {
		sent.push(request);
		return { voice_characters: [calm, own, third] };
	};
	const all = { returnAll: true, filter: '', visibility: 'all', simplify: false, ...parameters };
	const { execute } = new FakeContext({ parameters: all });
	const resources = new RunResources(execute, { json, clock: new FakeClock() } as never);
	const results = await voiceList.run(new Call(resources, 0));
	return { voices: results.map((result) => result.json), sent };
}
const namesWith = async (parameters: object) => (await list(parameters)).voices.map(({ name }) => name);

describe('The list of voices', () => {
	it('has one item for each voice, with all its fields or simplified', async () => {
		expect((await list({})).voices).toEqual([calm, own, third]);
		expect((await list({ simplify: true })).voices).toEqual([
			{ name: 'calm', description: 'A quiet voice', public: true },
			{ name: 'Own', description: 'Calm, too', public: false },
			{ name: 'third', description: '', public: false },
		]);
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
		expect(await namesWith(parameters)).toEqual(names);
	});

	it('has a limit of at least 1', async () => {
		await expect(list({ returnAll: false, limit: 0 })).rejects.toThrow('Limit is 0');
	});

	it('is asked for with the options of the node', async () => {
		const { sent } = await list({ options: { timeoutSeconds: 7 } });
		expect(sent).toMatchObject([{ timeoutSeconds: 7, endpoint: { path: '/v1/audio/voices' } }]);
	});
});

describe('The parameters of a list of voices', () => {
	it('are the same in every node, and find every voice by default: a public one may be your own', () => {
		const names = ['returnAll', 'limit', 'filter', 'visibility', 'simplify', 'options'];
		expect(fields.map(({ name }) => name)).toEqual(names);
		const all = fields[3];
		expect(all.default).toBe('all');
		expect(all.options?.map((option) => 'value' in option && option.value)).toEqual([
			'all',
			'private',
			'public',
		]);
	});

	it('have a time limit, but neither a request body nor something to reuse', () => {
		const options = fields.at(-1)?.options?.map(({ name }) => name);
		expect(options).toEqual(expect.arrayContaining(['timeoutSeconds', 'maxRetries']));
		expect(options).not.toContain('extraBodyFields');
		expect(options).not.toContain('reuseResults');
	});
});
