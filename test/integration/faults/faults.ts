import type { Emulator, Rule } from '../../../emulator';
import { systemClock } from '../../../nodes/shared/pacing/clock';
import type { FaultServers } from './faultServers';

/** One fault in a rule of the emulator. */
type RuleFault = NonNullable<Rule['faults']>[number];

/** The servers that a fault can use. */
interface Surroundings {
	emulator: Emulator;
	servers: FaultServers;
}

/** One row of the matrix. */
export interface FaultCase {
	name: string;
	/** The addresses in the credential instead of the emulator's; for faults before HTTP begins. */
	credential?(surroundings: Surroundings): { baseUrl: string; alternateBaseUrl?: string };
	/** What the emulator does; for all other faults. */
	fault?(surroundings: Surroundings): RuleFault;
	/** Time limit in the node's Options, in seconds, for faults that last until the limit is exceeded. */
	timeoutSeconds?: number;
	/** Takes so much work that only a few run at the same time. */
	heavy?: boolean;
}

const status = (code: number, more: object = {}): FaultCase => ({
	name: String(code),
	fault: () => ({ kind: 'status', status: code, ...more }),
});
const tooMany = (name: string, headers: () => Record<string, string>): FaultCase => ({
	name: `429, Retry-After ${name}`,
	fault: () => ({ kind: 'status', status: 429, headers: headers() }),
});
const body = (name: string, fault: RuleFault, heavy = false): FaultCase => ({
	name,
	fault: () => fault,
	heavy,
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
	body('reset before the headers', { kind: 'resetBeforeHeaders' }),
	body('cut in the body', { kind: 'cut', afterBytes: 20 }),
	{ name: 'no answer', fault: () => ({ kind: 'stall' }), timeoutSeconds: 10 },
	{ name: 'stalled body', fault: () => ({ kind: 'stall', afterBytes: 20 }), timeoutSeconds: 10 },
	body('slow drip', { kind: 'drip', bytes: 800, delayMs: 3 }),
	...[400, 401, 403, 404, 408, 413].map((code) => status(code)),
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
		name: 'redirect to another origin',
		fault: ({ servers }) => ({ kind: 'redirect', status: 307, location: `${servers.foreign}/elsewhere` }),
	},
	{ name: 'redirect loop', fault: () => ({ kind: 'redirect', status: 307, location: '?again' }) },
	body('empty body', { kind: 'empty', status: 200 }),
	body('wrong content type', { kind: 'wrongContentType' }),
	body('truncated JSON', { kind: 'truncatedJson' }),
	body('deep JSON', { kind: 'deepJson' }),
	body('huge JSON', { kind: 'hugeJson' }, true),
	body('gzip bomb', { kind: 'gzipBomb' }, true),
	body('invalid UTF-8', { kind: 'invalidUtf8' }),
	{
		name: 'failure inside 200',
		fault: () => ({
			kind: 'status',
			status: 200,
			body: { error: { message: 'The engine is busy.', type: 'server_error', code: 'busy' } },
		}),
	},
];
