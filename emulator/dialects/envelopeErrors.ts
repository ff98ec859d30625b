import { type Dialect, type Meaning, refusal, variant } from './dialect';
import { eachData, isObject, type JsonObject } from './json';
import { CHATS } from './routes';

/** One way of spelling a failure inside a successful status. */
interface Spelling {
	name: string;
	says: string;
	body: JsonObject;
	/** The HTTP status that says the same. */
	status?: number;
	/** How many requests it hits; by default all. */
	times?: number;
}

const WORDS = 'The upstream account has run dry.';
const BUSY = 'Too many songs at once, come back in a moment.';
const json = { 'content-type': 'application/json; charset=utf-8' };
const plain = { 'content-type': 'text/plain; charset=utf-8' };

const SPELLINGS: Spelling[] = [
	{ name: 'code-401-msg', says: '{code: 401, msg}', body: { code: 401, msg: WORDS }, status: 401 },
	{
		name: 'code-500-text',
		says: '{code: "500", message}',
		body: { code: '500', message: WORDS },
		status: 500,
	},
	{ name: 'status-500', says: '{status: 500, message}', body: { status: 500, message: WORDS }, status: 500 },
	{
		name: 'code-429',
		says: '{code: 429, message}, once',
		body: { code: 429, message: BUSY },
		status: 429,
		times: 1,
	},
	{
		name: 'code-429-always',
		says: '{code: 429, message}',
		body: { code: 429, message: BUSY },
		status: 429,
	},
	{ name: 'success-false', says: '{success: false, message}', body: { success: false, message: WORDS } },
	{ name: 'error-text', says: '{error: text}', body: { error: WORDS } },
	{ name: 'error-code-msg', says: '{error: {code, msg}}', body: { error: { code: 1001, msg: WORDS } } },
	{
		name: 'rate-limit-type',
		says: '{error: {message, type: "rate_limit_error"}}, once',
		body: { error: { message: BUSY, type: 'rate_limit_error' } },
		status: 429,
		times: 1,
	},
	{ name: 'detail-text', says: '{detail: text}', body: { detail: WORDS } },
	{
		name: 'detail-list',
		says: '{detail: [{msg, loc}]}',
		body: { detail: [{ msg: WORDS, loc: ['body', 'model'] }] },
	},
	{ name: 'errors-list', says: '{errors: [{message}]}', body: { errors: [{ message: WORDS }] } },
	{
		name: 'base-resp',
		says: '{base_resp: {status_code: 1004, status_msg}}',
		body: { base_resp: { status_code: 1004, status_msg: WORDS } },
	},
];

function meaningOf({ status, times, body }: Spelling): Meaning {
	if (times !== undefined) return { kind: 'same' };
	const words = [JSON.stringify(body).includes(BUSY) ? BUSY : WORDS];
	return status === undefined ? { kind: 'failure', words } : { kind: 'failure', words, status };
}

const inBody = (spelling: Spelling, headers: Record<string, string>, [suffix, how]: [string, string]) =>
	refusal({
		name: `error-${spelling.name}${suffix}`,
		description: `A failure inside status 200: \`${spelling.says}\`${how}`,
		routes: ['*'],
		times: spelling.times,
		meaning: meaningOf(spelling),
		instead: { status: 200, headers, body: JSON.stringify(spelling.body) },
	});

const inStream = (spelling: Spelling) =>
	refusal({
		name: `stream-error-${spelling.name}`,
		description: `A failure as the first event of a stream: \`${spelling.says}\``,
		routes: CHATS,
		needsStream: true,
		times: spelling.times,
		meaning: meaningOf(spelling),
		instead: {
			status: 200,
			headers: { 'content-type': 'text/event-stream; charset=utf-8' },
			body: `data: ${JSON.stringify(spelling.body)}\n\n`,
		},
	});

/** Fields beside an answer that look like an error and are none. */
const HARMLESS: Array<[name: string, says: string, fields: JsonObject]> = [
	['error-null', '"error": null', { error: null }],
	['error-empty', '"error": ""', { error: '' }],
	['error-empty-object', '"error": {}', { error: {} }],
	['base-resp-0', '"base_resp": {"status_code": 0}', { base_resp: { status_code: 0, status_msg: '' } }],
	['success-true', '"success": true', { success: true }],
	['code-0', '"code": 0', { code: 0, message: 'ok' }],
	['code-200', '"code": 200', { code: 200, msg: 'OK' }],
	['code-success', '"code": "success"', { code: 'success', message: '' }],
];

/** The words of an answer stay its own, but the code in it is the dialect's. */
const withFields = (value: JsonObject, { message, ...fields }: JsonObject) => ({
	...(message === undefined ? {} : { message }),
	...value,
	...fields,
});

const beside = ([name, says, fields]: (typeof HARMLESS)[number]) =>
	variant({
		name: `harmless-${name}`,
		description: `\`${says}\` beside a good answer, or in every event`,
		routes: ['/v1*'],
		json: (value) => (isObject(value) ? withFields(value, fields) : value),
		events: (events) => eachData(events, (data) => withFields(data as JsonObject, fields)),
	});

/** Failures inside status 200 in every spelling that was seen, and fields that look like one. */
export const envelopeErrors: readonly Dialect[] = [
	...SPELLINGS.map((spelling) => inBody(spelling, json, ['', ''])),
	...SPELLINGS.map((spelling) => inBody(spelling, plain, ['-as-text', ', as `text/plain`'])),
	...SPELLINGS.map(inStream),
	...HARMLESS.map(beside),
];
