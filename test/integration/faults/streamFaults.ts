import { fault, isStreamed, type FaultCase } from './faultCase';

const inStream = { suits: isStreamed, perReader: true };
const endless = (
	name: string,
	of: 'comments' | 'emptyEvents' | 'pings' | 'events',
	more: Partial<FaultCase>,
) =>
	fault(
		`endless stream of ${name}`,
		{ kind: 'endless', of, delayMs: 20 },
		{ ...inStream, neverEnds: true, ...more },
	);

/** Faults in the event streams of chats. */
export const streamFaults: FaultCase[] = [
	fault('stream cut after four events', { kind: 'cut', afterEvents: 4 }, inStream),
	fault(
		'stream stalled after four events',
		{ kind: 'stall', afterEvents: 4 },
		{ ...inStream, timeoutSeconds: 10 },
	),
	fault('error in the stream', { kind: 'errorInStream', afterEvents: 4 }, inStream),
	fault(
		'error in the stream, as messages spell it',
		{
			kind: 'errorInStream',
			afterEvents: 4,
			name: 'error',
			error: { type: 'overloaded_error', message: 'Overloaded' },
		},
		inStream,
	),
	fault(
		'error in the stream, as generateContent spells it',
		{
			kind: 'errorInStream',
			afterEvents: 4,
			error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' },
		},
		inStream,
	),
	fault(
		'error in the stream, as text',
		{ kind: 'errorInStream', afterEvents: 4, error: 'The engine is busy.' },
		inStream,
	),
	endless('comments', 'comments', { timeoutSeconds: 10 }),
	endless('empty events', 'emptyEvents', { timeoutSeconds: 10 }),
	endless('pings', 'pings', { timeoutSeconds: 10, totalMinutes: 0.5 }),
	endless('content', 'events', { totalMinutes: 0.5 }),
];
