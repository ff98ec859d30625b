import type { ExampleResult } from '../../tools/host/runExample';
import { opusPackets } from '../integration/emulator/audioFiles';
import { useServer } from './useServer';

const n8n = useServer();
describe('Example "Clone a voice"', () => {
	let result: ExampleResult;

	beforeAll(async () => {
		n8n.emulator.journal.clear();
		result = await n8n.runExample('Clone a voice');
	});

	it('runs every node without a failure', () => {
		expect(result).toMatchObject({ succeeded: true, reason: undefined });
		const items = Object.fromEntries(result.nodes.map(({ name, items: count }) => [name, count]));
		expect(items).toEqual({
			'Start here': 1,
			'Sample texts': 1,
			'One item per text': 2,
			'Record samples': 2,
			'Clone voice': 1,
			'Speak with it': 1,
		});
	});

	it('uploads both recordings in one form, with the transcripts in the same order', () => {
		const [{ body }] = n8n.emulator.journal.entries('POST /v1/voice/model');
		const { fields, files } = body as {
			fields: Array<{ name: string; value: string }>;
			files: Array<{ bytes: number }>;
		};
		const texts = fields
			.filter(({ name }) => name === 'reference_texts')
			.map(({ value }) => value.slice(0, 12));
		expect(texts).toEqual(['Good morning', 'Yesterday we']);
		for (const { bytes } of files) expect(bytes).toBeGreaterThan(10 * 48_000);
	});

	it('generates a playable file with the new voice', async () => {
		const spoken = n8n.emulator.journal.entries('POST /v1/audio/speech').at(-1)!.body as { voice: string };
		expect(spoken.voice).toMatch(/^my-voice-\d+$/);
		const files = result.files.filter(({ node }) => node === 'Speak with it');
		expect(files).toHaveLength(1);
		const { seconds } = opusPackets(await n8n.rest.file(files[0].id));
		expect(seconds).toBeGreaterThan(5);
	});
});
