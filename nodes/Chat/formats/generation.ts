import type { Fields } from './assembler';

/** How the model generates its answer, independent of the format. What is undefined is not sent. */
export interface Generation {
	maxTokens?: number;
	temperature?: number;
	topP?: number;
	seed?: number;
	stopSequences?: string[];
	/** How much the model reasons before it answers, in the gateway's words; `none` for not at all. */
	reasoningEffort?: string;
	/** How many tokens it may use for that; an alternative to the effort. */
	thinkingTokens?: number;
}

/** What a request is made of, with messages and tools in its format. */
export interface RequestParts {
	model: string;
	messages: object[];
	tools: object[];
	generation: Generation;
	streamed: boolean;
}

/** Turns reasoning off in every format. */
const NO_REASONING = 'none';

/** The fields of a chat completion request (interface, 4.1; the others as comparable services name them). */
export function chatCompletionGeneration(generation: Generation): Fields {
	const { thinkingTokens } = generation;
	return {
		max_tokens: generation.maxTokens,
		temperature: generation.temperature,
		top_p: generation.topP,
		seed: generation.seed,
		stop: generation.stopSequences,
		reasoning_effort: generation.reasoningEffort,
		reasoning: thinkingTokens === undefined ? undefined : { max_tokens: thinkingTokens },
	};
}

/** The fields of a messages request (interface, 4.2), which knows no seed. */
export function messagesGeneration(generation: Generation): Fields {
	return {
		max_tokens: generation.maxTokens,
		temperature: generation.temperature,
		top_p: generation.topP,
		stop_sequences: generation.stopSequences,
		...messagesThinking(generation),
	};
}

function messagesThinking({ reasoningEffort, thinkingTokens }: Generation): Fields {
	if (thinkingTokens !== undefined) return { thinking: { type: 'enabled', budget_tokens: thinkingTokens } };
	if (reasoningEffort === undefined) return {};
	if (reasoningEffort === NO_REASONING) return { thinking: { type: 'disabled' } };
	return { thinking: { type: 'adaptive' }, output_config: { effort: reasoningEffort } };
}

/** `generationConfig` of a generate-content request (interface, 4.3); undefined when nothing is set. */
export function generationConfig(generation: Generation): Fields | undefined {
	const config = {
		temperature: generation.temperature,
		maxOutputTokens: generation.maxTokens,
		topP: generation.topP,
		seed: generation.seed,
		stopSequences: generation.stopSequences,
		thinkingConfig: thinkingConfig(generation),
	};
	return Object.values(config).some((value) => value !== undefined) ? config : undefined;
}

function thinkingConfig({ reasoningEffort, thinkingTokens }: Generation): Fields | undefined {
	if (thinkingTokens !== undefined) return { thinkingBudget: thinkingTokens };
	if (reasoningEffort === undefined) return undefined;
	return reasoningEffort === NO_REASONING ? { thinkingBudget: 0 } : { thinkingLevel: reasoningEffort };
}

/** Whether a messages request lets the model think, which excludes some other settings. */
export function isThinking({ reasoningEffort = NO_REASONING, thinkingTokens }: Generation): boolean {
	return thinkingTokens !== undefined || reasoningEffort !== NO_REASONING;
}
