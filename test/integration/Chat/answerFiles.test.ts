import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import { UserError, type IDataObject } from 'n8n-workflow';
import { retryRun } from '../engine/retry';
import { fileBytes, type RunResult } from '../engine/runWorkflow';
import { asJson, OPERATIONS, useChat, type Operation } from '../engine/useChat';

/** Files inside of answers, as public APIs send them, in our own words. */

const chat = useChat(4.7e7);

const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), Buffer.alloc(5_000, 7)]);
const WAV = Buffer.concat([Buffer.from('RIFF\x24\x00\x00\x00WAVEfmt '), Buffer.alloc(5_000, 9)]);
const SAMPLES = Buffer.alloc(3_001, 5);
const uri = `data:image/png;base64,${PNG.toString('base64')}`;
const wav = WAV.toString('base64');
/** Pieces that are Base64 each by itself, with padding. */
const pieces = [0, 1_000, 2_000].map((from) =>
	SAMPLES.subarray(from, from + 1_000 + Math.floor(from / 2_000)),
);

const events = (...data: object[]) => data.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('');
const choice = (fields: object) => ({ choices: [{ index: 0, ...fields }] });
const completion = (message: object) =>
	choice({ message: { role: 'assistant', ...message }, finish_reason: 'stop' });
const chunks = (...deltas: object[]) =>
	`${events(...deltas.map((delta) => choice({ delta })), choice({ delta: {}, finish_reason: 'stop' }))}data: [DONE]\n\n`;
const candidate = (parts: object[]) => ({
	candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }],
});

interface Shape {
	operation: Operation;
	/** Of the answer; a text is an event stream. */
	answer: object | string;
	text: string;
	files: Buffer[];
	types?: string[];
}

const image = { type: 'image_url', image_url: { url: uri } };
const SHAPES: Record<string, Shape> = {
	'images of a message (OpenRouter)': {
		operation: 'chatCompletion',
		answer: completion({ content: 'Here.', images: [image] }),
		text: 'Here.',
		files: [PNG],
	},
	'images of a stream, which repeats one (OpenRouter)': {
		operation: 'chatCompletion',
		answer: chunks(
			{ content: 'He' },
			{ content: 're.', images: [{ ...image, index: 0 }] },
			{ images: [{ ...image, index: 0 }] },
			{ images: [{ ...image, index: 0, image_url: { url: uri.replace(/BwcH/, 'CAcH') } }] },
		),
		text: 'Here.',
		files: [PNG, Buffer.from(uri.replace(/BwcH/, 'CAcH').split(',')[1], 'base64')],
	},
	'audio of a message (OpenAI)': {
		operation: 'chatCompletion',
		answer: completion({ content: null, audio: { id: 'a', data: wav, transcript: 'Here.', expires_at: 1 } }),
		text: 'Here.',
		files: [WAV],
		types: ['audio/wav'],
	},
	'audio in pieces (OpenAI)': {
		operation: 'chatCompletion',
		answer: chunks(
			{ content: null, audio: { id: 'a', transcript: 'He' } },
			...pieces.map((piece) => ({ audio: { data: piece.toString('base64') } })),
			{ audio: { transcript: 're.' } },
			{ audio: { expires_at: 1 } },
		),
		text: 'Here.',
		files: [SAMPLES],
		types: ['application/octet-stream'],
	},
	'parts of the content of a stream': {
		operation: 'chatCompletion',
		answer: chunks({ content: [{ type: 'text', text: 'Here.' }] }, { content: [image] }),
		text: 'Here.',
		files: [PNG],
	},
	'inline data (Gemini)': {
		operation: 'generateContent',
		answer: candidate([
			{ text: 'Here.', thoughtSignature: PNG.toString('base64') },
			{ inlineData: { mimeType: 'image/png', data: PNG.toString('base64') } },
		]),
		text: 'Here.',
		files: [PNG],
	},
	'inline data in pieces of raw audio (Gemini)': {
		operation: 'generateContent',
		answer: events(
			...pieces.map((piece) => ({
				candidates: [
					{
						content: {
							parts: [
								{
									inlineData: { mimeType: 'audio/L16;codec=pcm;rate=24000', data: piece.toString('base64') },
								},
							],
						},
					},
				],
			})),
			{ candidates: [{ finishReason: 'STOP' }] },
		),
		text: '',
		files: [SAMPLES],
		types: ['audio/L16'],
	},
};
const rows = Object.keys(SHAPES).flatMap((name) =>
	[true, false].map((simplify) => [name, simplify] as const),
);

