import { type Dialect, type Meaning, refusal, variant } from './dialect';
import { eachData, isObject, type JsonObject } from './json';
import { CHATS } from './routes';

const WORDS = 'The upstream account has run dry.';
const BUSY = 'Too many songs at once, come back in a moment.';

const json = { 'content-type': 'application/json; charset=utf-8' };
const html = { 'content-type': 'text/html' };
const events = { 'content-type': 'text/event-stream; charset=utf-8' };

/** A failure, as the body of an answer. */
interface Failing {
	name: string;
	says: string;
	source: string;
	body: JsonObject;
	/** The HTTP status with the same meaning. */
	status?: number;
	/** The number of requests that it affects; default all. */
	times?: number;
}

const INSIDE: Failing[] = [
	{
		name: 'code-401-msg',
		says: '{code: 401, msg}',
		source: 'Recorded: a failing code beside msg or message',
		body: { code: 401, msg: WORDS },
		status: 401,
	},
	{
		name: 'code-429',
		says: '{code: 429, message}, once',
		source: 'Recorded: a failing code beside msg or message',
		body: { code: 429, message: BUSY },
		status: 429,
		times: 1,
	},
	{
		name: 'rate-limit-type',
		says: '{error: {message, type: "rate_limit_error"}}, once',
		source: 'Anthropic: the type of a rate limit',
		body: { error: { message: BUSY, type: 'rate_limit_error' } },
		status: 429,
		times: 1,
	},
	{
		name: 'success-false',
		says: '{success: false, message}',
		source: 'New API: errors of its management endpoints',
		body: { success: false, message: WORDS },
	},
	{ name: 'error-text', says: '{error: text}', source: 'Ollama: errors', body: { error: WORDS } },
	{ name: 'detail-text', says: '{detail: text}', source: 'FastAPI: HTTPException', body: { detail: WORDS } },
	{
		name: 'detail-list',
		says: '{detail: [{msg, loc}]}',
		source: 'FastAPI: validation errors',
		body: { detail: [{ msg: WORDS, loc: ['body', 'model'] }] },
	},
	{
		name: 'base-resp',
		says: '{base_resp: {status_code: 1004, status_msg}}',
		source: 'MiniMax: base_resp',
		body: { base_resp: { status_code: 1004, status_msg: WORDS } },
		status: 401,
	},
	{
		name: 'base-resp-limit',
		says: '{base_resp: {status_code: 1002, status_msg}}, once',
		source: 'MiniMax: error codes',
		body: { base_resp: { status_code: 1002, status_msg: BUSY } },
		status: 429,
		times: 1,
	},
];

function meaningOf({ status, times }: Failing): Meaning {
	if (times !== undefined) return { kind: 'same' };
	return { kind: 'failure', words: [WORDS], ...(status === undefined ? {} : { status }) };
}

const inBody = (failing: Failing) =>
	refusal({
		name: `error-${failing.name}`,
		description: `A failure inside status 200: \`${failing.says}\``,
		source: failing.source,
		routes: ['*'],
		times: failing.times,
		meaning: meaningOf(failing),
		instead: { status: 200, headers: json, body: JSON.stringify(failing.body) },
	});

const inStream = (failing: Failing) =>
	refusal({
		name: `stream-error-${failing.name}`,
		description: `A failure as the first event of a stream: \`${failing.says}\``,
		source: failing.source,
		routes: CHATS,
		needsStream: true,
		times: failing.times,
		meaning: meaningOf(failing),
		instead: { status: 200, headers: events, body: `data: ${JSON.stringify(failing.body)}\n\n` },
	});

/** Fields beside an answer that look like an error, although there is none. */
const HARMLESS: Array<[name: string, says: string, source: string, fields: JsonObject]> = [
	['error-null', '"error": null', 'Recorded: chunks without an error', { error: null }],
	['error-empty', '"error": ""', 'Recorded: chunks without an error', { error: '' }],
	['error-empty-object', '"error": {}', 'Recorded: chunks without an error', { error: {} }],
	[
		'base-resp-0',
		'"base_resp": {"status_code": 0}',
		'MiniMax: base_resp',
		{ base_resp: { status_code: 0, status_msg: '' } },
	],
	['success-true', '"success": true', 'New API: list of models', { success: true }],
	['code-success', '"code": "success"', 'New API: music tasks', { code: 'success', message: '' }],
];

