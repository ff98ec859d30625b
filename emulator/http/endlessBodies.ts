import type { Fault } from '../behaviour/rule';
import { pause } from './exchange';

/** The longest end of a body that is repeated. */
const tailBytes = 1_000;

type Endless = Extract<Fault, { kind: 'endless' }>;

/** What is repeated in an event stream, as text; undefined for the last event itself. */
const repeated: Partial<Record<Endless['of'], string>> = {
	comments: ': still working\n\n',
	emptyEvents: 'data:\n\n',
	pings: 'event: ping\ndata: {"type": "ping"}\n\n',
};

/** Whether a fault repeats parts of an event stream. */
export function isEndlessStream(fault: Fault | undefined): fault is Endless {
	return fault?.kind === 'endless' && (fault.of === 'events' || fault.of in repeated);
}

/** Repeats something after an event until the client disconnects. */
export async function* endlessEvents(
	{ of, delayMs }: Endless,
	lastEvent: string,
	signal: AbortSignal,
): AsyncGenerator<Buffer> {
	const text = Buffer.from(repeated[of] ?? lastEvent);
	while (await pause(delayMs, signal)) yield text;
}

/** Sends a body and then, until the client disconnects, white space or the end of the body. */
export async function* endlessBody(
	chunks: AsyncIterable<Buffer>,
	{ of, delayMs }: Endless,
	signal: AbortSignal,
): AsyncGenerator<Buffer> {
	let tail = Buffer.alloc(1);
	for await (const chunk of chunks) {
		yield chunk;
		if (chunk.length > 0) tail = Buffer.from(chunk.subarray(-tailBytes));
	}
	const piece = of === 'whiteSpace' ? Buffer.from(' ') : tail;
	while (await pause(delayMs, signal)) yield piece;
}
