import type { ChatAnswer } from '../../../nodes/Chat/formats/answer';
import { ChatReader, readChatAnswer } from '../../../nodes/Chat/formats/readAnswer';
import type { Answer } from '../../../nodes/shared/answer/answerReaders';
import { streamFrom } from '../../../nodes/shared/answer/byteStream';
import { type GatewayFailure, toFailure } from '../../../nodes/shared/errors/gatewayFailure';

/** An event as it is sent. */
export const event = (data: unknown, name?: string) =>
	`${name ? `event: ${name}\n` : ''}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

export const eventsOf = (all: unknown[]) => all.map((one) => event(one)).join('');

/** A chunk of a chat completion. */
export const chunk = (delta: object, finish: string | null = null, index = 0) => ({
	...{ id: 'c1', model: 'm' },
	choices: [{ index, delta, finish_reason: finish }],
});

interface Sent {
	/** Of the chunks, in bytes; the last one repeats. */
	sizes?: number[];
	contentType?: string;
	/** With which the connection breaks at the end. */
	error?: Error;
}

/** A response with this body. */
export function answerOf(text: string, { sizes = [1_000_000], contentType, error }: Sent = {}): Answer {
	async function* chunks() {
		const bytes = Buffer.from(text);
		let start = 0;
		for (let index = 0; start < bytes.length; index++) {
			const size = sizes[Math.min(index, sizes.length - 1)];
			yield bytes.subarray(start, start + size);
			start += size;
		}
		if (error) throw error;
	}
	const headers = { 'content-type': contentType ?? 'text/event-stream' };
	return { status: 200, headers, body: streamFrom(chunks()), url: 'https://gateway.example/' };
}

interface ReadStream {
	body: Record<string, unknown>;
	answer: ChatAnswer;
	/** The text that was passed on while it arrived. */
	live: string;
}

/** Reads a stream of these events, or of this text. */
export async function readStream(events: unknown[] | string, sent: Sent = {}): Promise<ReadStream> {
	let live = '';
	const reader = new ChatReader(true, async (text) => void (live += text));
	const body = await reader.read(answerOf(typeof events === 'string' ? events : eventsOf(events), sent));
	return { body, answer: readChatAnswer(body, 'm'), live };
}

/** The failure of a stream, with everything that had arrived. */
export async function failureOf(events: unknown[] | string, sent: Sent = {}): Promise<GatewayFailure> {
	const reader = new ChatReader(true);
	const text = typeof events === 'string' ? events : eventsOf(events);
	const error: unknown = await reader.read(answerOf(text, sent)).then(
		(body) => expect(body).toBeUndefined(),
		(thrown: unknown) => thrown,
	);
	return reader.withArrived(toFailure(error));
}
