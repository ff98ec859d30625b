import { answerFailure, statusFailure } from '../../shared/errors/errorMessages';
import { readErrorBody } from '../../shared/errors/errorBody';
import { asRecord, isTooDeep, parseJson } from '../../shared/values';

/** One event of a server-sent event stream. */
export interface StreamEvent {
	/** The `event:` field; undefined for a plain `data:` event. */
	event?: string;
	/** All `data:` lines, joined with line feeds. */
	data: string;
}

const LINE_END = /\r\n|\n|\r/;

/** Maximum length of an event, in characters, so that a stream without line ends does not fill the memory. */
const MAX_EVENT_LENGTH = 16_000_000;

/**
 * Reads server-sent events from chunks of any size. It skips comments, joins the data lines of an event, accepts CR,
 * LF, and CRLF as line ends, and keeps UTF-8 characters whole that are split between chunks. An event without its
 * final blank line counts as well.
 *
 * @throws GatewayFailure (kind `answer`) for an event that is too long; the stream's own error when it breaks
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

/** Ends a format-A stream (interface, 6.2). */
export const DONE = '[DONE]';

/**
 * Reads the JSON objects of a chat stream in any of the three formats. It ends after `[DONE]`, after `message_stop` of
 * the messages format, or with the stream. The caller decides from the finish reason whether the answer is complete.
 *
 * @throws GatewayFailure for an `error` object in the stream
 */
export async function* readJsonEvents(
	chunks: AsyncIterable<Buffer | string>,
): AsyncGenerator<Record<string, unknown> | typeof DONE> {
	for await (const { event, data } of readEvents(chunks)) {
		if (data.trim() === DONE) {
			yield DONE;
			return;
		}
		if (isTooDeep(data)) throw answerFailure('an event of its stream is nested too deeply');
		const body = asRecord(parseJson(data)?.value);
		// Keep-alive texts and other non-JSON events are not part of the answer.
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
	return answerFailure('the gateway ended it with an error message', {
		...facts,
		mayHaveBeenCarriedOut: true,
	});
}

async function* readLines(chunks: AsyncIterable<Buffer | string>): AsyncGenerator<string> {
	const decoder = new TextDecoder('utf-8');
	/** An incomplete line. Only new text is searched for its end; otherwise a long line would take quadratic time. */
	let incomplete = '';
	// A CR at the end of a chunk may be the first half of a CRLF, so it waits for the next chunk.
	let heldBack = '';
	for await (const chunk of chunks) {
		const text = heldBack + (typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }));
		heldBack = text.endsWith('\r') ? '\r' : '';
		const lines = text.slice(0, text.length - heldBack.length).split(LINE_END);
		lines[0] = incomplete + lines[0];
		incomplete = lines.pop() ?? '';
		if (incomplete.length > MAX_EVENT_LENGTH) throw answerFailure('an event of its stream is too long');
		yield* lines;
	}
	const rest = incomplete + heldBack + decoder.decode();
	if (rest !== '') yield* rest.split(LINE_END);
}
