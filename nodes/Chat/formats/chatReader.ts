import type { IDataObject } from 'n8n-workflow';
import { answerFailure, interruptedFailure } from '../../shared/errors/errorMessages';
import { peekBytes, type ByteStream } from '../../shared/http/byteStream';
import { DONE, readJsonEvents } from '../../shared/http/eventStream';
import { toFailure, type GatewayFailure } from '../../shared/errors/gatewayFailure';
import { parseAnswer, readText, type AnswerReader } from '../../shared/http/answerReaders';
import { mediaTypeOf } from '../../shared/http/headers';
import { isFields, type Assembler } from './assembler';
import { ChatCompletionAssembler } from './chatCompletionStream';
import { GenerateContentAssembler } from './generateContentStream';
import { MessagesAssembler } from './messagesStream';

/** Most bytes of events that are put together. */
const MAX_BYTES = 256_000_000;

/**
 * Reads the answer of a chat endpoint, whether it comes as an event stream, as one JSON body, or as a JSON
 * list of the events, and whatever was asked for.
 */
export class ChatReader {
	/** What has arrived of the answer's text; kept when the answer breaks off. */
	text = '';

	/**
	 * @param streamed whether an event stream was asked for
	 * @param onText called with each piece of the answer's text as soon as it is there
	 */
	constructor(
		private readonly streamed: boolean,
		private readonly onText: (text: string) => Promise<void> = async () => {},
	) {}

	/**
	 * For `GatewayClient.send`: gives the whole body in the answer's own format.
	 *
	 * @throws GatewayFailure when the stream ends before its answer does, or brings an error
	 */
	readonly read: AnswerReader<Record<string, unknown>> = async (answer) => {
		this.text = '';
		const { body: bytes, redact } = answer;
		const isStream = mediaTypeOf(answer) === 'text/event-stream';
		// Gateways that forget the content type still begin an event stream like one.
		if (isStream || (this.streamed && beginsLikeEvents((await peekBytes(bytes)).toString('latin1', 0, 64)))) {
			return await this.assemble(readJsonEvents(limited(bytes)), redact);
		}
		const text = await readText(answer);
		if (beginsLikeEvents(text)) return await this.assemble(readJsonEvents(each([text])), redact);
		const body = parseAnswer(text, answer);
		if (Array.isArray(body)) return await this.assemble(each(body.filter(isFields)), redact);
		if (!isFields(body)) throw answerFailure('it is not a JSON object');
		return body;
	};

	/** Takes the text of an answer that came as a whole, as if it were one piece of a stream. */
	async addWhole(text: string): Promise<void> {
		if (this.text === '' && text !== '') await this.addText(text);
	}

	/** The failure with the text that had arrived, so that what was paid for is not lost. */
	withText(error: unknown): GatewayFailure {
		const failure = toFailure(error);
		if (this.text === '') return failure;
		const partial: IDataObject = { ...failure.facts.partial, text: this.text };
		return failure.with({ partial });
	}

	private async assemble(
		events: AsyncIterable<Record<string, unknown> | typeof DONE>,
		redact: (text: string) => string,
	): Promise<Record<string, unknown>> {
		let assembler: Assembler | undefined;
		let done = false;
		try {
			for await (const event of events) {
				if (event === DONE) {
					done = true;
					continue;
				}
				assembler ??= assemblerFor(event);
				const text = redact(assembler?.add(event) ?? '');
				if (text !== '') await this.addText(text);
			}
		} catch (error) {
			// Whatever happens behind the end of the answer cannot spoil it.
			if (!assembler?.isComplete) throw passedOn(error);
		}
		if (assembler && (done || assembler.isComplete)) return cleared(assembler.body(), redact);
		if (done) throw answerFailure('its event stream holds no answer', { mayHaveBeenCarriedOut: true });
		throw interruptedFailure(false, { mayHaveBeenCarriedOut: true });
	}

	private async addText(text: string): Promise<void> {
		this.text += text;
		await this.onText(text);
	}
}

/** The key may have come in pieces, so the whole is cleared of it once more. */
function cleared(body: Record<string, unknown>, redact: (text: string) => string): Record<string, unknown> {
	const json = JSON.stringify(body);
	const clean = redact(json);
	return clean === json ? body : (JSON.parse(clean) as Record<string, unknown>);
}

function assemblerFor(event: Record<string, unknown>): Assembler | undefined {
	if ('choices' in event) return new ChatCompletionAssembler();
	if (/^(message|content_block)_/.test(`${event.type as string}`)) return new MessagesAssembler();
	if (['candidates', 'promptFeedback', 'usageMetadata'].some((name) => name in event)) {
		return new GenerateContentAssembler();
	}
	return undefined;
}

function beginsLikeEvents(text: string): boolean {
	const start = text.slice(0, 64).trimStart();
	const beginnings = ['data:', 'event:', 'id:', 'retry:', ':'];
	// The first chunk may be shorter than a word.
	return start !== '' && beginnings.some((one) => start.startsWith(one) || one.startsWith(start));
}

async function* each<T>(pieces: T[]): AsyncGenerator<T> {
	yield* pieces;
}

async function* limited(body: ByteStream): AsyncGenerator<Buffer | string> {
	let bytes = 0;
	for await (const chunk of body as AsyncIterable<Buffer | string>) {
		bytes += chunk.length;
		if (bytes > MAX_BYTES) throw answerFailure('its event stream is longer than 256 MB');
		yield chunk;
	}
}

/** A lost connection stays as it is: the client tells what it means. */
function passedOn(error: unknown): unknown {
	return error;
}
