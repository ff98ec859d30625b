import { answerFailure, statusFailure } from '../errors/errorMessages';
import { readErrorBody } from '../errors/errorBody';
import { asRecord, isTooDeep, parseJson } from '../values';

/** One event of a server-sent event stream. */
export interface StreamEvent {
	/** The `event:` field; undefined for a plain `data:` event. */
	event?: string;
	/** All `data:` lines, joined by line feeds. */
	data: string;
}

const LINE_END = /\r\n|\n|\r/;

/** Longest event that is kept, in characters: a stream that never ends a line must not fill the memory. */
const MAX_EVENT_LENGTH = 16_000_000;

/**
 * Reads server-sent events from bytes in chunks of any size: comments are passed over, data lines of one
 * event joined, CR, LF and CRLF end a line, and UTF-8 split between chunks stays whole. An event without
 * its final blank line counts as well.
 *
 * @throws GatewayFailure (kind `answer`) for an event of absurd length; whatever the stream throws
 */
export async function* readEvents(chunks: AsyncIterable<Buffer | string>): AsyncGenerator<StreamEvent> {
	let event: string | undefined;
	let data: string[] = [];
	const finish = (): StreamEvent | undefined => {
		const finished = data.length > 0 ? { event, data: data.join('\n') } : undefined;
		event = undefined;
		data = [];
		return finished;
	};
	for await (const line of readLines(chunks)) {
		if (line === '') {
			const finished = finish();
			if (finished) yield finished;
			continue;
		}
		const [, field, value] = /^([^:]*)(?:: ?([\s\S]*))?$/.exec(line) ?? [];
		if (field === 'data') data.push(value ?? '');
		else if (field === 'event') event = value;
	}
	const last = finish();
	if (last) yield last;
}

/** What ends a format-A stream (interface, 6.2). */
export const DONE = '[DONE]';

/**
 * Reads the JSON objects of a chat stream in any of the three formats. It ends behind `[DONE]`, behind the
 * messages format's `message_stop`, or with the stream; whether the answer was complete then is for the
 * caller to see from its finish reason.
 *
 * @throws GatewayFailure for an `error` object inside the stream
 */
export async function* readJsonEvents(
	chunks: AsyncIterable<Buffer | string>,
): AsyncGenerator<Record<string, unknown> | typeof DONE> {
	for await (const { event, data } of readEvents(chunks)) {
		if (data.trim() === DONE) {
			yield DONE;
			return;
		}
		if (isTooDeep(data)) throw answerFailure('one event of its stream is nested too deeply');
		const body = asRecord(parseJson(data)?.value);
		// Keep-alive texts and other junk carry no answer.
		if (!body) continue;
		if (event === 'error' || (body.error !== undefined && body.error !== null)) throw streamFailure(body);
		yield body;
		if (body.type === 'message_stop') return;
	}
}

function streamFailure(body: Record<string, unknown>): Error {
	const facts = readErrorBody(body);
	const { type, code } = facts;
	const overloaded = /rate_limit|overloaded/.test(`${type} ${code}`);
	if (overloaded) return statusFailure({ status: 429, ...facts, mayHaveBeenCarriedOut: true });
	return answerFailure('the gateway broke it off with a message of its own', {
		...facts,
		mayHaveBeenCarriedOut: true,
	});
}

async function* readLines(chunks: AsyncIterable<Buffer | string>): AsyncGenerator<string> {
	const decoder = new TextDecoder('utf-8');
	/** A line that has begun. Only what is new is searched for its end, or a long line would take for ever. */
	let begun = '';
	// A CR at the very end may be the first half of a CRLF: it waits for the next chunk.
	let heldBack = '';
	for await (const chunk of chunks) {
		const text = heldBack + (typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }));
		heldBack = text.endsWith('\r') ? '\r' : '';
		const lines = text.slice(0, text.length - heldBack.length).split(LINE_END);
		lines[0] = begun + lines[0];
		begun = lines.pop() ?? '';
		if (begun.length > MAX_EVENT_LENGTH) throw answerFailure('one event of its stream is too long');
		yield* lines;
	}
	const rest = begun + heldBack + decoder.decode();
	if (rest !== '') yield* rest.split(LINE_END);
}
