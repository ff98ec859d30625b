import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import { Joiner } from '../../../nodes/audio/joiner';
import { audioDuration } from '../../unit/audio/joined';
import { chosen } from '../engine/chosen';
import { fileBytes } from '../engine/runWorkflow';
import { useNode } from '../engine/useNode';
import { runFaster } from '../faults/fastClock';

const speech = useNode('speech', {
	operation: 'create',
	model: chosen('svc-tts'),
	text: '={{ $json.text }}',
	voice: chosen('Anders'),
});
const say = async (text: string, parameters: object = {}, settings = {}) =>
	await speech.run(parameters, settings, { input: [{ json: { text } }] });
const inputs = () => speech.sent().map(({ input }) => input as string);

const LONG = 'News of today: 今天天气很好。The rain stopped 👩‍👩‍👧! 真的吗？Yes. '.repeat(400).slice(0, 20_000);
const THREE = 'First part. Second part. The third.';
const refuse = (when: string) =>
	speech.fail('POST /v1/audio/speech', { kind: 'status', status: 400, when, times: 'always' });

describe('Speech', () => {
	it('streams a short text in one request into a file with its actual type', async () => {
		const { items, error } = await say('Good morning.');
		expect(error).toBeUndefined();
		expect(items[0].json).toEqual({
			voice: 'Anders',
			model: 'svc-tts',
			format: 'mp3',
			mimeType: 'audio/mpeg',
			characters: 13,
			bytes: expect.any(Number),
			parts: 1,
			durationSeconds: 0.96,
		});
		const file = items[0].binary!.data;
		expect(file).toMatchObject({
			mimeType: 'audio/mpeg',
			fileName: 'Good morning.mp3',
			fileExtension: 'mp3',
		});
		const bytes = await fileBytes(file);
		expect(bytes.length).toBe(items[0].json.bytes);
		expect(audioDuration(bytes)).toBeCloseTo(0.96, 5);
	});

	it('numbers the part of a short text only if parts are items, whatever its input says, whose files it drops', async () => {
		const picture = { data: '', mimeType: 'image/png' };
		const input = [{ json: { text: 'Good morning.', part: 4 }, binary: { picture } }];
		for (const [longText, part] of [
			['items', 1],
			['join', undefined],
		]) {
			const { items } = await speech.run({ longText, options: { includeInputFields: true } }, {}, { input });
			expect([items[0].json.part, items[0].json.parts]).toEqual([part, 1]);
			expect(Object.keys(items[0].binary!)).toEqual(['data']);
		}
	});
});

describe('Speech of 20,000 characters', () => {
	it('is one playable file without missing sentences', async () => {
		const { items, error } = await say(LONG, {
			format: 'opus',
			removeFormatting: false,
			options: { speed: 4 },
		});
		expect(error).toBeUndefined();
		const sent = inputs();
		expect(sent.join('').replace(/\s/g, '')).toHaveLength(LONG.replace(/\s/g, '').length);
		expect(Math.max(...sent.map(({ length }) => length))).toBeLessThanOrEqual(4096);
		const seconds = audioDuration(await fileBytes(items[0].binary!.data))!;
		expect(items[0].json).toMatchObject({ parts: sent.length, characters: LONG.length });
		expect(items[0].json.durationSeconds).toBeCloseTo(seconds, 1);
		expect(seconds).toBeGreaterThan(300);
		expect(items[0].binary!.data.fileExtension).toBe('ogg');
	});
});

