import { systemClock } from '../../../nodes/shared/limiter/clock';
import { fault, type FaultCase } from './faultCase';
import { streamFaults } from './streamFaults';
import type { OperationCase, Reader } from './operationCase';
import type { Ending } from './tlsFront';

const status = (code: number, more: object = {}): FaultCase => ({
	name: String(code),
	fault: () => ({ kind: 'status', status: code, ...more }),
});
const tooMany = (name: string, headers: () => Record<string, string>): FaultCase => ({
	name: `429, Retry-After ${name}`,
	fault: () => ({ kind: 'status', status: 429, headers: headers() }),
});
/** What Node.js reads by default. */
const MAX_HEADER_BYTES = 16_384;
/** The fault replaces the content of the answer, which some operations can still use. */
const altered = { altersAnswers: () => true };
/** Texts that share a request are sent again in smaller requests, so they share the tokens in other ways. */
const sharesRequests = ({ batch }: OperationCase) => batch?.isSharedAlone === true;
/** Answers that never end, each for the operations that read it to its end. */
const endless = (name: string, of: 'content' | 'whiteSpace', ...readers: Reader[]) =>
	fault(
		`endless ${name}`,
		{ kind: 'endless', of, delayMs: 20 },
		{
			perReader: true,
			suits: ({ reader }) => reader !== undefined && readers.includes(reader),
			neverEnds: true,
			totalMinutes: 0.5,
			timeoutSeconds: 10,
		},
	);
const afterRequest = (name: string, ending: Ending): FaultCase => ({
	name: `TLS: ${name} after the request`,
	credential: ({ emulator, servers, hits, times }) => ({
		baseUrl: servers.tls.urlOf({
			emulator,
			ending,
			times: times === 'always' ? Infinity : times,
			when: hits,
		}),
	}),
	hitsContent: true,
	perReader: true,
	suits: ({ route }) => route === undefined,
});

/** The rows of the matrix, in order. */
export const faultCases: FaultCase[] = [
	{ name: 'name not found', credential: () => ({ baseUrl: 'http://no-such-gateway.invalid' }) },
	{ name: 'connection refused', credential: ({ servers }) => ({ baseUrl: servers.refused }) },
	{
		name: 'connection refused, alternate address works',
		credential: ({ servers, emulator }) => ({
			baseUrl: servers.refused,
			alternateBaseUrl: emulator.url,
		}),
	},
	{ name: 'TLS: certificate not trusted', credential: ({ servers }) => ({ baseUrl: servers.untrusted }) },
	{ name: 'TLS: connection closed', credential: ({ servers }) => ({ baseUrl: servers.brokenTls }) },
	{
		name: 'TLS: not supported',
		credential: ({ emulator }) => ({ baseUrl: emulator.url.replace('http:', 'https:') }),
	},
	{
		name: 'connecting takes too long',
		credential: ({ servers }) => ({ baseUrl: servers.silent }),
		timeoutSeconds: 6,
	},
	afterRequest('an alert', 'alert'),
	afterRequest('garbage', 'garbage'),
	afterRequest('reset', 'reset'),
	afterRequest('the end of the connection', 'end'),
	fault('reset before the headers', { kind: 'resetBeforeHeaders' }),
	fault('cut in the body', { kind: 'cut', afterBytes: 20 }),
	fault('cut before the last byte', { kind: 'cut', afterBytes: -1 }, { perReader: true }),
	{ name: 'no answer', fault: () => ({ kind: 'stall' }), timeoutSeconds: 10 },
	{ name: 'stalled body', fault: () => ({ kind: 'stall', afterBytes: 20 }), timeoutSeconds: 10 },
	fault(
		'stalled before the last byte',
		{ kind: 'stall', afterBytes: -1 },
		{ perReader: true, timeoutSeconds: 10 },
	),
	fault('slow drip', { kind: 'drip', bytes: 800, delayMs: 3 }),
	...[400, 401, 403, 404, 408, 413].map((code) => ({ ...status(code), altersAnswers: sharesRequests })),
	tooMany('in seconds', () => ({ 'retry-after': '1' })),
	tooMany('as a date', () => ({ 'retry-after': new Date(systemClock.date() + 2_000).toUTCString() })),
	tooMany('in milliseconds', () => ({ 'retry-after-ms': '300' })),
	tooMany('missing', () => ({})),
	tooMany('of one day', () => ({ 'retry-after': '86400' })),
	status(500),
	{ name: '500, web page', fault: () => ({ kind: 'html', status: 500 }) },
	{ name: '502, web page', fault: () => ({ kind: 'html', status: 502 }) },
	...[503, 504, 529].map((code) => status(code)),
	{
		...altered,
		name: 'redirect to another origin',
		fault: ({ servers }) => ({ kind: 'redirect', status: 307, location: `${servers.foreign}/elsewhere` }),
	},
	{
		...altered,
		name: 'redirect loop',
		fault: ({ hits = '' }) => ({ kind: 'redirect', status: 307, location: `?again=${hits}` }),
	},
	fault('empty body', { kind: 'empty', status: 200 }, altered),
	fault('wrong content type', { kind: 'wrongContentType' }, altered),
	fault('truncated JSON', { kind: 'truncatedJson' }, altered),
	fault('deep JSON', { kind: 'deepJson' }, altered),
	fault('invalid UTF-8', { kind: 'invalidUtf8' }, altered),
	{
		name: 'failure inside 200',
		fault: () => ({
			kind: 'status',
			status: 200,
			body: { error: { message: 'The engine is busy.', type: 'server_error', code: 'busy' } },
		}),
	},
	...[12_000, 100_000].map((length) =>
		fault(
			`header of ${length.toLocaleString('en')} bytes`,
			{ kind: 'moreHeaders', headers: { 'x-note': 'n'.repeat(length) } },
			{ perReader: true, hidesAnswer: length > MAX_HEADER_BYTES },
		),
	),
	...streamFaults,
	endless('file', 'content', 'audio', 'audio to join', 'image file', 'track'),
	endless(
		'white space',
		'whiteSpace',
		'JSON',
		'image in JSON',
		'task',
		'voice list',
		'embeddings',
		'utility',
	),
];
