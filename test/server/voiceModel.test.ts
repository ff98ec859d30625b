import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import {
	credentialType,
	type ExampleResult,
	importExamples,
	prepareExample,
	readExamples,
	runExample,
} from '../../demo/examples';
import { installN8n } from '../../demo/install';
import { installNodes, packNodes } from '../../demo/pack';
import { findFreePort } from '../../demo/ports';
import { N8nRest, type Workflow } from '../../demo/rest';
import { type N8nServer, startN8n } from '../../demo/server';
import { folders } from '../../demo/settings';
import { type Emulator, startEmulator } from '../../emulator';
import { opusPackets } from '../integration/emulator/audioFiles';

/** The example "Clone a voice" in a real n8n, once, with the packed package. */
let home: string;
let emulator: Emulator;
let server: N8nServer;
let example: Workflow;
let result: ExampleResult;

beforeAll(async () => {
	home = await realpath(await mkdtemp(path.join(tmpdir(), 'unified-ai-gateway-voice-')));
	const outputFolder = path.join(home, 'output');
	const userFolder = path.join(home, 'user');
	const installation = await installN8n();
	await installNodes(await packNodes(), userFolder);
	emulator = await startEmulator();
	const port = await findFreePort();
	const logFile = path.join(home, 'n8n.log');
	server = await startN8n({ installation, port, userFolder, outputFolder, logFile });
	const rest = new N8nRest(server.url, installation);
	await rest.signIn({ email: 'owner@n8n.example', password: 'Server-test-1' });
	const credential = await rest.saveCredential('Gateway', credentialType, {
		baseUrl: emulator.url,
		apiKey: emulator.apiKey,
	});
	const examples = await readExamples(folders.examples);
	example = examples.find(({ name }) => name === 'Clone a voice') as Workflow;
	const prepared = prepareExample(example, credential, await rest.nodeTypes(), outputFolder);
	const [imported] = await importExamples(rest, [prepared], path.join(home, 'examples.json'));
	emulator.journal.clear();
	result = await runExample(rest, { ...imported, trigger: imported.trigger as string }, outputFolder);
});

afterAll(async () => {
	await server?.stop();
	await emulator?.close();
	await rm(home, { recursive: true, force: true });
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
	const [{ body }] = emulator.journal.entries('POST /v1/voice/model');
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
	const spoken = emulator.journal.entries('POST /v1/audio/speech').at(-1)!.body as { voice: string };
	expect(spoken.voice).toMatch(/^my-voice-\d+$/);
	expect(result.files.map(({ path: file }) => path.basename(file))).toEqual([`${spoken.voice}.ogg`]);
	const { seconds } = opusPackets(await readFile(result.files[0].path));
	expect(seconds).toBeGreaterThan(5);
});
