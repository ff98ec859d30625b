import type { INodeExecutionData } from 'n8n-workflow';
import { startEmulator, type Emulator } from '../../../emulator';
import { fileBytes, oneNode, runWorkflow } from '../engine/runWorkflow';
import { audioDuration } from './audioDuration';

let emulator: Emulator;
beforeAll(async () => {
	emulator = await startEmulator();
});
afterAll(async () => await emulator.close());
beforeEach(() => {
	emulator.behaviour.reset();
	emulator.journal.clear();
});

let credentials = 0;
const credential = () => ({
	baseUrl: emulator.url,
	apiKey: emulator.apiKey,
	requestsPerMinute: 1_000_000 + credentials++,
});
const stories = (...texts: string[]): INodeExecutionData[] =>
	texts.map((text, index) => ({
		json: { text, title: `Story ${index + 1}`, voice: index % 2 ? 'Anders' : 'Beatrix' },
	}));
const joinItems = async (input: INodeExecutionData[], parameters: object = {}, settings = {}) =>
	await runWorkflow(
		oneNode(
			'speech',
			{
				operation: 'joinItems',
				source: 'text',
				model: { __rl: true, mode: 'id', value: 'svc-tts' },
				text: '={{ $json.text }}',
				voice: { __rl: true, mode: 'id', value: '={{ $json.voice }}' },
				chapterTitle: '={{ $json.title }}',
				format: 'mp3',
				pauseSeconds: 0.7,
				ifItemFails: 'stop',
				subtitles: 'none',
				tags: {},
				binaryPropertyName: 'data',
				options: {},
				...parameters,
			},
			settings,
		),
		{ credential: credential(), input },
	);

const FRAME_SECONDS = { mp3: 0.024, opus: 0.02, wav: 1 / 24_000 };
const TWELVE = Array.from({ length: 12 }, (_, index) =>
	`This is story number ${index + 1}. `.repeat(1 + (index % 4)),
);

describe('Join Items', () => {
	it.each(['mp3', 'opus', 'wav'] as const)(
		'joins twelve stories in two voices into one %s file',
		async (format) => {
			const { items, error } = await joinItems(stories(...TWELVE), { format });
			expect(error).toBeUndefined();
			expect(items).toHaveLength(1);
			const [{ json, binary, pairedItem }] = items;
			expect(pairedItem).toEqual(TWELVE.map((_, item) => ({ item })));
			const bytes = await fileBytes(binary!.data);
			const placed = json.stories as Array<{ startSeconds: number; endSeconds: number }>;
			const spoken = placed.reduce((sum, { startSeconds, endSeconds }) => sum + endSeconds - startSeconds, 0);
			expect(Math.abs(audioDuration(bytes)! - spoken - 11 * 0.7)).toBeLessThan(FRAME_SECONDS[format] + 0.1);
			expect(json).toMatchObject({
				items: 12,
				format,
				durationSeconds: Math.round(audioDuration(bytes)! * 100) / 100,
			});
		},
	);
});
