import { toFailure } from '../shared/errors/gatewayFailure';
import { SIMPLIFY } from '../shared/fields/options';
import type { Endpoint } from '../shared/gateway/endpoints';
import { LooseFields } from '../shared/http/looseFields';
import { unusable } from '../shared/http/schemas';
import type { Call } from '../shared/runtime/call';
import type { OperationResult } from '../shared/runtime/operation';
import { usable } from '../shared/runtime/payments';
import { MODEL, STREAM } from './fields';
import { simplifiedOutput, type ChatAnswer } from './formats/answer';
import { ChatReader, readChatAnswer } from './formats/readAnswer';
import { readInput, type ChatInput, type InputSettings } from './input.fields';
import { type JsonOptions, readJsonOptions } from './json/fields';
import { parseJsonAnswer } from './json/parseJsonAnswer';
import { LiveText } from './liveText';

/** What to ask a chat model, independent of the format. */
export interface ChatQuestion {
	model: string;
	input: ChatInput;
	/** Whether to request an event stream. */
	streamed: boolean;
}

/** A question in the format of an operation. */
export interface ChatRequest {
	endpoint: Endpoint;
	query?: Record<string, string>;
	body: Record<string, unknown>;
}

/**
 * Asks a chat model: reads the parameters that all operations have, sends the request, and makes the output item.
 *
 * @param requestOf writes the request in the format of the operation
 * @throws GatewayFailure; it keeps the part of the answer that had arrived
 */
export async function ask(
	call: Call,
	settings: InputSettings,
	requestOf: (question: ChatQuestion) => ChatRequest,
): Promise<OperationResult> {
	const jsonOptions = readJsonOptions(call);
	const input = await readInput(call, settings, jsonOptions);
	const model = call.picked(MODEL);
	const streamed = call.options.flag(STREAM);
	const { body: fields, ...request } = requestOf({ model, input, streamed });
	const json = { ...fields, ...call.extraBodyFields };

	const live = new LiveText(call, streamed);
	const reader = new ChatReader(streamed, async (text) => await live.text(text));
	live.begin();
	try {
		const isFinal = () => live.hasShown;
		const sent = {
			...call.requestOptions,
			...request,
			json,
			streamed: streamed ? ('events' as const) : undefined,
		};
		const paid = await call.pay({ ...sent, isFinal }, reader.read);
		const loose = new LooseFields();
		const answer = await usable(paid, (body) => answerIn(body, model, loose));
		if (!paid.isReused) call.client.ledger.used(answer);
		call.hint(loose.hint);
		await reader.addWhole(answer.text);
		const parsed = jsonOptions ? await parsedAnswer(answer, jsonOptions, paid.forget) : {};
		await live.end();
		return {
			json: call.flag(SIMPLIFY) ? simplifiedOutput(answer, parsed) : { ...paid.value, ...parsed },
		};
	} catch (error) {
		const failure = reader.withArrived(error);
		await live.failed(failure);
		throw toFailure(failure);
	}
}

/** @param askAgain makes a retry ask again when the answer does not fit: another one may */
async function parsedAnswer(
	answer: ChatAnswer,
	options: JsonOptions,
	askAgain: () => void,
): Promise<{ data: unknown }> {
	try {
		return { data: await parseJsonAnswer(answer, options) };
	} catch (error) {
		askAgain();
		throw toFailure(error);
	}
}

/** A body that cannot be read as an answer was paid for as well, so the failure keeps it. */
function answerIn(body: Record<string, unknown>, model: string, loose: LooseFields): ChatAnswer {
	try {
		return readChatAnswer(body, model, loose);
	} catch (error) {
		throw unusable(toFailure(error), body);
	}
}
