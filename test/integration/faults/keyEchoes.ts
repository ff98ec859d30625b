import { isStreamed, type FaultCase, type RuleFault, type Surroundings } from './faultCase';

const echo = (
	name: string,
	ruleFor: (key: string, surroundings: Surroundings) => RuleFault,
	more = {},
): FaultCase => ({
	name: `the key in ${name}`,
	fault: (surroundings) => ruleFor(surroundings.emulator.apiKey, surroundings),
	perReader: true,
	altersAnswers: () => true,
	...more,
});

/** An error object with status 400. */
const refusal = (message: string): RuleFault => ({
	kind: 'status',
	status: 400,
	body: { error: { message, type: 'invalid_request_error', code: 'invalid_request_error' } },
});

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** An event stream in which the key is split between two texts. */
function splitKey(key: string, { operation: { operation } }: Surroundings): RuleFault {
	const half = Math.ceil(key.length / 2);
	const texts = ['I know ', key.slice(0, half), key.slice(half), ' now.'];
	const event: Record<string, (text: string, isLast: boolean) => object> = {
		chatCompletion: (content, isLast) => ({
			choices: [{ index: 0, delta: { content }, finish_reason: isLast ? 'stop' : null }],
		}),
		message: (text) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
		generateContent: (text, isLast) => ({
			candidates: [
				{ content: { role: 'model', parts: [{ text }] }, ...(isLast ? { finishReason: 'STOP' } : {}) },
			],
		}),
	};
	const events = texts.map((text, index) => event[operation](text, index === texts.length - 1));
	const ending = operation === 'message' ? [{ type: 'message_stop' }] : [];
	const lines = [...events, ...ending].map((data) => `data: ${JSON.stringify(data)}\n\n`);
	return { kind: 'status', status: 200, contentType: 'text/event-stream', body: lines.join('') };
}

/** Gateways that repeat the key that they were sent. */
export const keyEchoes: FaultCase[] = [
	echo('an error', (key) => refusal(`The key ${key} may not do this.`)),
	echo('an error, in Base64', (key) => refusal(`Authorization: ${base64(`Bearer ${key}`)} ${base64(key)}`)),
	echo('an error, in an address', (key) => refusal(`GET /v1?key=${encodeURIComponent(key)} is unknown.`)),
	echo('an error, as text', (key) => ({ kind: 'status', status: 400, body: `Unknown key ${key}` })),
	echo('an error with status 200', (key) => ({
		kind: 'status',
		status: 200,
		body: { error: { message: `The key ${key} is used up.`, type: key, code: key } },
	})),
	echo('a web page', (key) => ({ kind: 'html', status: 200, title: key })),
	echo('an unusable answer', (key) => ({ kind: 'status', status: 200, body: `{"key":"${key}","id":` })),
	echo('headers', (key) => ({
		kind: 'status',
		status: 400,
		headers: { 'x-request-id': key, 'request-id': key, 'retry-after': key },
		body: { error: { message: `Refused (request id: ${key})`, type: key, code: key } },
	})),
	echo('headers of an answer', (key) => ({
		kind: 'moreHeaders',
		headers: { 'x-request-id': key, 'content-disposition': `attachment; filename="${key}.txt"` },
	})),
	echo(
		'an error in the stream',
		(key) => ({
			kind: 'errorInStream',
			afterEvents: 2,
			error: { message: `Key ${key}`, type: key, code: key },
		}),
		{ suits: isStreamed },
	),
	echo('a stream, in two halves', splitKey, { suits: isStreamed }),
];
