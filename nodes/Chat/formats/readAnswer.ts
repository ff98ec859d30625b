import type { IDataObject } from 'n8n-workflow';
import { answerFailure, DENIED, interruptedFailure } from '../../shared/failure/words';
import { saysNo, hasOutputTokens } from '../../shared/failure/errorBody';
import { GatewayFailure, toFailure } from '../../shared/failure/failure';
import {
	type Answer,
	type AnswerReader,
	parseAnswer,
	readText,
	keptAnswer,
	unusable,
} from '../../shared/answer/answerReaders';
import { paidFor } from '../../shared/failure/verdict';
import { KEPT_ANSWER_LENGTH, STREAM_BYTES } from '../../shared/plain/budgets';
import { hasBroken, peek, withinSize } from '../../shared/answer/byteStream';
import { mediaTypeOf } from '../../shared/plain/headers';
import { OptionalFields } from '../../shared/answer/optionalFields';
import { Turns } from '../../shared/plain/turns';
import { asRecord, type Fields, shortened, textOr, toText } from '../../shared/plain/values';
import { chatAnswer, type ChatAnswer, contentBesidesText, type ToolCall } from './answer';
import { isFields, objectsIn } from './lists';
import {
	beginsLikeEvents,
	type ChatEvent,
	DamagedEvent,
	DONE,
	isJsonLines,
	readJsonEvents,
	withoutComments,
} from './eventStream';
import type { Assembler, AnswerFormat } from './chatFormat';
import { FORMATS } from './formats';
import { inKnownFormat, responses, unwrapped } from './otherShapes';
import { errorIn, ErrorEvent, withoutError, isProgress } from './streamError';
import type { Part, Turn } from './conversation';
import { type TokenCounts, tokensIn } from '../../shared/answer/usage';

/** Reads an answer in any format. The body shows which one, because `style` lets the chat endpoint use each. */
export function readChatAnswer(
	body: Fields,
	requestedModel: string,
	optional: OptionalFields = new OptionalFields(),
): ChatAnswer {
	const known = inKnownFormat(body);
	const format = formatOf(known);
	const parts = format.read(known, optional);
	return chatAnswer(parts, tokensIn(format.usage(known), optional), requestedModel);
}

/** Reads the usage of an answer, even if nothing else in it can be read. */
function usageIn(body: Fields): TokenCounts {
	const known = inKnownFormat(body);
	const usage = FORMATS.map(({ answer }) => answer.usage(known)).find((one) => one !== undefined);
	return tokensIn(usage, new OptionalFields());
}

/** Returns the turn of an answer, with the thoughts before its calls. @param calls those with a name, with final IDs */
export function turnOf({ text }: ChatAnswer, body: Fields, model: string, calls: ToolCall[]): Turn {
	const known = inKnownFormat(body);
	const ids = calls.map(({ id }) => id);
	const said: Part[] = text === '' ? [] : [{ type: 'text', text }];
	const asked = calls.map(({ id, name, arguments: given }): Part => {
		return { type: 'toolCall', id, name, arguments: asRecord(given) ?? {} };
	});
	const thoughts = { model, parts: [], fields: {}, ...formatOf(known).thoughts(known, ids) };
	return { role: 'assistant', parts: [...said, ...asked], thoughts };
}

function formatOf(body: Fields): AnswerFormat {
	const format = FORMATS.find(({ answer }) => answer.isIn(body));
	if (format) return format.answer;
	throw answerFailure('it is in none of the three chat formats (no choices, content, or candidates)');
}

const STREAMS = [responses, ...FORMATS.map(({ stream }) => stream)];

/** Reads the response of a chat endpoint, an event stream or JSON, no matter which of them was requested. */
export class ChatReader {
	/** The text of the answer that has arrived; kept when the response breaks off. */
	text = '';
	/** Collects what has arrived of a stream, text included. */
	private assembler: Assembler | undefined;
	private damaged = '';
	/** The event that ended the stream. */
	private failed: ErrorEvent | undefined;
	private isRead = false;
	private passedOn: () => void = () => {};

	/** @param onText gets each chunk of the text, and {@link Answer.passedOn} to call once somebody has seen it */
	constructor(
		private readonly streamed: boolean,
		private readonly onText: (text: string, passedOn: () => void) => Promise<void> = async () => {},
	) {}

	/** Reads the whole body in its own format. @throws GatewayFailure, also for a stream that ends before its answer */
	readonly read: AnswerReader<Fields> = async (response) => {
		Object.assign(this, { text: '', assembler: undefined, damaged: '', failed: undefined });
		try {
			const body = await this.bodyOf(response);
			this.isRead = true;
			response.used?.(usageIn(body));
			return body;
		} catch (error) {
			const { assembler, failed } = this;
			// The beginning of a stream may report usage, and so may its error.
			if (assembler) response.used?.(usageIn(assembler.body()));
			if (failed) response.used?.(usageIn(failed.body));
			const isLost = !(error instanceof GatewayFailure) && hasBroken(response.body, error);
			const failure = isLost ? interruptedFailure(undefined, {}, undefined, error) : error;
			// Retries add to what each attempt has got.
			throw failure instanceof GatewayFailure ? this.withArrived(failure) : failure;
		}
	};

	private async bodyOf(response: Answer): Promise<Fields> {
		this.passedOn = () => response.passedOn?.();
		const isDeclared = mediaTypeOf(response) === 'text/event-stream';
		if (!isDeclared && !this.streamed) return await this.wholeBodyOf(response);
		const { firstBytes, body } = await peek(response.body, 1);
		const beginning = firstBytes.toString('latin1', 0, 64).trimStart();
		// Some gateways send an event stream without its content type (sub2api#2826), and some send JSON with it.
		const isStream = beginsLikeEvents(beginning) || (isDeclared && beginning === '');
		if (!isStream) return await this.wholeBodyOf({ ...response, body });
		const events = withinSize(body as AsyncIterable<Buffer>, STREAM_BYTES.events);
		return await this.assemble(readJsonEvents(events), { ...response, body });
	}

