import { type Dialect, type Instead, refusal } from './dialect';

const WORDS = 'This is not what the workshop makes.';
const html = { 'content-type': 'text/html' };
const json = { 'content-type': 'application/json; charset=utf-8' };

const page = (status: number, title: string) =>
	`<html>\r\n<head><title>${status} ${title}</title></head>\r\n<body>\r\n<center><h1>${status} ${title}</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n`;

interface Foreign {
	name: string;
	description: string;
	words: string[];
	instead: Instead;
}

const nginx = (status: number, title: string): Foreign => ({
	name: `nginx-${status}`,
	description: `Status ${status} with a page of nginx`,
	words: [title.toLowerCase(), String(status)],
	instead: { status, headers: html, body: page(status, title) },
});

const body = (name: string, says: string, status: number, value: object): Foreign => ({
	name,
	description: `Status ${status} with \`${says}\``,
	words: [WORDS],
	instead: { status, headers: json, body: JSON.stringify(value) },
});

const FOREIGN: Foreign[] = [
	{ ...nginx(413, 'Request Entity Too Large'), words: ['too large'] },
	...[nginx(502, 'Bad Gateway'), nginx(504, 'Gateway Time-out')],
	...[nginx(403, 'Forbidden'), nginx(404, 'Not Found')],
	{
		name: 'redirect-302',
		description: 'A redirect to a sign-in page, with HTML',
		words: ['sign-in.invalid'],
		instead: {
			status: 302,
			headers: { ...html, location: 'https://sign-in.invalid/gateway' },
			body: page(302, 'Found'),
		},
	},
	body('status-503-model-not-found', '{error: {code: "model_not_found"}}', 503, {
		error: { message: WORDS, type: 'new_api_error', code: 'model_not_found' },
	}),
	body('status-500-invalid-request', '{error: {type: "invalid_request_error"}}', 500, {
		error: { message: WORDS, type: 'invalid_request_error', code: null },
	}),
	body('status-422-detail', '{detail: [{loc, msg, type}]}', 422, {
		detail: [{ loc: ['body', 'model'], msg: WORDS, type: 'value_error' }],
	}),
	body('status-400-errors', '{errors: [{message}]}', 400, { errors: [{ message: WORDS }] }),
	body('status-429-insufficient-quota', '{error: {code: "insufficient_quota"}}', 429, {
		error: { message: WORDS, type: 'insufficient_quota', code: 'insufficient_quota' },
	}),
];

/** Failing statuses whose bodies are not the documented error object. */
export const foreignStatuses: readonly Dialect[] = FOREIGN.map(({ name, description, words, instead }) =>
	refusal({ name, description, routes: ['*'], meaning: { kind: 'failure', words }, instead }),
);
