import type { IDataObject } from 'n8n-workflow';
import type { ChatAnswer } from './formats/answer';
import { readChatAnswer } from './formats/readAnswer';
import { ChatReader } from './formats/chatReader';
import type { Endpoint } from '../shared/gateway/endpoints';
import { toFailure } from '../shared/errors/gatewayFailure';
import { jsonValue, type Call } from '../shared/runtime/call';
import type { OperationResult } from '../shared/runtime/operation';
import { jsonWish, parseAnswer, type JsonWish } from './json/parseAnswer';
import { LiveText } from './liveText';

/** A question to a chat model, ready to be sent. */
export interface ChatQuestion {
	endpoint: Endpoint;
	query?: Record<string, string>;
	body: Record<string, unknown>;
	/** Stands in the answer when the gateway names none. */
	model: string;
	streamed: boolean;
	/** Undefined: the answer is not parsed. */
	wish: JsonWish | undefined;
}

/**
 * How the answer of this item is to be parsed, from Parse JSON Answer and JSON Schema.
 *
 * @throws GatewayFailure (kind `input`) when the schema cannot be used
 */
export function readJsonWish(call: Call): JsonWish | undefined {
	if (!call.flag('parseJson')) return undefined;
	const value = call.value('jsonSchema');
	const isEmpty = value === undefined || value === null || value === '';
	const wish = jsonWish(isEmpty ? undefined : jsonValue(value, 'JSON Schema', '{"type": "object"}'));
	if (wish.unchecked.length > 0 && call.itemIndex === 0) {
		call.hint(`These words of JSON Schema are not checked: ${wish.unchecked.join(', ')}.`);
	}
	return wish;
}

/**
 * Sends a question and makes the output item of its answer.
 *
 * @throws GatewayFailure; it keeps what had arrived of the answer
 */
export async function ask(call: Call, question: ChatQuestion): Promise<OperationResult> {
	const { endpoint, query, body: json, streamed, model, wish } = question;
	const live = new LiveText(call, streamed);
	const reader = new ChatReader(streamed, async (text) => live.text(text));
	live.begin();
	try {
		const request = { ...call.requestOptions, endpoint, query, json, streamed };
		const body = await call.client.send(request, reader.read);
		const answer = answerIn(body, model);
		await reader.addWhole(answer.text);
		const data = wish ? { data: parseAnswer(answer, wish) as IDataObject } : {};
		live.end();
		return { json: call.flag('simplify') ? simplified(answer, data) : { ...body, ...data } };
	} catch (error) {
		const failure = reader.withText(error);
		live.failed(failure);
		throw toFailure(failure);
	}
}

/** A body that cannot be read as an answer was paid for all the same, so the failure keeps it. */
function answerIn(body: Record<string, unknown>, model: string): ChatAnswer {
	try {
		return readChatAnswer(body, model);
	} catch (error) {
		throw toFailure(error).with({ partial: { answer: body as IDataObject } });
	}
}

function simplified(answer: ChatAnswer, data: IDataObject): IDataObject {
	const { text, ...others } = answer;
	return { text, ...data, ...others };
}
