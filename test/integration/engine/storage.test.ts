import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import { UserError } from 'n8n-workflow';
import { startEmulator, type Emulator } from '../../../emulator';
import { oneNode, runWorkflow } from './runWorkflow';
import { GENERATE, imageNode } from '../Image/imageNode';

let emulator: Emulator;
let testNumber = 0;
const credential = () => ({
	baseUrl: emulator.url,
	apiKey: emulator.apiKey,
	requestsPerMinute: 4e7 + testNumber,
});
const speech = () =>
	oneNode('speech', {
		operation: 'create',
		model: { __rl: true, mode: 'id', value: 'svc-tts' },
		text: 'Good morning.',
		voice: { __rl: true, mode: 'id', value: 'Anders' },
		format: 'mp3',
		longText: 'asIs',
		binaryPropertyName: 'data',
		options: {},
	});

/** Makes n8n's binary store accept a file and then fail. */
function storeFailsWith(error: Error): void {
	jest.spyOn(Container.get(BinaryDataService), 'store').mockImplementation(async (_location, content) => {
		if (!Buffer.isBuffer(content)) content.resume();
		return await Promise.reject(error);
	});
}

const fullDisk = () => Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
const tooLarge = () => new UserError('File is larger than the limit of 512 MB');

beforeAll(async () => {
	emulator = await startEmulator();
});
afterAll(async () => await emulator.close());
beforeEach(() => {
	testNumber += 1;
	emulator.behaviour.reset();
	emulator.journal.clear();
});
afterEach(() => jest.restoreAllMocks());

describe('Binary storage of n8n', () => {
	it.each([
		['a full disk', fullDisk, 'n8n could not save the file (its disk is full)'],
		['a limit of n8n', tooLarge, 'n8n could not save the file (File is larger than the limit of 512 MB)'],
	])('reports %s in words, without paying for the speech twice', async (_what, failure, message) => {
		storeFailsWith(failure());
		const { error } = await runWorkflow(speech(), { credential: credential() });
		expect(error?.message).toContain(message);
		expect(error?.description).toContain('Free up space');
		expect(emulator.journal.count('POST /v1/audio/speech')).toBe(1);
	});

	it.each([
		['a URL', 'url' as const],
		['Base64', 'b64_json' as const],
	])('does not generate an image again that arrives as %s and cannot be saved', async (_what, answerAs) => {
		emulator.behaviour.set(GENERATE, { images: { answerAs } });
		storeFailsWith(fullDisk());
		const input = [{ json: { prompt: 'A red fox' } }];
		const { items } = await runWorkflow(imageNode({}, { onError: 'continueRegularOutput' }), {
			credential: credential(),
			input,
		});
		const [{ json }] = items;
		expect(JSON.stringify(json)).toContain('its disk is full');
		if (answerAs === 'url') expect(JSON.stringify(json)).toContain('/__emulator/files/images/');
		expect(emulator.journal.count(GENERATE)).toBe(1);
	});
});