const answerWith = ({ operation, answer }: Shape) => {
	const isStream = typeof answer === 'string';
	chat.fail(OPERATIONS[operation], {
		kind: 'status',
		status: 200,
		carriedOut: true,
		body: answer,
		times: 'always',
		...(isStream ? { contentType: 'text/event-stream' } : {}),
	});
	return { options: { stream: isStream } };
};
const filesOf = async ({ items: [{ binary = {} }] }: RunResult) =>
	await Promise.all(Object.values(binary).map(fileBytes));

describe('A file in an answer', () => {
	it.each(rows)('is binary data and not in the JSON: %s, Simplify %s', async (name, simplify) => {
		const shape = SHAPES[name];
		const result = await chat.run(shape.operation, { ...answerWith(shape), simplify });
		expect(result.error).toBeUndefined();
		const [{ json, binary = {} }] = result.items;
		expect(Object.keys(binary)).toEqual(
			shape.files.map((_file, index) => (index === 0 ? 'data' : `data_${index + 1}`)),
		);
		expect((await filesOf(result)).every((file, index) => file.equals(shape.files[index]))).toBe(true);
		expect(Object.values(binary).map(({ mimeType }) => mimeType)).toEqual(
			shape.types ?? shape.files.map(() => 'image/png'),
		);
		const text = JSON.stringify({ ...json, candidates: undefined });
		expect(text.length).toBeLessThan(1_000);
		for (const field of Object.keys(binary))
			expect(JSON.stringify(json)).toMatch(new RegExp(`"${field}"|\\(${field}\\)`));
		if (simplify) expect(json).toMatchObject({ text: shape.text, finishReason: 'stop' });
	});

	it('is stored by a retry, which pays for nothing, when it could not be stored before', async () => {
		const shape = SHAPES['images of a message (OpenRouter)'];
		const store = jest
			.spyOn(Container.get(BinaryDataService), 'store')
			.mockRejectedValue(Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' }));
		const parameters = answerWith(shape);
		const failed = await chat.run(shape.operation, parameters, { executionId: '71' });
		expect(failed.error?.message).toContain('n8n could not save the file (its disk is full)');
		store.mockRestore();
		const retried = await retryRun(chat.workflow(shape.operation, parameters), failed, {
			credential: chat.credential(),
			executionId: '72',
		});
		expect(await filesOf(retried)).toEqual(shape.files);
		expect(chat.emulator.journal.count(OPERATIONS[shape.operation])).toBe(1);
	});

	it('is in the failed item with the whole answer when it cannot be stored', async () => {
		const shape = SHAPES['images of a message (OpenRouter)'];
		const store = jest
			.spyOn(Container.get(BinaryDataService), 'store')
			.mockRejectedValue(new UserError('File is larger than the limit of 512 MB'));
		const { items } = await chat.run(
			shape.operation,
			answerWith(shape),
			{},
			{ onError: 'continueRegularOutput' },
		);
		store.mockRestore();
		expect(items[0].json.error).toBe('n8n could not save the file (File is larger than the limit of 512 MB)');
		const { partial } = items[0].json.details as { partial: IDataObject };
		expect(JSON.stringify(partial.answer) === JSON.stringify(shape.answer)).toBe(true);
	});

	it('is beside the failure when the answer cannot be used', async () => {
		const shape = SHAPES['images of a message (OpenRouter)'];
		const { options } = answerWith(shape);
		const result = await chat.run(
			shape.operation,
			{ ...asJson(), options },
			{},
			{ onError: 'continueRegularOutput' },
		);
		expect(result.items[0].json).toHaveProperty('error');
		expect(await filesOf(result)).toEqual(shape.files);
	});
});
