import { ChatReader, readChatAnswer } from '../../../nodes/Chat/formats/readAnswer';
import { toFailure } from '../../../nodes/shared/errors/gatewayFailure';
import { streamFrom } from '../../../nodes/shared/answer/byteStream';

const chunk = (delta: object, finish: string | null = null) => ({
	choices: [{ index: 0, delta, finish_reason: finish }],
});
const CHUNKS = [chunk({ content: 'On' }), chunk({ content: 'ce' }, 'stop')];
const json = (value: unknown) => JSON.stringify(value);
const events = (values: unknown[], end = '\n\n') => values.map((one) => `data: ${json(one)}${end}`).join('');

/** What a chat makes of an answer: its text, or its failure with everything that had arrived. */
async function read(text: string, contentType = 'text/event-stream') {
	const reader = new ChatReader(true);
	const body = streamFrom([Buffer.from(text)]);
	const answer = {
		status: 200,
		headers: { 'content-type': contentType },
		body,
		url: 'https://gateway.example/',
	};
	try {
		return readChatAnswer(await reader.read(answer), 'm').text;
	} catch (error) {
		return reader.withArrived(toFailure(error));
	}
}

describe('A stream of another gateway', () => {
	const cases: Array<[what: string, text: string, contentType?: string]> = [
		['without blank lines', events(CHUNKS, '\n')],
		['without "data:"', CHUNKS.map((one) => `${json(one)}\n`).join('')],
		['with an event in each line', CHUNKS.map((one) => `${json(one)}\n`).join(''), 'application/x-ndjson'],
		[
			'with an event in each line of JSON',
			CHUNKS.map((one) => `${json(one)}\n`).join(''),
			'application/json',
		],
		['in an envelope', events(CHUNKS.map((result) => ({ success: true, result })))],
		['that is one answer', json({ choices: [{ message: { content: 'Once' }, finish_reason: 'stop' }] })],
		[
			'with comments before one answer',
			`: PING\n\n: PING\n\n${json({ choices: [{ message: { content: 'Once' }, finish_reason: 'stop' }] })}`,
			'application/json',
		],
	];

	it.each(cases.map(([what, text, type]) => ({ what, text, type })))(
		'$what is read',
		async ({ text, type }) => {
			expect(await read(text, type)).toBe('Once');
		},
	);

	it('has the words of an error that is not an event, or of the first choice', async () => {
		expect(await read(json({ error: { message: 'Busy', code: 429 } }))).toMatchObject({
			kind: 'rateLimit',
			message: expect.stringContaining('Busy'),
		});
		expect(await read(`${events([CHUNKS[0]])}data: [ERROR] Upstream died\n\n`)).toMatchObject({
			message: expect.stringContaining('Upstream died'),
			facts: { mayHaveBeenCarriedOut: true, partial: { text: 'On' } },
		});
		const failed = {
			choices: [{ index: 0, delta: {}, finish_reason: 'error', error: { message: 'Down', code: 502 } }],
		};
		expect(await read(events([CHUNKS[0], failed]))).toMatchObject({
			message: expect.stringContaining('Down'),
			facts: { partial: { text: 'On' } },
		});
		const whole = { choices: [{ message: { content: '' }, error: { message: 'Down', code: 429 } }] };
		const failure = await read(json(whole), 'application/json');
		expect(failure).toMatchObject({ kind: 'rateLimit', message: expect.stringContaining('Down') });
		expect((failure as ReturnType<typeof toFailure>).facts.mayHaveBeenCarriedOut).toBeUndefined();
	});

	it('in no known format is kept', async () => {
		expect(await read(events([{ odd: 'Once' }]))).toMatchObject({
			kind: 'answer',
			message: expect.stringContaining('its event stream contains no answer'),
			facts: { partial: { event: '{"odd":"Once"}' } },
		});
	});
});