	private async wholeBodyOf(response: Answer): Promise<Fields> {
		const text = withoutComments(await readText(response));
		// Events may come after a line that is not one.
		const isDeclared = mediaTypeOf(response) === 'text/event-stream';
		const hasEvents = beginsLikeEvents(text) || (isDeclared && /^data:/m.test(text));
		if (hasEvents || isJsonLines(text)) return await this.assemble(readJsonEvents([text]));
		const body = await parseAnswer(text, response);
		if (Array.isArray(body)) {
			return await this.assemble(objectsIn(body).map((event) => errorIn(event) ?? event));
		}
		if (!isFields(body)) throw unusable(answerFailure('it is not a JSON object'), body);
		if (saysNo(body)) throw unusable(answerFailure(DENIED), body);
		return withoutError(body);
	}

	/** Passes on the part of an answer's text that was not streamed, as if it were one more chunk. */
	async addWhole(text: string): Promise<void> {
		const more = text.startsWith(this.text) ? text.slice(this.text.length) : '';
		if (more !== '') await this.addText(more);
	}

	/** Returns the failure with everything that had arrived, so that nothing that was paid for is lost. */
	withArrived(error: unknown): GatewayFailure {
		const failure = this.isRead ? paidFor(error) : toFailure(error);
		const { assembler, damaged, text } = this;
		const partial: IDataObject = {
			...(assembler && arrivedIn(assembler)),
			...(damaged && { event: damaged.slice(0, KEPT_ANSWER_LENGTH) }),
			...(text && { text }),
			...failure.facts.partial,
		};
		return Object.keys(partial).length === 0 ? failure : failure.with({ partial });
	}

	/** @param response given if its connection may be lost while the events arrive */
	private async assemble(events: AsyncIterable<ChatEvent> | ChatEvent[], response?: Answer): Promise<Fields> {
		const onProgress = response?.countOnlyProgress?.();
		const turns = new Turns();
		let done = false;
		let hasBegun = false;
		let problem: string | undefined;
		try {
			for await (const event of events) {
				if (event === DONE) {
					done = true;
					continue;
				}
				if (event instanceof ErrorEvent) {
					if (event.hasResult) this.addDamaged(toText(shortened(event.body, KEPT_ANSWER_LENGTH)));
					throw (this.failed = event).toFailure(hasBegun);
				}
				if (event instanceof DamagedEvent) {
					this.addDamaged(event.data);
					// A damaged event after the end of the answer does not matter.
					if (!this.assembler?.isComplete) problem ??= event.problem;
					continue;
				}
				const known = unwrapped(event);
				const text = this.add(known);
				hasBegun ||= hasOutputTokens(known);
				if (text !== '' || isProgress(known)) {
					hasBegun = true;
					onProgress?.();
				}
				if (text !== '') await this.addText(text);
				if (turns.isOver) await turns.next();
			}
		} catch (error) {
			// After the end of the answer, only an error of the gateway and a fault of this package matter.
			const isFault = !(error instanceof GatewayFailure) && !(response && hasBroken(response.body, error));
			const matters = isFault || this.failed || !this.assembler?.isComplete;
			if (matters) throw this.failed?.toFailure(hasBegun) ?? error;
		}
		const { assembler } = this;
		const hasEnded = done || assembler?.isComplete;
		if (hasEnded && problem !== undefined) {
			throw answerFailure(`an event in its stream cannot be read: ${problem}`);
		}
		if (assembler && hasEnded) return withoutError(assembler.body());
		if (Array.isArray(events)) throw answerFailure('it contains no complete answer');
		if (done || (!assembler && this.damaged !== '')) {
			throw answerFailure('its event stream contains no answer');
		}
		throw interruptedFailure(undefined, {});
	}

	/** Adds an event, and keeps one that is in no known format. @returns the text that it adds */
	private add(event: Fields): string {
		this.assembler ??= STREAMS.find((one) => one.begins(event))?.assembler();
		if (!this.assembler && typeof event.type !== 'string')
			this.addDamaged(toText(shortened(event, KEPT_ANSWER_LENGTH)));
		return this.assembler?.add(event) ?? '';
	}

	private async addText(text: string): Promise<void> {
		this.text += text;
		await this.onText(text, this.passedOn);
	}

	private addDamaged(data: string): void {
		if (this.damaged.length >= KEPT_ANSWER_LENGTH) return;
		this.damaged += (this.damaged === '' ? '' : '\n') + data.slice(0, KEPT_ANSWER_LENGTH);
	}
}

/** Returns what a possibly incomplete body contains, under names of the output or, if that is more, as it was sent. */
function arrivedIn(assembler: Assembler): IDataObject {
	let body: Fields = {};
	let known: IDataObject = {};
	try {
		body = assembler.body();
		const id = textOr(body.id, textOr(body.responseId)).slice(0, 200);
		known = id === '' ? {} : { id };
		const parts = formatOf(body).read(body, new OptionalFields());
		const content = { ...contentBesidesText(parts), ...(parts.text ? { text: parts.text } : {}) };
		const whole = parts.alternatives.length > 0 ? keptAnswer(body).partial : {};
		return { ...known, ...(shortened(content, KEPT_ANSWER_LENGTH) as IDataObject), ...whole };
	} catch {
		return { ...known, ...keptAnswer(body).partial };
	}
}
