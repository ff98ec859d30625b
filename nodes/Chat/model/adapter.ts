import type { SupplyData } from 'n8n-workflow';
import { asRecord } from '../../shared/plain/values';
import type { ChatAnswer } from '../formats/answer';
import type { RequestFormat } from '../formats/chatFormat';
import { functionsOf } from '../formats/functions';
import { tokensOf } from '../../shared/answer/usage';
import { metadataOf, sdkUsageOf } from './result';
import type { SdkCallOptions, Sdk, SdkChunk, SdkMessage, SdkResult, SdkTool } from '../sdk';
import { subNodeError } from '../../shared/run/exits';
import { type SubNodeCall, withSubNodeErrors } from '../../shared/run/subNode';
import type { ChatModelSettings } from './fields';
import type { GatewayChat } from './gatewayChat';
import { completeStructuredOutput } from './structuredOutput';

type Call = (messages: unknown[], options?: SdkCallOptions, ...others: unknown[]) => unknown;

type BindTools = (tools: unknown, options?: { tool_choice?: unknown }) => unknown;

interface Bound {
	/** Binds tools to the model that has none: an agent may bind its tools twice, and the SDK would add them twice. */
	bindTools?: BindTools;
	/** The tool that the model must call, in LangChain's terms. An agent says so only when it first binds its tools. */
	toolChoice?: unknown;
}

/** The parts of the SDK's LangChain adapter that are completed here. They are protected, so they are checked. */
interface Adapter {
	_generate?: Call;
	_streamResponseChunks?: Call;
	bindTools?: BindTools;
	getNumTokens?: (content: unknown) => Promise<number>;
	/** They include the handler that writes the run to the execution. */
	callbacks?: unknown;
}

/**
 * Completes the model that the SDK passes to agents and chains, and the models created from it by binding tools. The
 * SDK (0.30) loses eight things:
 * - Images: it reads LangChain's standard blocks, but n8n's Agent and chains write `image_url` blocks.
 * - Token usage of streamed answers: LangChain uses other names for it than the SDK reads, so n8n would show an
 *   estimate.
 * - Details of the usage, such as cached tokens, and its cost.
 * - Lines of streamed answers: each chunk becomes a block of its own, and AI Agent 1 puts a line break between blocks.
 * - Whole answers as a text: Auto-Fix Format of the Structured Output Parser does not read blocks.
 * - Whether the model must call a tool, which AI Agent 3 can demand.
 * - Structured output: see {@link completeStructuredOutput}.
 * - Token counts before a request, which the Summarization Chain asks for: LangChain downloads a tokenizer, and in a
 *   private network, it tries that for minutes.
 */
export function completeAdapter<Model>(model: Model, bound: Bound = {}): Model {
	const adapter = model as Adapter;
	const { _generate: generate, _streamResponseChunks: stream } = adapter;
	const { bindTools = adapter.bindTools?.bind(adapter), toolChoice } = bound;
	/** Calls a method of the SDK. @param onAnswer gets the answer, in a stream right before its last chunk */
	const around = (
		method: Call,
		[messages, options, ...others]: Parameters<Call>,
		onAnswer: SdkCallOptions['onAnswer'],
	) => {
		const tool_choice = options?.tool_choice ?? toolChoice;
		const images = messages.map(withStandardImages);
		return method.call(adapter, images, { ...options, tool_choice, onAnswer }, ...others);
	};
	if (typeof generate === 'function') {
		adapter._generate = async (...given) => {
			let answer: ChatAnswer | undefined;
			const result = await around(generate, given, (noted) => (answer = noted));
			completeResult(result, answer);
			return result;
		};
	}
	if (typeof stream === 'function') {
		adapter._streamResponseChunks = async function* (...given) {
			let answer: ChatAnswer | undefined;
			const chunks = around(stream, given, (noted) => (answer = noted)) as AsyncIterable<Generation>;
			for await (const chunk of chunks) {
				completeChunk(chunk, answer);
				answer = undefined;
				yield chunk;
			}
		};
	}
	if (typeof bindTools === 'function') {
		adapter.bindTools = (tools, options) => {
			const next = { bindTools, toolChoice: options?.tool_choice ?? toolChoice };
			return completeAdapter(bindTools(tools, options), next);
		};
	}
	completeStructuredOutput(adapter);
	adapter.getNumTokens = async (content) => await Promise.resolve(estimateTokens(content));
	readAllUsage(adapter.callbacks);
	return model;
}

