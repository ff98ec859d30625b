import type { GatewayClient } from '../../shared/send/client';
import type { GatewayRequest } from '../../shared/send/layer';
import type { ChatAnswer } from '../formats/answer';
import { withoutFiles } from '../formats/answerFiles';
import { requestIn } from '../formats/chatFormat';
import { joinTexts } from '../formats/conversation';
import { asRecord, textOr, withoutGaps } from '../../shared/plain/values';
import { ChatReader, readChatAnswer, turnOf } from '../formats/readAnswer';
import { type AnswerMemory, answerMemoryOf, conversationOf } from './conversation';
import type { ChatModelSettings } from './fields';
import {
	checkContent,
	contentText,
	finishReasonOf,
	resultOf,
	usableCalls,
	sdkUsageOf,
	withUniqueCallIds,
} from './result';
import type { SdkCallOptions, SdkChunk, SdkMessage, SdkResult } from '../sdk';

/** Describes a request of an agent. */
interface Question {
	messages: SdkMessage[];
	/** The tools, as the format of the settings writes them. */
	tools: object[];
	call: SdkCallOptions;
}

/** Asks one model of the gateway. The answers have the SDK's types, but the SDK itself is not needed. */
export class GatewayChat {
	constructor(
		private readonly client: GatewayClient,
		private readonly settings: ChatModelSettings,
		private readonly scope: string,
	) {}

	/** Returns the whole answer. @throws GatewayFailure with the part of the answer that had arrived */
	async generate(question: Question): Promise<SdkResult> {
		const streamed = this.settings.stream;
		const reader = new ChatReader(streamed);
		return await keepText(reader, async () => {
			const asked = await this.ask(question, streamed, reader);
			const result = resultOf(asked);
			question.call.onAnswer?.(await this.client.redactor.value(asked));
			return await this.client.redactor.value(result);
		});
	}

	/** Yields the text as it arrives, then the tool calls. @throws GatewayFailure with the part that had arrived */
	async *stream(question: Question): AsyncGenerator<SdkChunk> {
		let arrived!: ReadableStreamDefaultController<string>;
		const texts = new ReadableStream<string>({ start: (controller) => void (arrived = controller) });
		const reader = new ChatReader(true, async (text, passedOn) => {
			passedOn();
			arrived.enqueue(text);
		});
		const asked = keepText(reader, async () => {
			const answer = await this.ask(question, true, reader);
			checkContent(answer);
			await reader.addWhole(contentText(answer));
			return { answer, calls: usableCalls(answer) };
		});
		const end = () => arrived.close();
		void asked.then(end, end);
		// Even if the agent stops reading, the answer is read to its end.
		const deltas = this.withoutKey(texts.values({ preventCancel: true }));
		for await (const delta of deltas) yield { type: 'text-delta', delta };
		const { answer, calls } = await this.client.redactor.value(await asked);
		for (const { id, name, arguments: given } of calls) {
			yield { type: 'tool-call-delta', id, name, argumentsDelta: JSON.stringify(given) };
		}
		question.call.onAnswer?.(answer);
		yield { type: 'finish', finishReason: finishReasonOf(answer), usage: sdkUsageOf(answer) };
	}

	private async *withoutKey(texts: AsyncIterable<string>): AsyncGenerator<string> {
		const live = this.client.redactor.live();
		for await (const text of texts) {
			const delta = live.push(text);
			if (delta !== '') yield delta;
		}
		const rest = live.end();
		if (rest !== '') yield rest;
	}

	private async ask(question: Question, streamed: boolean, reader: ChatReader): Promise<ChatAnswer> {
		const memory = answerMemoryOf(this.client.learned);
		const request = this.requestOf(question, streamed, memory);
		const { sent, cost } = await this.client.send(request, async (response) => ({
			sent: await reader.read(response),
			cost: response.cost,
		}));
		const { body, files } = withoutFiles(sent, (_index, mimeType) => mimeType || 'file');
		const isTaken = (id: string) => memory.has(this.scope, id);
		const read = { ...withoutGaps({ cost }), ...readChatAnswer(body, this.settings.model) };
		const answer = withUniqueCallIds(read, isTaken);
		const calls = usableCalls(answer);
		memory.keep(this.scope, turnOf(answer, body, this.settings.model, calls));
		const names = [...files.map(({ name }) => name), ...(answer.otherContent ?? []).flatMap(linksIn)];
		return names.length === 0 ? answer : { ...answer, text: joinTexts([answer.text, leftOut(names)]) };
	}

	private requestOf(
		{ messages, tools, call }: Question,
		streamed: boolean,
		memory: AnswerMemory,
	): GatewayRequest {
		const { format, model, options, extraBodyFields, requestOptions } = this.settings;
		const stop = call.stopSequences ?? call.stop ?? [];
		const generation = { ...this.settings.generation, ...(stop.length > 0 ? { stopSequences: stop } : {}) };
		const choice = tools.length > 0 ? toolChoice(call.tool_choice) : undefined;
		const extra = (choice && format.chatModel?.toolChoice(choice, generation)) || {};
		const input = conversationOf(messages, format, (one) => memory.find(this.scope, one));
		const parts = { model, input, options, generation, tools, extra, streamed };
		return { ...requestOptions, ...requestIn(format, parts, extraBodyFields) };
	}
}

/** Returns the tool that the model must call. @param choice in LangChain's terms; only texts demand something */
function toolChoice(choice: unknown): string | undefined {
	if (typeof choice !== 'string') return undefined;
	return choice === 'required' ? 'any' : choice;
}

/** Returns a text that names the files of a model, because agents take only text. */
function leftOut(names: string[]): string {
	return `[Left out, because a chat model passes on only text: ${names.join(', ')}]`;
}

/** Returns the address of a file in a part, which some gateways link to (rig#1804, Pawtrait#3). */
function linksIn(part: unknown): string[] {
	const { image_url: image, audio_url: audio, video_url: video, source } = asRecord(part) ?? {};
	const addresses = [image, audio, video, source].map((one) => textOr(asRecord(one)?.url, textOr(one)));
	return addresses.filter((address) => /^https?:/i.test(address));
}

async function keepText<T>(reader: ChatReader, work: () => Promise<T>): Promise<T> {
	try {
		return await work();
	} catch (error) {
		throw reader.withArrived(error);
	}
}
