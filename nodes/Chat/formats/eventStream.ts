import { answerFailure } from '../../shared/failure/words';
import { NOT_JSON, readJsonText, parseJson } from '../../shared/plain/json';
import { Turns } from '../../shared/plain/turns';
import { type Fields, asRecord, isBlank } from '../../shared/plain/values';
import { objectsIn } from './lists';
import { errorIn, type ErrorEvent } from './streamError';

interface StreamEvent {
	/** The `event:` field; undefined for a plain `data:` event. */
	event?: string;
	/** All `data:` lines, joined with line feeds. */
	data: string;
}

/** The longest event, in characters and in `data:` lines. */
const MAX_EVENT_LENGTH = 16_000_000;
const MAX_EVENT_LINES = 100_000;
const MAX_EVENTS = 2_000_000;

const LINE_END = /\r\n|\n|\r(?!$)/g;

/** Reads server-sent events from chunks of any size. The last event may lack its blank line. */
export async function* readEvents(chunks: AsyncIterable<Buffer | string>): AsyncGenerator<StreamEvent> {
	let event: string | undefined;
	let data: string[] = [];
	let length = 0;
	let events = 0;
	let isBare = false;
	const finish = (): StreamEvent[] => {
		const lines = data.length > 1 && data.every(isWhole) ? data : [data.join('\n')];
		const finished = data.length > 0 ? lines.map((line) => ({ event, data: line })) : [];
		event = undefined;
		data = [];
		length = 0;
		isBare = false;
		events += 1;
		if (events > MAX_EVENTS) throw unreadable(`it has more than ${MAX_EVENTS} events`);
		return finished;
	};
	const addLine = (line: string) => {
		data.push(line);
		length += line.length;
		if (length > MAX_EVENT_LENGTH || data.length > MAX_EVENT_LINES) throw tooLong();
	};
	for await (const line of readLines(chunks)) {
		if (line === '') {
			yield* finish();
			continue;
		}
		// Some gateways write an error, or every event, without "data:"; Gemini, over several lines (vercel/ai#5217).
		isBare ||= data.length === 0 && line.startsWith('{');
		if (isBare) {
			addLine(line);
			if (data.length > 1 ? line === '}' : line !== '{') yield* finish();
			continue;
		}
		const colon = line.indexOf(':');
		const field = colon < 0 ? line : line.slice(0, colon);
		// Servers based on vLLM send an error in a field named "error".
		if (field === 'error') event = field;
		else if (field !== 'data' && field !== 'event') continue;
		const value = colon < 0 ? '' : line.slice(line.charAt(colon + 1) === ' ' ? colon + 2 : colon + 1);
		if (field === 'event') event = value;
		else addLine(value);
	}
	yield* finish();
}

/** Tells whether a line is a whole event: GLM and Kimi send tool calls without blank lines between events. */
function isWhole(line: string): boolean {
	return line.trim() === DONE || parseJson(line) !== undefined;
}

function tooLong(): Error {
	return unreadable('an event in it is too long');
}

function unreadable(why: string): Error {
	return answerFailure(`its event stream cannot be read because ${why}`);
}

/** Ends a format-A stream (interface, 6.2). */
export const DONE = '[DONE]';

/** An event that should be a JSON object, but cannot be read. */
export class DamagedEvent {
	constructor(
		readonly data: string,
		/** The reason why it cannot be read, as the end of a sentence. */
		readonly problem: string,
	) {}
}

export type ChatEvent = Fields | ErrorEvent | DamagedEvent | typeof DONE;

/**
 * Reads the JSON objects of a chat stream in any format, up to `[DONE]`, `message_stop`, an error, or its end. The
 * caller decides whether the answer is complete. @throws the error of the connection, after all events that arrived
 */
export async function* readJsonEvents(
	chunks: AsyncIterable<Buffer | string> | Iterable<string>,
): AsyncGenerator<ChatEvent> {
	let broken: { error: unknown } | undefined;
	for await (const { event, data } of readEvents(untilBroken(chunks, (error) => (broken = { error })))) {
		if (data.trim() === DONE) {
			yield DONE;
			return;
		}
		if (isBlank(data)) continue;
		const parsed = await readJsonText(data);
		const value = 'value' in parsed ? parsed.value : undefined;
		const list = objectsIn(value);
		for (const body of list.length > 0 ? list : [asRecord(value)]) {
			const error = errorIn(body ?? data, event);
			if (error) {
				yield error;
				return;
			}
			if (body) yield body;
			else if ('problem' in parsed && isPartOfAnswer(data, parsed.problem)) {
				yield new DamagedEvent(data, parsed.problem);
			}
			if (body?.type === 'message_stop') return;
		}
	}
	if (broken) throw broken.error;
}

/** Tells whether an event was meant to be a JSON object, unlike keep-alive texts, which are not part of the answer. */
function isPartOfAnswer(data: string, problem: string): boolean {
	return problem !== NOT_JSON || data.trimStart().startsWith('{');
}

/** Yields the chunks until the connection breaks, and then ends, so that an event without its end can still be read. */
async function* untilBroken<T>(
	chunks: AsyncIterable<T> | Iterable<T>,
	onBroken: (error: unknown) => void,
): AsyncGenerator<T> {
	try {
		yield* chunks;
	} catch (error) {
		onBroken(error);
	}
}

const LINES_PER_CHECK = 64;

async function* readLines(chunks: AsyncIterable<Buffer | string>): AsyncGenerator<string> {
	const turns = new Turns();
	const decoder = new TextDecoder('utf-8');
	/** An incomplete line. Only new text is searched for its end; otherwise a long line would take quadratic time. */
	let incomplete = '';
	// A CR at the end of a chunk may be the first half of a CRLF, so it waits for the next chunk.
	let heldBack = '';
	let count = 0;
	for await (const chunk of chunks) {
		const text = heldBack + (typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }));
		heldBack = text.endsWith('\r') ? '\r' : '';
		let start = 0;
		for (const { index, 0: lineEnd } of text.matchAll(LINE_END)) {
			yield incomplete + text.slice(start, index);
			incomplete = '';
			start = index + lineEnd.length;
			count += 1;
			if (count % LINES_PER_CHECK === 0 && turns.isOver) await turns.next();
		}
		incomplete += text.slice(start, text.length - heldBack.length);
		if (incomplete.length > MAX_EVENT_LENGTH) throw tooLong();
	}
	const last = incomplete + decoder.decode();
	if (last !== '') yield last;
}

/** Tells whether each line of a text is an event without "data:". */
export function isJsonLines(text: string): boolean {
	return /^\{.*\}\r?\n\s*\{/.test(text);
}

/** Tells whether a text begins like an event stream. @param text its first characters may be enough */
export function beginsLikeEvents(text: string): boolean {
	const start = text.slice(0, 64).trimStart();
	const beginnings = ['data:', 'event:', 'id:', 'retry:', ':'];
	// The first chunk may be shorter than a field name.
	return start !== '' && beginnings.some((one) => start.startsWith(one) || one.startsWith(start));
}

/** Removes comments of event streams, which OpenRouter also sends before JSON (router-for-me/CLIProxyAPI#417). */
export function withoutComments(text: string): string {
	let start = 0;
	while (/^[\s:]/.test(text.charAt(start))) {
		const end = text.charAt(start) === ':' ? text.indexOf('\n', start) : start;
		if (end < 0) return text;
		start = end + 1;
	}
	return text.charAt(start) === '{' ? text.slice(start) : text;
}
