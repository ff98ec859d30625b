import { asRecord } from '../../shared/plain/values';
import type { SdkAnswerFacts, SdkCallOptions, SdkTokenUsage } from './sdk';

type Call = (messages: unknown[], options?: SdkCallOptions, ...others: unknown[]) => unknown;

/** The parts of the SDK's LangChain adapter that are completed here. They are protected there, so they are checked. */
interface Adapter {
	_generate?: Call;
	_streamResponseChunks?: Call;
	bindTools?: (...tools: unknown[]) => unknown;
	/** They include the handler that writes the run to the execution. */
	callbacks?: unknown;
}

/**
 * Completes the model that the SDK passes to agents and chains, and the models created from it by binding tools. The
 * SDK (0.30) loses four things:
 * - Images: it reads LangChain's standard blocks, but n8n's Agent and chains write `image_url` blocks.
 * - Token usage of streamed answers: LangChain uses other names for it than the SDK reads, so n8n would show an
 *   estimate.
 * - Details of the usage: of streamed answers all, of whole answers tokens written to the cache and of audio.
 * - Lines of streamed answers: each chunk becomes a block of its own, and AI Agent 1 puts a line break between blocks.
 *
 * @returns the same object
 */
export function completeAdapter<Model>(model: Model): Model {
	const adapter = model as Adapter;
	const { _generate: generate, _streamResponseChunks: stream, bindTools } = adapter;
	if (typeof generate === 'function') {
		adapter._generate = async (messages, options, ...others) => {
			const facts = new Facts();
			const images = messages.map(withStandardImages);
			const result = await generate.call(adapter, images, facts.notedFrom(options), ...others);
			completeResult(result, facts.take());
			return result;
		};
	}
	if (typeof stream === 'function') {
		adapter._streamResponseChunks = async function* (messages, options, ...others) {
			const facts = new Facts();
			const images = messages.map(withStandardImages);
			const chunks = stream.call(adapter, images, facts.notedFrom(options), ...others);
			for await (const chunk of chunks as AsyncIterable<Generation>) {
				completeChunk(chunk, facts.take());
				yield chunk;
			}
		};
	}
	if (typeof bindTools === 'function') {
		adapter.bindTools = (...tools) => completeAdapter(bindTools.call(adapter, ...tools));
	}
	readAllUsage(adapter.callbacks);
	return model;
}

/** What the chat model says about one answer, on its way around the SDK. */
class Facts {
	private noted: SdkAnswerFacts | undefined;

	/** The options of a call, with which the chat model notes its facts here. */
	notedFrom(options: SdkCallOptions | undefined): SdkCallOptions {
		return { ...options, onFinish: (facts) => (this.noted = facts) };
	}

	/** The facts, once. In a stream, they are noted right before its last chunk. */
	take(): SdkAnswerFacts | undefined {
		const facts = this.noted;
		this.noted = undefined;
		return facts;
	}
}

/** The objects of LangChain that are completed; their other fields stay. */
interface Generation {
	message?: Record<string, unknown>;
	generationInfo?: object;
}

function completeResult(result: unknown, facts: SdkAnswerFacts | undefined): void {
	const { generations, llmOutput } = (result ?? {}) as { generations?: unknown; llmOutput?: object };
	if (!facts || !Array.isArray(generations)) return;
	for (const generation of generations as Generation[]) completeMessage(generation, facts);
	Object.assign(llmOutput ?? {}, runFactsOf(facts));
}

function completeChunk(chunk: Generation, facts: SdkAnswerFacts | undefined): void {
	const text = onlyText(chunk.message?.content);
	if (chunk.message && text !== undefined) chunk.message.content = text;
	if (!facts) return;
	completeMessage(chunk, facts);
	// Of a streamed answer, the handler of the run gets only this.
	chunk.generationInfo = { ...chunk.generationInfo, ...runFactsOf(facts) };
}

/** The text of a content that is a single text block. LangChain joins texts, but not blocks. */
function onlyText(content: unknown): string | undefined {
	const [block, ...others] = Array.isArray(content) ? content.map(asRecord) : [];
	if (others.length > 0 || block?.type !== 'text' || typeof block.text !== 'string') return undefined;
	return block.text;
}

function completeMessage({ message }: Generation, { usage, providerMetadata }: SdkAnswerFacts): void {
	if (!message) return;
	if (usage) message.usage_metadata = usageMetadataOf(usage);
	message.response_metadata = { ...providerMetadata, ...asRecord(message.response_metadata) };
}

/** What {@link usageOfRun} reads. */
function runFactsOf({ usage, providerMetadata: { cost } }: SdkAnswerFacts): object {
	return {
		...(usage ? { tokenUsage: usageMetadataOf(usage) } : {}),
		...(cost === undefined ? {} : { cost }),
	};
}

/** Token usage in LangChain's terms. What the gateway does not report is missing, never 0. */
function usageMetadataOf(usage: SdkTokenUsage): object {
	const { inputTokenDetails: input, outputTokenDetails: output } = usage;
	return {
		input_tokens: usage.promptTokens,
		output_tokens: usage.completionTokens,
		total_tokens: usage.totalTokens,
		...(input
			? {
					input_token_details: numbersIn({
						cache_read: input.cacheRead,
						cache_creation: input.cacheCreation,
						audio: input.audio,
					}),
				}
			: {}),
		...(output
			? { output_token_details: numbersIn({ reasoning: output.reasoning, audio: output.audio }) }
			: {}),
	};
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

/**
 * Token usage of a finished run, under either set of names, as n8n shows it in the execution. Its details and the cost
 * have the names that Unified AI Chat uses.
 */
export function usageOfRun(result: unknown): Record<string, number> {
	const { llmOutput, generations } = asRecord(result) ?? {};
	const [first] = [generations].flat(2);
	const ofAll = asRecord(llmOutput) ?? {};
	const ofStream = asRecord(asRecord(first)?.generationInfo) ?? {};
	const usage = { ...asRecord(ofAll.tokenUsage), ...asRecord(ofStream.tokenUsage) };
	const input = asRecord(usage.input_token_details);
	const output = asRecord(usage.output_token_details);
	const { input_tokens, output_tokens, total_tokens } = numbersIn(usage);
	const { promptTokens = 0, completionTokens = 0, totalTokens } = numbersIn(usage);
	const prompt = input_tokens ?? promptTokens;
	const completion = output_tokens ?? completionTokens;
	return {
		promptTokens: prompt,
		completionTokens: completion,
		totalTokens: (total_tokens ?? totalTokens) || prompt + completion,
		...numbersIn({
			cachedInputTokens: input?.cache_read,
			cacheWriteTokens: input?.cache_creation,
			audioInputTokens: input?.audio,
			reasoningTokens: output?.reasoning,
			audioOutputTokens: output?.audio,
			cost: ofStream.cost ?? ofAll.cost,
		}),
	};
}

/** The fields of a record that are numbers. */
function numbersIn(fields: Record<string, unknown>): Partial<Record<string, number>> {
	return Object.fromEntries(
		Object.entries(fields).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
	);
}
