import type { Rule } from '../../../emulator';

type Fault = NonNullable<Rule['faults']>[number];

/** A fault after which nobody knows whether the gateway has carried the request out. */
export interface UnclearFault {
	name: string;
	fault: Fault;
	/** Time limit for the answer, in the nodes' time. */
	timeoutSeconds?: number;
	/** Whether it affects event streams only. */
	inStreams?: boolean;
}

export const UNCLEAR: UnclearFault[] = [
	{ name: '408', fault: { kind: 'status', status: 408 } },
	{ name: '500, page of a proxy', fault: { kind: 'html', status: 500 } },
	{ name: '500, empty', fault: { kind: 'empty', status: 500 } },
	{
		name: '500, the result could not be stored',
		fault: {
			kind: 'status',
			status: 500,
			body: { error: { message: 'Failed to store the result', type: 'server_error', code: 'server_error' } },
		},
	},
	{ name: '502, page of a proxy', fault: { kind: 'html', status: 502 } },
	{ name: '504, page of a proxy', fault: { kind: 'html', status: 504 } },
	{ name: '504, error object', fault: { kind: 'status', status: 504 } },
	{ name: '520', fault: { kind: 'html', status: 520 } },
	{ name: '524', fault: { kind: 'html', status: 524 } },
	{ name: 'reset before the headers', fault: { kind: 'resetBeforeHeaders' } },
	{ name: 'cut in the body', fault: { kind: 'cut', afterBytes: 5 } },
	{ name: 'cut event stream', fault: { kind: 'cut', afterEvents: 1 }, inStreams: true },
];

/** The factor of the fast clock of these tests. */
export const FACTOR = 20;
/** Two seconds in real time. */
const SHORT_TIMEOUT_SECONDS = 2 * FACTOR;

/** Answers that take longer than the time limit. */
export const TOO_LATE: UnclearFault[] = [
	{ name: 'no answer in time', fault: { kind: 'stall' }, timeoutSeconds: SHORT_TIMEOUT_SECONDS },
	{
		name: 'body not in time',
		fault: { kind: 'stall', afterBytes: 5 },
		timeoutSeconds: SHORT_TIMEOUT_SECONDS,
	},
];

/** Answers of a gateway that has not taken the request. */
export const NOT_TAKEN: UnclearFault[] = [429, 500, 503, 529].map((status) => ({
	name: String(status),
	fault: { kind: 'status', status },
}));