/** Estimates the tokens of a text or of the texts in blocks: a token has about four bytes, in Chinese as well. */
function estimateTokens(content: unknown): number {
	const texts = [content].flat().map((block) => (typeof block === 'string' ? block : asRecord(block)?.text));
	return Math.ceil(Buffer.byteLength(texts.filter((text) => typeof text === 'string').join('')) / 4);
}

/** The objects of LangChain that are completed; their other fields stay. */
interface Generation {
	message?: Record<string, unknown>;
	generationInfo?: object;
}

function completeResult(result: unknown, answer: ChatAnswer | undefined): void {
	const { generations, llmOutput } = (result ?? {}) as { generations?: unknown; llmOutput?: object };
	if (!answer || !Array.isArray(generations)) return;
	for (const generation of generations as Generation[]) {
		completeText(generation);
		completeMessage(generation, answer);
	}
	Object.assign(llmOutput ?? {}, runUsage(answer));
}

function completeChunk(chunk: Generation, answer: ChatAnswer | undefined): void {
	completeText(chunk);
	if (!answer) return;
	completeMessage(chunk, answer);
	// This is all that the handler of the run gets of a streamed answer.
	chunk.generationInfo = { ...chunk.generationInfo, ...runUsage(answer) };
}

/** Makes a content that is a single text block a text. LangChain joins only texts, and Auto-Fix Format reads only texts. */
function completeText({ message }: Generation): void {
	const text = onlyText(message?.content);
	if (message && text !== undefined) message.content = text;
}

function onlyText(content: unknown): string | undefined {
	const [block, ...others] = Array.isArray(content) ? content.map(asRecord) : [];
	if (others.length > 0 || block?.type !== 'text' || typeof block.text !== 'string') return undefined;
	return block.text;
}

function completeMessage({ message }: Generation, answer: ChatAnswer): void {
	if (message) message.response_metadata = { ...metadataOf(answer), ...asRecord(message.response_metadata) };
}

/** Returns the usage for {@link usageOfRun}: counts under n8n's names, details under those of Unified AI Chat. */
function runUsage(answer: ChatAnswer): object {
	const { inputTokens, outputTokens, totalTokens, ...details } = tokensOf(answer);
	const counts = { ...sdkUsageOf({ inputTokens, outputTokens, totalTokens }), ...details };
	return Object.keys(counts).length > 0 ? { tokenUsage: counts } : {};
}

/** Converts the `image_url` blocks of a message to standard blocks. */
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

/** Returns the token usage of a finished run, as n8n shows it in the execution. */
function usageOfRun(result: unknown): Record<string, number> {
	const { llmOutput, generations } = asRecord(result) ?? {};
	const [first] = [generations].flat(2);
	const infos = [llmOutput, asRecord(first)?.generationInfo].map((info) => asRecord(info)?.tokenUsage);
	const numbers = infos.flatMap((usage) =>
		Object.entries(asRecord(usage) ?? {}).filter(([, count]) => typeof count === 'number'),
	);
	const counts = { promptTokens: 0, completionTokens: 0, ...(Object.fromEntries(numbers) as object) };
	return { totalTokens: counts.promptTokens + counts.completionTokens, ...counts };
}

/** Writes the `tools` of a request; those of the vendor stay unchanged. @param schemaOf converts to JSON Schema */
export function requestTools(
	tools: SdkTool[],
	format: RequestFormat,
	schemaOf: Sdk['getParametersJsonSchema'],
): object[] {
	const supplied = tools.map((tool) => ({ ...tool, schema: tool.inputSchema }));
	const functions = functionsOf(supplied, (inputSchema, tool) =>
		tool.type === 'provider' ? undefined : schemaOf({ ...tool, inputSchema }),
	);
	return tools.flatMap((tool, index) =>
		tool.type === 'provider'
			? [{ type: tool.name, ...asRecord(tool.args) }]
			: format.tools([functions[index]]),
	);
}

/** Returns the model in the form that n8n's agents and chains expect. */
export function supplyChatModel(
	sdk: Sdk,
	call: SubNodeCall,
	chat: GatewayChat,
	{ model, format }: Pick<ChatModelSettings, 'model' | 'format'>,
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
			const tools = requestTools(this.tools, format.request, (tool) => sdk.getParametersJsonSchema(tool));
			return { messages, tools, call: options };
		}
	}
	return completeAdapter(
		sdk.supplyModel(call.context, new GatewayChatModel('unified-ai-gateway', model)).response,
	);
}

/** Returns a key for the model's node in this execution. */
export function scopeOf({ context }: SubNodeCall): string {
	return JSON.stringify([context.getExecutionId(), context.getNode().name]);
}
