import type { IDataObject } from 'n8n-workflow';
import type { ChatCompletion } from '../shared/schemas/chatCompletion';

/**
 * The simplified output of the Chat node: `{ text, model, finishReason, usage, id }`, the same for every
 * format of answer. What the answer does not hold is left out of `usage`.
 */
export function simplifyChatCompletion({ choices, model, usage, id }: ChatCompletion): IDataObject {
	const [{ message, finish_reason: finishReason }] = choices;
	return {
		text: textOf(message.content),
		model,
		finishReason,
		usage: tokenUsage(usage),
		id,
	};
}

function tokenUsage(usage: ChatCompletion['usage']): IDataObject {
	const { prompt_tokens: inputTokens, completion_tokens: outputTokens, total_tokens: total } = usage ?? {};
	const sum =
		inputTokens !== undefined && outputTokens !== undefined ? inputTokens + outputTokens : undefined;
	return { inputTokens, outputTokens, totalTokens: total ?? sum };
}

function textOf(content: ChatCompletion['choices'][number]['message']['content']): string {
	if (typeof content === 'string') return content;
	return (content ?? [])
		.map((part) => (part as { text?: unknown }).text)
		.filter((text) => typeof text === 'string')
		.join('');
}