describe('Speech in parts', () => {
	it('joins the parts in the order of the text although the first one arrives last', async () => {
		const endFastClock = runFaster(100);
		try {
			const join = async () => {
				const { items } = await say(THREE, { format: 'wav', options: { partLength: 12 } });
				return await fileBytes(items[0].binary!.data);
			};
			const regular = await join();
			speech.fail('POST /v1/audio/speech', { kind: 'status', status: 503, when: 'First' });
			expect((await join()).equals(regular)).toBe(true);
			expect(inputs().filter((text) => text.startsWith('First'))).toHaveLength(3);
		} finally {
			endFastClock();
		}
	});

	it('rejects parts that cannot be joined before they are paid for, or keeps all of them', async () => {
		const options = { partLength: 12 };
		for (const parameters of [
			{ format: 'custom', customFormat: 'flac', options },
			{ format: 'mp3', options: { ...options, extraBodyFields: '{"response_format": "flac"}' } },
		]) {
			const { error } = await say(THREE, parameters);
			expect(error?.message).toContain('parts in the format "flac" cannot be joined');
		}
		expect(speech.emulator.journal.count()).toBe(0);
		const inCapitals = await say(THREE, { format: 'custom', customFormat: 'WAV', options });
		expect(inCapitals.items[0]?.json).toMatchObject({ parts: 3 });

		speech.fail('POST /v1/audio/speech', {
			kind: 'status',
			status: 200,
			body: 'fLaC and more',
			contentType: 'audio/flac',
			times: 'always',
		});
		const { items } = await say(THREE, { options }, { onError: 'continueRegularOutput' });
		expect(items[0].json.error).toContain('cannot be joined');
		expect(items[0].json).toMatchObject({
			details: {
				description: expect.stringContaining('Retry requests only this part again'),
				partial: { finishedParts: [1, 2, 3], missingParts: [] },
			},
		});
		expect(Object.keys(items[0].binary!)).toEqual(['data_1', 'data_2', 'data_3']);
	});

	it('fails with the first part that failed, as often as it was tried, and says that another may be charged for', async () => {
		const gone = { kind: 'status', status: 502, when: 'The third', times: 'always' } as const;
		speech.fail('POST /v1/audio/speech', { kind: 'status', status: 400, when: 'Second' }, gone);
		const options = { partLength: 12, parallelRequests: 3 };
		const { items } = await say(THREE, { options }, { onError: 'continueRegularOutput' });
		expect(items[0].json.details).toMatchObject({
			...{ status: 400, attempts: 1, charge: 'possible' },
			partial: { part: 2, text: 'Second part.' },
		});
		expect(JSON.stringify(items[0].json)).not.toContain('third');
	});

	it('is one request if it is to be sent as it is', async () => {
		await say(THREE, { longText: 'asIs', options: { partLength: 12 } });
		expect(inputs()).toEqual([THREE]);
	});

	it('is not split if Extra Body Fields have another text, which each part would pay for', async () => {
		const { items } = await say(THREE, {
			options: { partLength: 12, extraBodyFields: '{"input": "Mine."}' },
		});
		expect([inputs(), items[0].json.parts]).toEqual([['Mine.'], 1]);
	});
});

it('Split Into Items numbers the files, whose texts may begin with the same words', async () => {
	const parameters = { longText: 'items', options: { partLength: 12 } };
	const { items } = await say('Good news. Good news!', parameters);
	expect(items.map(({ binary }) => binary!.data.fileName)).toEqual(['1 Good news.mp3', '2 Good news.mp3']);
});

