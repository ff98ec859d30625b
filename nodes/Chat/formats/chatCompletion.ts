import { z } from 'zod';
import { addressOf } from '../../shared/files/images';
import { checkAnswer, listOf, maybeCount, maybeText } from '../../shared/http/schemas';
import { asRecord, isBlank, textOr } from '../../shared/values';
import { MAX_ANSWERS, tokenCounts, toolArguments, type AnswerParts } from './answer';
import { inOrder, indexOf, isFields, Merger, type Assembler, type Fields } from './assembler';
import { plainTextOf, type Conversation, type Part, type Tool, type Turn } from './conversation';

/** The `messages` of a chat completion (interface, 2.2); images in them may be `EmbeddedFile`s. */
export function chatCompletionMessages({ system, turns }: Conversation): object[] {
	const first = isBlank(system) ? [] : [{ role: 'system', content: system }];
	return [...first, ...turns.flatMap(messagesOf)];
}

/** The `tools` of a chat completion, as comparable services expect them. */
export function chatCompletionTools(tools: Tool[]): object[] {
	return tools.map((tool) => ({ type: 'function', function: tool }));
}

function messagesOf(turn: Turn): object[] {
	const results = turn.parts.flatMap((part) =>
		part.type === 'toolResult' ? [{ role: 'tool', tool_call_id: part.id, content: part.text }] : [],
	);
	const calls = turn.parts.flatMap((part) =>
		part.type === 'toolCall'
			? [
					{
						id: part.id,
						type: 'function',
						function: { name: part.name, arguments: JSON.stringify(part.arguments) },
					},
				]
			: [],
	);
	const content = contentOf(turn);
	if (calls.length > 0) return [...results, { role: turn.role, content: content ?? null, tool_calls: calls }];
	return content === undefined ? results : [...results, { role: turn.role, content }];
}

function contentOf({ role, parts }: Turn): string | object[] | undefined {
	const content = parts.filter(({ type }) => type === 'text' || type === 'image');
	if (content.length === 0) return undefined;
	return plainTextOf({ role, parts: content }) ?? content.flatMap(contentPart);
}

function contentPart(part: Part): object[] {
	if (part.type === 'text') return part.text === '' ? [] : [{ type: 'text', text: part.text }];
	if (part.type === 'image') return [{ type: 'image_url', image_url: { url: addressOf(part.image) } }];
	return [];
}

const toolCall = z.object({
	id: maybeText,
	function: z.object({ name: maybeText, arguments: z.unknown() }),
});

const message = z
	.object({
		content: z.union([z.string(), z.array(z.unknown())]).nullish(),
		refusal: maybeText,
		reasoning_content: maybeText,
		reasoning: z.unknown(),
	})
	.passthrough();

/** Checked for the first answer only, the one whose calls are used. */
const callsSchema = z.object({ tool_calls: listOf(toolCall, 1000).nullish() });

const chatCompletionSchema = z.object({
	id: maybeText,
	model: maybeText,
	choices: listOf(z.object({ message, finish_reason: maybeText }), MAX_ANSWERS),
	usage: z
		.object({ prompt_tokens: maybeCount, completion_tokens: maybeCount, total_tokens: maybeCount })
		.nullish(),
});

/**
 * Reads a chat completion (interface, 2.3).
 *
 * @throws GatewayFailure (kind `answer`) when a field is not as the interface says
 */
export function readChatCompletion(body: unknown): AnswerParts {
	const { id, model, choices, usage } = checkAnswer(chatCompletionSchema, body);
	const first = choices.at(0);
	const said = first?.message;
	const parts = Array.isArray(said?.content) ? said.content : [];
	const calls = checkAnswer(callsSchema, said ?? {});
	return {
		id,
		model,
		text: textOfContent(said?.content),
		finishReason: first?.finish_reason,
		tokens: tokenCounts(usage?.prompt_tokens, usage?.completion_tokens, usage?.total_tokens),
		reasoning: said?.reasoning_content || textOr(said?.reasoning),
		toolCalls: (calls.tool_calls ?? []).map((call) => ({
			id: call.id ?? '',
			name: call.function.name ?? '',
			arguments: toolArguments(call.function.arguments),
		})),
		refusal: said?.refusal,
		alternatives: choices.slice(1).map((choice) => textOfContent(choice.message.content)),
		otherContent: parts.filter((part) => textOfPart(part) === undefined),
	};
}

function textOfContent(content: z.infer<typeof message>['content']): string {
	if (typeof content === 'string') return content;
	return (content ?? []).map((part) => textOfPart(part) ?? '').join('');
}

function textOfPart(part: unknown): string | undefined {
	const text = asRecord(part)?.text;
	return typeof text === 'string' ? text : undefined;
}

/** Assembles the chunks of a stream (interface, 4.1 and 6.2) into a chat completion (2.3). */
export class ChatCompletionAssembler implements Assembler {
	private readonly head: Fields = {};
	private readonly choices = new Map<number, Fields>();
	private readonly merger = new Merger();

	add(event: Fields): string {
		const { choices, ...head } = event;
		// Every chunk repeats the head, some of them with empty texts.
		this.merger.assign(this.head, head, [null, '']);
		let text = '';
		for (const choice of Array.isArray(choices) ? choices : []) {
			if (isFields(choice)) text += this.addChoice(choice);
		}
		return text;
	}

	get isComplete(): boolean {
		return (
			this.choices.size > 0 && inOrder(this.choices).every(({ finish_reason: reason }) => Boolean(reason))
		);
	}

	body(): Fields {
		return { ...this.head, object: 'chat.completion', choices: inOrder(this.choices) };
	}

	private addChoice({ delta, message: whole, finish_reason: reason, ...others }: Fields): string {
		const index = indexOf(others);
		const known = this.choices.get(index) ?? this.merger.count(emptyChoice(index));
		this.choices.set(index, known);
		this.merger.merge(known, others);
		if (typeof reason === 'string' && reason !== '') known.finish_reason = reason;
		// Some gateways send a whole message instead of a delta.
		const said = isFields(delta) ? delta : whole;
		if (!isFields(said)) return '';
		this.merger.merge(known.message as Fields, said);
		return index === 0 && typeof said.content === 'string' ? said.content : '';
	}
}

function emptyChoice(index: number): Fields {
	return { index, message: { role: 'assistant', content: null }, finish_reason: null };
}