/** Adds fields to an answer. A message of the answer itself is kept, but a code in it is replaced. */
const withFields = (value: JsonObject, { message, ...fields }: JsonObject) => ({
	...(message === undefined ? {} : { message }),
	...value,
	...fields,
});

const beside = ([name, says, source, fields]: (typeof HARMLESS)[number]) =>
	variant({
		name: `harmless-${name}`,
		description: `\`${says}\` beside a good answer, or in every event`,
		source,
		routes: ['/v1*'],
		json: (value) => (isObject(value) ? withFields(value, fields) : value),
		events: (all) => eachData(all, (data) => withFields(data as JsonObject, fields)),
	});

/** Failures inside status 200, and harmless fields that look like failures. */
export const errorsInside: readonly Dialect[] = [
	...INSIDE.map(inBody),
	...INSIDE.map(inStream),
	...HARMLESS.map(beside),
];

const page = (status: number, title: string) =>
	`<html>\r\n<head><title>${status} ${title}</title></head>\r\n<body>\r\n<center><h1>${status} ${title}</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n`;

const nginx = (status: number, title: string, words: string[]) =>
	refusal({
		name: `nginx-${status}`,
		description: `Status ${status} with a page of nginx`,
		source: 'nginx: default error pages',
		routes: ['*'],
		meaning: { kind: 'failure', words },
		instead: { status, headers: html, body: page(status, title) },
	});

const failed = (name: string, says: string, source: string, status: number, body: object) =>
	refusal({
		name: `status-${status}-${name}`,
		description: `Status ${status} with \`${says}\``,
		source,
		routes: ['*'],
		meaning: { kind: 'failure', words: [WORDS] },
		instead: { status, headers: json, body: JSON.stringify(body) },
	});

/** Failing statuses whose body is not the documented error object. */
export const failingStatuses: readonly Dialect[] = [
	nginx(413, 'Request Entity Too Large', ['too large']),
	nginx(502, 'Bad Gateway', ['bad gateway', '502']),
	nginx(504, 'Gateway Time-out', ['gateway time-out', '504']),
	refusal({
		name: 'redirect-302',
		description: 'A redirect to a sign-in page, with HTML',
		source: 'Recorded: a redirect with a page',
		routes: ['*'],
		meaning: { kind: 'failure', words: ['sign-in.invalid'] },
		instead: {
			status: 302,
			headers: { ...html, location: 'https://sign-in.invalid/gateway' },
			body: page(302, 'Found'),
		},
	}),
	failed('model-not-found', '{error: {code: "model_not_found"}}', 'New API: no channel for a model', 503, {
		error: { message: WORDS, type: 'new_api_error', code: 'model_not_found' },
	}),
	failed('invalid-request', '{error: {type: "invalid_request_error"}}', 'New API: relayed errors', 500, {
		error: { message: WORDS, type: 'invalid_request_error', code: null },
	}),
	failed('detail', '{detail: [{loc, msg, type}]}', 'FastAPI: validation errors', 422, {
		detail: [{ loc: ['body', 'model'], msg: WORDS, type: 'value_error' }],
	}),
	failed('metadata-raw', '{error: {metadata: {raw}}}', 'OpenRouter: error.metadata.raw', 400, {
		error: { message: 'Provider returned error', code: 400, metadata: { raw: WORDS } },
	}),
	failed(
		'exhausted-balance',
		'{detail: "… Exhausted balance"}',
		'fal.ai: github.com/fal-ai/fal/issues/1147',
		403,
		{
			detail: `User is locked. Reason: Exhausted balance. ${WORDS}`,
		},
	),
	failed('quota-exceeded', '{detail: {status, message}}', 'ElevenLabs: quota_exceeded', 401, {
		detail: { status: 'quota_exceeded', message: `This request exceeds your quota. ${WORDS}` },
	}),
	failed('spending-limit', '{code, error}', 'xAI API: github.com/continuedev/continue/issues/10373', 429, {
		code: 'Some resource has been exhausted',
		error: `Your team has used all available credits. ${WORDS}`,
	}),
	failed('insufficient-quota', '{error: {code: "insufficient_quota"}}', 'OpenAI: error codes', 429, {
		error: { message: WORDS, type: 'insufficient_quota', code: 'insufficient_quota' },
	}),
];