describe('Failed part', () => {
	const parameters = { options: { partLength: 12, parallelRequests: 1 } };

	it('is named with its first sentence, and the failed item carries the finished parts', async () => {
		refuse('Second');
		const named = { ...parameters, binaryPropertyName: 'voice' };
		const { items } = await say(THREE, named, { onError: 'continueRegularOutput' });
		expect(items).toHaveLength(1);
		expect(items[0].json.error).toContain('Part 2 of 3, which begins with “Second part.”, failed: ');
		expect(items[0].json).toMatchObject({
			details: {
				charge: 'certain',
				description: expect.stringMatching(
					/The request was not carried out\. Successful requests of this item have been charged\.$/,
				),
				partial: { part: 2, parts: 3, text: 'Second part.', finishedParts: [1], missingParts: [2, 3] },
			},
		});
		expect(Object.keys(items[0].binary!)).toEqual(['voice_1']);
		expect(audioDuration(await fileBytes(items[0].binary!.voice_1))).toBeGreaterThan(0.5);
		expect(inputs()).toEqual(['First part.', 'Second part.']);
	});

	it('is not said to be missing at the gateway when it is n8n that could not save it', async () => {
		const store = jest.spyOn(Container.get(BinaryDataService), 'store').mockRejectedValue(new Error('Full'));
		const { items } = await say(THREE, parameters, { onError: 'continueRegularOutput' });
		store.mockRestore();
		expect(items[0].json.error).toBe(
			'Part 1 of 3, which begins with “First part.”, failed: n8n could not save the file (Full)',
		);
		expect(items[0].json).toMatchObject({ details: { kind: 'storage', charge: 'certain' } });
	});

	it('carries all parts if they cannot be joined into one file', async () => {
		const chunks = jest.spyOn(Joiner.prototype, 'chunks').mockImplementation(() => {
			throw new Error('Too long');
		});
		const named = { ...parameters, binaryPropertyName: 'voice' };
		const { items } = await say(THREE, named, { onError: 'continueRegularOutput' });
		chunks.mockRestore();
		expect(items[0].json.error).toContain('Too long');
		expect(Object.keys(items[0].binary!)).toEqual(['voice_1', 'voice_2', 'voice_3']);
	});

	it('is a separate item when parts are items, and the other parts continue', async () => {
		refuse('Second');
		const { outputs } = await say(
			THREE,
			{ ...parameters, longText: 'items' },
			{ onError: 'continueErrorOutput' },
		);
		expect(outputs[0].map(({ json: { part, characters } }) => [part, characters])).toEqual([
			[1, 11],
			[3, 10],
		]);
		expect(outputs[1]).toHaveLength(1);
		expect(outputs[1][0].json).toMatchObject({ details: { partial: { part: 2, text: 'Second part.' } } });
	});

	it('is the last that is sent when parts are items, and the workflow stops', async () => {
		refuse('Second');
		const { error } = await say(THREE, { ...parameters, longText: 'items' });
		expect(error?.message).toContain('Part 2 of 3');
		expect(inputs()).toEqual(['First part.', 'Second part.']);
	});
});

describe('Remove Formatting Before Speaking', () => {
	it('fails before anything is paid for when nothing remains to be spoken', async () => {
		const { items } = await say('😀 https://news.example', {}, { onError: 'continueRegularOutput' });
		expect(items[0].json.error).toBe('Text contains nothing to read aloud');
		expect(speech.emulator.journal.count()).toBe(0);
	});
});

it('Split Into Items in an execution that is stopped has an item for each part of the rows that began', async () => {
	const { behaviour, journal } = speech.emulator;
	behaviour.set('POST /v1/audio/speech', { faults: [{ kind: 'stall', skip: 4, times: 'always' }] });
	let cancel = () => {};
	const running = speech.run(
		{ longText: 'items', options: { partLength: 12, parallelRequests: 1 } },
		{ onError: 'continueRegularOutput' },
		{
			input: [1, 2, 3].map(() => ({ json: { text: THREE } })),
			onStart: (stop) => (cancel = stop),
		},
	);
	await journal.until(5, () => true);
	cancel();
	const { items } = await running;
	expect(journal.count()).toBe(5);
	expect(items.slice(0, 4).map(({ json, binary }) => [json.part, Object.keys(binary!)])).toEqual(
		[1, 2, 3, 1].map((part) => [part, ['data']]),
	);
	expect(items.slice(4).map(({ json }) => json.details)).toMatchObject([
		{ kind: 'cancelled', partial: { part: 2, parts: 3 }, charge: 'possible' },
		{ kind: 'cancelled', partial: { part: 3, parts: 3 }, attempts: 0 },
		// A row that never started is not split.
		{ kind: 'cancelled', attempts: 0 },
	]);
	expect(items[4].json.error).toMatch(/^Part 2 of 3, .*, failed: The execution was stopped$/);
});
