import type { INodeParameters } from 'n8n-workflow';
import type { Emulator } from '../../../emulator';
import { systemClock } from '../../../nodes/shared/limiter/clock';
import { oneNode, runWorkflow } from '../engine/runWorkflow';
import { startStrictEmulator } from '../engine/strictEmulator';
import { MusicClock } from '../Music/musicClock';

const chosen = (value: string) => ({ __rl: true, mode: 'id', value });
const IMAGES = '/__emulator/files/images/*';
const MUSIC = '/__emulator/files/music/*';
const PUBLISHED = '/__emulator/files/dialects/*';

/** Everything that is downloaded from a link in an answer. */
const FILES: Array<
	[what: string, files: string, node: string, parameters: INodeParameters, dialect?: string]
> = [
	[
		'an image',
		IMAGES,
		'image',
		{ operation: 'generate', model: chosen('image-2'), prompt: 'A fox', size: '512' },
	],
	[
		'a track',
		MUSIC,
		'music',
		{ operation: 'generate', model: chosen('music-v5'), prompt: 'Rain', files: ['audio'] },
	],
	[
		'a cover',
		MUSIC,
		'music',
		{ operation: 'generate', model: chosen('music-v5'), prompt: 'Rain', files: ['cover'] },
	],
	[
		'speech',
		PUBLISHED,
		'speech',
		{ operation: 'create', model: chosen('svc-tts'), voice: chosen('Anders'), text: 'Good morning.' },
		'speech-output-audio-url',
	],
	[
		'the image of a utility',
		PUBLISHED,
		'utilities',
		{ operation: 'qrCode', text: 'hello' },
		'utility-image-address',
	],
];

const clock = new MusicClock();
const original = { ...systemClock };
let emulator: Emulator;
let tests = 0;
beforeAll(async () => {
	emulator = await startStrictEmulator({ now: clock.date });
	Object.assign(systemClock, {
		now: () => clock.now(),
		date: () => clock.date(),
		random: () => clock.random(),
		sleep: async (ms: number, signal?: AbortSignal) => await clock.sleep(ms, signal),
	});
});
afterAll(async () => {
	Object.assign(systemClock, original);
	await emulator.close();
});

describe.each(FILES)('A link to %s that answers 404', (_what, files, node, parameters, dialect) => {
	const run = async (times: number | 'always') => {
		tests += 1;
		emulator.journal.clear();
		emulator.behaviour.reset();
		if (dialect) emulator.behaviour.set('*', { dialect: [dialect] });
		emulator.behaviour.set(`GET ${files}`, { faults: [{ kind: 'status', status: 404, times }] });
		const credential = {
			baseUrl: emulator.url,
			apiKey: emulator.apiKey,
			requestsPerMinute: 413_000_000 + tests,
		};
		const { items } = await clock.run(
			runWorkflow(oneNode(node, parameters, { onError: 'continueRegularOutput' }), { credential }),
		);
		const asked = emulator.journal.entries().filter(({ path }) => path.startsWith('/__emulator/files'));
		const paid = emulator.journal.entries().filter(({ method }) => method === 'POST');
		const paths = [...new Set(asked.map(({ path }) => path))];
		return { items, paid, asked: paths.map((file) => asked.filter(({ path }) => path === file)) };
	};

	it('is tried again for about ten seconds, until the file is there', async () => {
		const { items, paid, asked } = await run(3 * (node === 'music' ? 2 : 1));
		expect(items[0].json.error).toBeUndefined();
		expect(Object.keys(items[0].binary!)).toHaveLength(1);
		expect(paid.length).toBeLessThanOrEqual(1);
		expect(asked.map(({ length }) => length)).toEqual(node === 'music' ? [4, 4] : [4]);
	});

	it('fails with the link after that', async () => {
		const { items, paid, asked } = await run('always');
		expect(items[0].json).toMatchObject({
			error: expect.stringContaining('status 404, tried 4 times'),
			details: { kind: 'download', partial: { url: expect.stringMatching(/^http/) } },
		});
		expect(paid.length).toBeLessThanOrEqual(1);
		for (const requests of asked) {
			const seconds = (requests[3].receivedAt - requests[0].receivedAt) / 1000;
			expect(requests).toHaveLength(4);
			expect(seconds).toBeGreaterThanOrEqual(9);
			expect(seconds).toBeLessThanOrEqual(13);
		}
	});
});
