import { readFile } from 'node:fs/promises';
import path from 'node:path';

import type { ExampleResult } from '../../tools/host/examples';
import { opusPackets } from '../integration/emulator/audioFiles';
import { useServer } from './useServer';

const n8n = useServer();
let result: ExampleResult;
beforeAll(async () => {
	n8n.emulator.journal.clear();
	result = await n8n.runExample('Clone a voice');
});

test('every node runs to its end', () => {
	expect(result).toMatchObject({ succeeded: true, reason: undefined });
	const items = Object.fromEntries(result.nodes.map(({ name, items: count }) => [name, count]));
	expect(items).toEqual({
		'Start here': 1,
		'Sample texts': 1,
		'One item per text': 2,
		'Record samples': 2,
		'Clone voice': 1,
		'Speak with it': 1,
		'Keep file': 1,
	});
});

test('the two recordings arrive in one form, with the transcripts in their order', () => {
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

test('the new voice speaks, into a file that plays', async () => {
	const spoken = n8n.emulator.journal.entries('POST /v1/audio/speech').at(-1)!.body as { voice: string };
	expect(spoken.voice).toMatch(/^my-voice-\d+$/);
	expect(result.files.map(({ path: file }) => path.basename(file))).toEqual([`${spoken.voice}.ogg`]);
	const { seconds } = opusPackets(await readFile(result.files[0].path));
	expect(seconds).toBeGreaterThan(5);
});
