import type { IBinaryData, IDataObject } from 'n8n-workflow';
import { rawSound, wav } from '../audio/wav';
import { streamFrom } from '../shared/answer/byteStream';
import { toFailure } from '../shared/failure/failure';
import { answerFailure } from '../shared/failure/words';
import { storeFile } from '../shared/files/storeFile';
import { OptionalFields } from '../shared/answer/optionalFields';
import { type Answer, readWith } from '../shared/answer/answerReaders';
import type { Call } from '../shared/run/call';
import { type Paid, usable } from '../shared/run/payments';
import { DEFAULT_MAX_RATE_LIMIT_RETRIES } from '../shared/limiter/lane';
import { type Fields, withoutGaps } from '../shared/plain/values';
import type { ChatAnswer } from './formats/answer';
import { withoutFiles } from './formats/answerFiles';
import { type ChatFormat, requestIn, type RequestSettings } from './formats/chatFormat';
import type { ChatInput } from './formats/conversation';
import type { Tool } from './formats/functions';
import { ChatReader, readChatAnswer } from './formats/readAnswer';
import { withoutAnswerTool } from './formats/schemaForm';
import type { JsonOptions } from './json/fields';
import type { LiveText } from './liveText';

export interface PaidAnswer {
	answer: ChatAnswer;
	/** The body that the gateway sent, with the names of binary fields in place of files. */
	body: Fields;
	model: string;
	paid: Pick<Paid<unknown>, 'forget' | 'noteUnusable'>;
}

export interface ItemChat {
	call: Call;
	format: ChatFormat;
	settings: RequestSettings;
	tools: Tool[];
	/** Undefined if the answer is not parsed. */
	json: JsonOptions | undefined;
	/** The fields for the raw response. */
	raw: Fields;
	live: LiveText;
	/** The files of all answers so far, by the name of their binary field. */
	files: Record<string, IBinaryData>;
}

interface KeptAnswer {
	body: Fields;
	/** The files that are no longer in the body. */
	files: Record<string, IBinaryData>;
	/** The cost that a header reports. */
	cost?: number;
}

/** A question to a chat model, independent of the format. */
export interface ChatQuestion {
	model: string;
	input: ChatInput;
	schemaFields: Fields | undefined;
}

/** Writes the request of a question, with the extra fields of the item. */
export function requestOf(chat: ItemChat, { model, input, schemaFields }: ChatQuestion) {
	const { call, format, settings, raw } = chat;
	const tools = format.request.tools(chat.tools);
	const parts = { ...settings, model, input, tools, extra: { ...raw, ...schemaFields } };
	return requestIn(format, parts, call.extraBodyFields);
}

/**
 * Asks one model, unless an earlier try has its answer. @param hasFallback whether a refused request is repeated less
 * @throws GatewayFailure with the part of the answer that had arrived
 */
export async function paidAnswer(
	chat: ItemChat,
	question: ChatQuestion,
	hasFallback = false,
): Promise<PaidAnswer> {
	const { call, live, settings } = chat;
	const { model, schemaFields } = question;
	const reader = new ChatReader(settings.streamed, async (text, passedOn) => live.text(text, passedOn));
	live.next();
	const sent = {
		...(hasFallback ? { maxRateLimitRetries: DEFAULT_MAX_RATE_LIMIT_RETRIES } : {}),
		...withoutGaps(call.requestOptions),
		...requestOf(chat, question),
	};
	try {
		const receive = async (answer: Answer) => {
			const body = await reader.read(answer);
			return withoutGaps({ body, files: {}, cost: answer.cost });
		};
		const filesOf = ({ files }: KeptAnswer) => Object.values(files);
		const paid = await call.pay<KeptAnswer>(sent, receive, { filesOf });
		const stored = await storedAnswer(chat, paid);
		const { body, cost } = stored;
		const optional = new OptionalFields();
		// A body that cannot be read was paid for as well, so the failure keeps it.
		const read = () => readWith(body, () => readChatAnswer(body, model, optional), true);
		const known = await usable({ ...paid, value: stored }, read);
		call.hint(optional.hint);
		const answer = { ...withoutGaps({ cost }), ...(schemaFields ? withoutAnswerTool(known) : known) };
		// A caller who sees the answer live must not see an empty one.
		await reader.addWhole(answer.text || (answer.refusal ?? ''));
		return { answer, body, model, paid };
	} catch (error) {
		throw reader.withArrived(error);
	}
}

/** Stores the files of an answer in n8n's binary store. @throws GatewayFailure (`storage`) with the whole answer */
async function storedAnswer({ call, files: all }: ItemChat, paid: Paid<KeptAnswer>): Promise<KeptAnswer> {
	// In a kept body, the names of its files look like Base64.
	if (Object.keys(paid.value.files).length > 0) {
		Object.assign(all, paid.value.files);
		return paid.value;
	}
	const before = Object.keys(all).length;
	const { body, files: found } = withoutFiles(paid.value.body, (index) => fieldName(before + index));
	const files: KeptAnswer['files'] = {};
	try {
		for (const { name, mimeType, bytes } of found) {
			const raw = rawSound({ size: bytes.length, open: () => [bytes], fail: answerFailure }, mimeType);
			const [content, type] = raw ? [streamFrom(wav.write([raw])), wav.mimeType] : [bytes, mimeType];
			files[name] = await storeFile(call, content, type, { about: 'answer', fallback: 'answer' });
		}
	} catch (error) {
		throw toFailure(error).with({ partial: { answer: paid.value.body as IDataObject } });
	}
	Object.assign(all, files);
	const stored = { ...paid.value, body, files };
	if (found.length > 0) await paid.keep(stored);
	return stored;
}

function fieldName(index: number): string {
	return index === 0 ? 'data' : `data_${index + 1}`;
}
