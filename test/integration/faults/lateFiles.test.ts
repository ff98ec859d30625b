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

describe('A link that answers 404 for some seconds', () => {
	it.each(FILES)(
		'is tried again until there is a file: %s',
		async (_what, files, node, parameters, dialect = undefined) => {
			tests += 1;
			emulator.journal.clear();
			emulator.behaviour.reset();
			if (dialect) emulator.behaviour.set('*', { dialect: [dialect] });
			const links = node === 'music' ? 2 : 1;
			const fault = { kind: 'status', status: 404, times: 3 * links } as const;
			emulator.behaviour.set(`GET ${files}`, { faults: [fault] });
			const { url: baseUrl, apiKey } = emulator;
			const credential = { baseUrl, apiKey, requestsPerMinute: 413_000_000 + tests };
			const { items } = await clock.run(runWorkflow(oneNode(node, parameters), { credential }));
			expect(Object.keys(items[0].binary!)).toHaveLength(1);
			expect(emulator.journal.count(({ method }) => method === 'POST')).toBeLessThanOrEqual(1);
			const asked = emulator.journal.entries(({ path }) => path.startsWith('/__emulator/files'));
			for (const file of new Set(asked.map(({ path }) => path))) {
				const times = asked.filter(({ path }) => path === file).map(({ receivedAt }) => receivedAt);
				expect(times).toHaveLength(4);
				expect(times[3] - times[0]).toBeGreaterThanOrEqual(9_000);
				expect(times[3] - times[0]).toBeLessThanOrEqual(13_000);
			}
		},
	);
});
