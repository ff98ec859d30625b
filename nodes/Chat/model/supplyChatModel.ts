import type { SupplyData } from 'n8n-workflow';
import { subNodeError } from '../../shared/runtime/exits';
import { type SubNodeCall, withSubNodeErrors } from '../../shared/runtime/subNode';
import { asRecord } from '../../shared/values';
import type { ChatModelSettings } from './fields';
import type { GatewayChat } from './gatewayChat';
import { requestTools } from './request';
import type { AiNodeSdk, SdkCallOptions, SdkChunk, SdkMessage, SdkResult } from './sdk';

/** The model in the form that n8n's agents and chains expect. */
export function supplyChatModel(
	sdk: AiNodeSdk,
	call: SubNodeCall,
	chat: GatewayChat,
	{ model, format }: ChatModelSettings,
): SupplyData['response'] {
	class GatewayChatModel extends sdk.BaseChatModel {
		async generate(messages: SdkMessage[], options: SdkCallOptions = {}): Promise<SdkResult> {
			return await withSubNodeErrors(call, async () => await chat.generate(this.question(messages, options)));
		}

		async *stream(messages: SdkMessage[], options: SdkCallOptions = {}): AsyncGenerator<SdkChunk> {
			try {
				yield* chat.stream(this.question(messages, options));
			} catch (error) {
				throw await subNodeError(call, error);
			}
		}

		private question(messages: SdkMessage[], options: SdkCallOptions) {
			const tools = requestTools(this.tools, format, (tool) => sdk.getParametersJsonSchema(tool));
			return { messages, tools, call: options };
		}
	}
	return completeAdapter(
		sdk.supplyModel(call.context, new GatewayChatModel('unified-ai-gateway', model)).response,
	);
}

/** Which model asks, and in which execution. */
export function scopeOf({ context }: SubNodeCall): string {
	return JSON.stringify([context.getExecutionId(), context.getNode().name]);
}

/** The parts of the SDK's LangChain adapter that are completed here. They are protected there, so they are checked. */
interface Adapter {
	_generate?: (messages: unknown[], ...others: unknown[]) => unknown;
	_streamResponseChunks?: (messages: unknown[], ...others: unknown[]) => unknown;
	bindTools?: (...tools: unknown[]) => unknown;
	/** They include the handler that writes the run to the execution. */
	callbacks?: unknown;
}

/**
 * Completes the model that the SDK passes to agents and chains, and the models created from it by binding tools. The
 * SDK (0.30) loses two things:
 * - Images: it reads LangChain's standard blocks, but n8n's Agent and chains write `image_url` blocks.
 * - Token usage of streamed answers: LangChain uses other names for it than the SDK reads, so n8n would show an
 *   estimate.
 *
 * @returns the same object
 */
export function completeAdapter<Model>(model: Model): Model {
	const adapter = model as Adapter;
	const { _generate: generate, _streamResponseChunks: stream, bindTools } = adapter;
	if (typeof generate === 'function') {
		adapter._generate = (messages, ...others) =>
			generate.call(adapter, messages.map(withStandardImages), ...others);
	}
	if (typeof stream === 'function') {
		adapter._streamResponseChunks = (messages, ...others) =>
			stream.call(adapter, messages.map(withStandardImages), ...others);
	}
	if (typeof bindTools === 'function') {
		adapter.bindTools = (...tools) => completeAdapter(bindTools.call(adapter, ...tools));
	}
	readAllUsage(adapter.callbacks);
	return model;
}

/** A message with its `image_url` blocks converted to standard blocks. */
function withStandardImages(message: unknown): unknown {
	const { content } = (message ?? {}) as { content?: unknown };
	if (!Array.isArray(content) || !content.some(isImageUrl)) return message;
	// A copy of the same class, because the agent's memory contains the message as well.
	return Object.create(message as object, {
		content: { value: content.map(standardBlock), enumerable: true },
	}) as unknown;
}

function isImageUrl(block: unknown): boolean {
	return asRecord(block)?.type === 'image_url';
}

function standardBlock(block: unknown): unknown {
	if (!isImageUrl(block)) return block;
	const { image_url: image } = block as { image_url: unknown };
	const url = typeof image === 'string' ? image : asRecord(image)?.url;
	return { type: 'image', url };
}

function readAllUsage(callbacks: unknown): void {
	for (const handler of Array.isArray(callbacks) ? callbacks : []) {
		const options = asRecord(asRecord(handler)?.options);
		if (typeof options?.tokensUsageParser === 'function') options.tokensUsageParser = usageOfRun;
	}
}

/** Token usage of a finished run, under either set of names. */
export function usageOfRun(result: unknown): Record<string, number> {
	const usage = asRecord(asRecord(asRecord(result)?.llmOutput)?.tokenUsage) ?? {};
	const first = (...names: string[]) =>
		names.map((name) => usage[name]).find((value) => typeof value === 'number') ?? 0;
	const promptTokens = first('input_tokens', 'promptTokens');
	const completionTokens = first('output_tokens', 'completionTokens');
	const totalTokens = first('total_tokens', 'totalTokens') || promptTokens + completionTokens;
	return { promptTokens, completionTokens, totalTokens };
}
