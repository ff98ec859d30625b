import type { ChatAnswer } from '../../../nodes/Chat/formats/answer';
import { ChatReader, readChatAnswer } from '../../../nodes/Chat/formats/readAnswer';
import { type GatewayFailure, toFailure } from '../../../nodes/shared/failure/failure';
import { answerOf } from '../answerOf';

/** Returns an event in the form in which it is sent. */
export const event = (data: unknown, name?: string) =>
	`${name ? `event: ${name}\n` : ''}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

export const eventsOf = (all: unknown[]) => all.map((one) => event(one)).join('');

/** Returns a chunk of a chat completion. */
export const chunk = (delta: object, finish: string | null = null, index = 0) => ({
	...{ id: 'c1', model: 'm' },
	choices: [{ index, delta, finish_reason: finish }],
});

type Sent = Parameters<typeof answerOf>[1];

/** Returns a response with this stream. */
export const streamOf = (text: string, sent: Sent = {}) =>
	answerOf(text, { contentType: 'text/event-stream', ...sent });

interface ReadStream {
	body: Record<string, unknown>;
	answer: ChatAnswer;
	/** The text that was passed on while the stream arrived. */
	live: string;
}

/** Reads a stream that consists of these events or this text. */
export async function readStream(events: unknown[] | string, sent: Sent = {}): Promise<ReadStream> {
	let live = '';
	const reader = new ChatReader(true, async (text) => void (live += text));
	const body = await reader.read(streamOf(typeof events === 'string' ? events : eventsOf(events), sent));
	return { body, answer: readChatAnswer(body, 'm'), live };
}

/** Returns the failure of a stream, which has everything that had arrived. */
export async function failureOf(events: unknown[] | string, sent: Sent = {}): Promise<GatewayFailure> {
	const reader = new ChatReader(true);
	const text = typeof events === 'string' ? events : eventsOf(events);
	const error: unknown = await reader.read(streamOf(text, sent)).then(
		(body) => expect(body).toBeUndefined(),
		(thrown: unknown) => thrown,
	);
	return toFailure(error);
}
