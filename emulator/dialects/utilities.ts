import { type Dialect, refusal, variant } from './dialect';
import { isObject, type JsonObject } from './json';
import { UTILITIES } from './routes';

const WORDS = 'The source of this data has moved away.';
const json = { 'content-type': 'application/json; charset=utf-8' };

const isEnvelope = (value: unknown): value is JsonObject => isObject(value) && 'data' in value;

/** How the envelope of a good answer looks. */
const envelope = (
	name: string,
	says: string,
	change: (whole: JsonObject) => unknown,
	loose: Record<string, RegExp> = {},
) =>
	variant({
		name: `utility-${name}`,
		description: `A utility answers ${says}`,
		routes: UTILITIES,
		meaning: { kind: 'same', loose },
		json: (value) => (isEnvelope(value) ? change(value) : value),
	});

/** Data of a good answer with fields that look like those of a failure. */
const looksFailed = (name: string, fields: JsonObject) =>
	envelope(
		`looks-failed-${name}`,
		`with \`${JSON.stringify(fields)}\` in its data, beside real content`,
		(whole) => (isObject(whole.data) ? { ...whole, data: { ...whole.data, ...fields } } : whole),
		Object.fromEntries(Object.keys(fields).map((key) => [key, /^/])),
	);

const failed = (name: string, body: JsonObject) =>
	refusal({
		name: `utility-failed-${name}`,
		description: `A utility fails inside status 200: \`${JSON.stringify(body).replace(WORDS, '…')}\``,
		routes: UTILITIES,
		meaning: { kind: 'failure', words: [WORDS] },
		instead: { status: 200, headers: json, body: JSON.stringify(body) },
	});

/** Answers of utility endpoints, good and failed ones, that can be taken for each other. */
export const utilityShapes: readonly Dialect[] = [
	envelope('code-text', 'with `code: "200"`', (whole) => ({ ...whole, code: '200' })),
	envelope('code-0', 'with `code: 0`', (whole) => ({ ...whole, code: 0 })),
	envelope('status-for-code', '`{status: 200, msg, data}`', ({ data }) => ({ status: 200, msg: 'ok', data })),
	envelope('success', '`{success: true, data}`', ({ data }) => ({ success: true, data })),
	envelope('error-null', 'with `error: null`', (whole) => ({ ...whole, error: null })),
	envelope('error-empty', 'with `error: ""`', (whole) => ({ ...whole, error: '' })),
	envelope('more', 'with more fields in the envelope', (whole) => ({ ...whole, took: 12, cached: true })),
	envelope('reversed', 'with its fields in another order', (whole) =>
		Object.fromEntries(Object.entries(whole).reverse()),
	),
	looksFailed('error', { error: 'none so far' }),
	looksFailed('message', { message: 'Have a nice day' }),
	looksFailed('code', { code: 404 }),
	looksFailed('status', { status: 'failed' }),
	looksFailed('all', {
		code: 500,
		status: 'error',
		message: 'All of this is data',
		error: null,
		success: false,
	}),
	failed('code-404', { code: 404, message: WORDS, data: null }),
	failed('code-500-data', { code: 500, message: WORDS, data: {} }),
	failed('code-500-list', { code: 500, message: WORDS, data: [] }),
	failed('code-text', { code: '404', message: WORDS, data: null }),
	failed('error-in-data', { code: 404, message: 'ok', data: { error: WORDS } }),
	failed('status', { status: 'error', message: WORDS }),
	failed('msg', { code: 400, msg: WORDS, data: null }),
	failed('success-false', { success: false, message: WORDS, data: null }),
	failed('error', { error: WORDS, data: null }),
];
