import type { ChatAnswer } from '../formats/answer';
import { readChatAnswer } from '../formats/readAnswer';
import { ChatReader } from '../formats/chatReader';
import type { GatewayClient } from '../../shared/gateway/client';
import { chatModelRequest, type ChatModelQuestion } from './request';
import { checkSpoken, finishReasonOf, resultOf, spokenText, usableCalls, usageOf } from './result';
import type { SdkChunk, SdkResult } from './sdk';
import type { ChatModelSettings } from './settings';
import { TextPipe } from './textPipe';

type Question = Omit<ChatModelQuestion, 'streamed'>;

/** Asks one model of the gateway. Answers are the SDK's; the SDK itself is not needed. */
export class GatewayChat {
	constructor(
		private readonly client: GatewayClient,
		private readonly settings: ChatModelSettings,
	) {}

	/** The whole answer. @throws GatewayFailure; it keeps what had arrived */
	async generate(question: Question): Promise<SdkResult> {
		const reader = new ChatReader(this.settings.stream);
		return await kept(reader, async () =>
			resultOf(await this.ask({ ...question, streamed: this.settings.stream }, reader)),
		);
	}

	/**
	 * The answer piece by piece: its text as soon as it is there, then the tools that the model asks for,
	 * each as a whole.
	 *
	 * @throws GatewayFailure; it keeps what had arrived
	 */
	async *stream(question: Question): AsyncGenerator<SdkChunk> {
		const pipe = new TextPipe();
		const reader = new ChatReader(true, async (text) => pipe.write(text));
		const asked = pipe.endAfter(
			kept(reader, async () => {
				const answer = await this.ask({ ...question, streamed: true }, reader);
				checkSpoken(answer);
				await reader.addWhole(spokenText(answer));
				return { answer, calls: usableCalls(answer) };
			}),
		);
		for await (const delta of pipe.texts()) yield { type: 'text-delta', delta };
		const { answer, calls } = await asked;
		for (const { id, name, arguments: argumentsDelta } of calls) {
			yield { type: 'tool-call-delta', id, name, argumentsDelta };
		}
		yield { type: 'finish', finishReason: finishReasonOf(answer), usage: usageOf(answer.usage) };
	}

	private async ask(question: ChatModelQuestion, reader: ChatReader): Promise<ChatAnswer> {
		const body = await this.client.send(chatModelRequest(this.settings, question), reader.read);
		return readChatAnswer(body, this.settings.model);
	}
}

async function kept<T>(reader: ChatReader, work: () => Promise<T>): Promise<T> {
	try {
		return await work();
	} catch (error) {
		throw reader.withText(error);
	}
}
