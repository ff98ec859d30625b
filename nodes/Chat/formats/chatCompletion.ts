import type { OptionalFields } from '../../shared/answer/optionalFields';
import { asRecord, isBlank, textOr } from '../../shared/plain/values';
import { type AnswerParts, MAX_ANSWERS } from './answer';
import {
	byIndex,
	inOrder,
	indexOf,
	isFields,
	listOf,
	objectsIn,
	type Assembler,
	type Fields,
} from './assembler';
import { callIn, partsOf, saidIn, textOfContent, thoughtsOfContent } from './contentParts';
import { chatCompletionFile, namedText } from './fileParts';
import { plainTextOf, type Conversation, type Part, type Turn } from './conversation';
import type { Tool } from './functions';
import { chatCompletionGeneration, type RequestParts } from './generation';
import { isEmptyObject, Merger, withCallPiece } from './merger';
import { chatCompletionSources } from './sources';

/** The `messages` of a chat completion (interface, 2.2); files in them may be `EmbeddedFile`s. */
export function chatCompletionMessages({ system, turns }: Conversation): object[] {
	const first = isBlank(system) ? [] : [{ role: 'system', content: system }];
	return [...first, ...turns.flatMap(messagesOf)];
}

/** The `tools` of a chat completion, as comparable services expect them. */
export function chatCompletionTools(tools: Tool[]): object[] {
	return tools.map((tool) => ({ type: 'function', function: tool }));
}

/** The body of a request (interface, 4.1). @param includeUsage whether a stream is to end with the token usage */
export function chatCompletionBody(parts: RequestParts, includeUsage: boolean): Fields {
	const { model, messages, tools, generation, streamed } = parts;
	return {
		...{ model, messages },
		...(tools.length > 0 ? { tools } : {}),
		...(streamed ? { stream: true } : {}),
		...(streamed && includeUsage ? { stream_options: { include_usage: true } } : {}),
		...chatCompletionGeneration(generation),
	};
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
						...turn.thoughts?.ofCalls[part.id],
					},
				]
			: [],
	);
	const content = contentOf(turn);
	const files = filesOfResults(turn);
	if (calls.length > 0) {
		const thoughts = turn.thoughts?.fields;
		return [...results, { role: turn.role, content: content ?? null, tool_calls: calls, ...thoughts }];
	}
	return [...results, ...files, ...(content === undefined ? [] : [{ role: turn.role, content }])];
}

/** Results of tools are only text in this format, so their files follow in a message of the user. */
function filesOfResults({ parts }: Turn): object[] {
	return parts.flatMap((part) => {
		if (part.type !== 'toolResult' || !part.files?.length) return [];
		const heading = { type: 'text', text: `Files that the tool ${part.name} returned:` };
		return [{ role: 'user', content: [heading, ...part.files.map(chatCompletionFile)] }];
	});
}

function contentOf({ role, parts }: Turn): string | object[] | undefined {
	const content = parts.filter(({ type }) => ['text', 'file', 'document'].includes(type));
	if (content.length === 0) return undefined;
	return plainTextOf({ role, parts: content }) ?? content.flatMap(contentPart);
}

function contentPart(part: Part): object[] {
	if (part.type === 'text') return part.text === '' ? [] : [{ type: 'text', text: part.text }];
	if (part.type === 'document') return [{ type: 'text', text: namedText(part) }];
	return part.type === 'file' ? [chatCompletionFile(part)] : [];
}

const MAX_CALLS = 1000;

/** Reads a chat completion (interface, 2.3). @throws GatewayFailure (kind `answer`) without a choice that can be read */
export function readChatCompletion(body: Fields, optional: OptionalFields): AnswerParts {
	const choices = byIndex(optional.list(body.choices, 'choices', choiceIn, MAX_ANSWERS));
	const { said = {}, finishReason } = choices.at(0) ?? {};
	// GitHub Copilot puts the text and the calls into choices of their own.
	const isApart = finishReason === 'tool_calls' && !said.tool_calls;
	const asking = isApart ? choices.find((choice) => choice.said.tool_calls)?.said : said;
	// Text Generation Inference sends a single call without a list.
	const asked = isFields(asking?.tool_calls) ? [asking.tool_calls] : asking?.tool_calls;
	const calls = optional.optionalList(asked, 'tool_calls', callIn, MAX_CALLS);
	// Snowflake has calls only in a list beside the content.
	const { toolCalls, otherContent } = saidIn([...partsOf(said.content), ...partsOf(said.content_list)]);
	const older = callIn({ function: said.function_call });
	const others = [...(older ? [older] : []), ...toolCalls];
	return {
		id: optional.text(body.id, 'id'),
		model: optional.text(body.model, 'model'),
		text: textOfContent(said.content) || transcriptOf(said),
		finishReason: optional.text(finishReason, 'finish_reason'),
		reasoning: reasoningOf(said),
		toolCalls: calls.length > 0 ? calls : others,
		refusal: optional.text(said.refusal, 'refusal'),
		alternatives: choices
			.slice(1)
			.filter((choice) => choice.said !== asking)
			.map((choice) => textOfContent(choice.said.content)),
		otherContent: [...otherContent, ...filesBeside(said)],
		sources: chatCompletionSources(body, said),
	};
}

/** What the audio of OpenAI says, which has no other text. */
function transcriptOf({ audio }: Fields): string {
	return textOr(asRecord(audio)?.transcript);
}

function filesBeside({ images, audio }: Fields): unknown[] {
	return [...listOf(images), ...(isFields(audio) ? [{ audio }] : [])];
}

/** The thoughts of a message: under the name of DeepSeek or OpenRouter, in the details of OpenRouter, or among the parts of Mistral. */
function reasoningOf({ reasoning_content: content, reasoning, reasoning_details: details, ...said }: Fields) {
	const ofDetails = objectsIn(details).map(({ text, summary }) => textOr(text, textOr(summary)));
	const all = [textOr(content), textOr(reasoning), ofDetails.join(''), thoughtsOfContent(said.content)];
	return all.find((text) => text !== '') ?? '';
}

/** One answer: a message or, from some gateways, only its text. */
interface Choice extends Fields {
	said: Fields;
	finishReason: unknown;
}

function choiceIn(value: unknown): Choice | undefined {
	const { message, text, finish_reason: finishReason, index } = asRecord(value) ?? {};
	const isText = typeof text === 'string' && !asRecord(message);
	// Azure ends a choice that its filter withholds without a message.
	const said = isText ? { content: text } : (asRecord(message) ?? (finishReason ? {} : undefined));
	const isContent = ['undefined', 'string', 'object'].includes(typeof said?.content);
	return said && isContent ? { said, finishReason, index } : undefined;
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
		const texts = listOf(choices).map((one, place) => (isFields(one) ? this.addChoice(one, place) : ''));
		return texts.join('');
	}

	get isComplete(): boolean {
		return (
			this.choices.size > 0 && inOrder(this.choices).every(({ finish_reason: reason }) => Boolean(reason))
		);
	}

	body(): Fields {
		return { ...this.head, object: 'chat.completion', choices: inOrder(this.choices) };
	}

	private addChoice(
		{ delta, message: whole, finish_reason: reason, ...others }: Fields,
		place: number,
	): string {
		const index = indexOf(others, place);
		const known = this.choices.get(index) ?? this.merger.count<Fields>({ index, finish_reason: null });
		this.choices.set(index, known);
		this.merger.merge(known, others);
		// DashScope sends the word "null" before the end.
		if (typeof reason === 'string' && !['', 'null'].includes(reason)) known.finish_reason = reason;
		// Older APIs have only a text, and Together has it beside the delta.
		if (typeof others.text === 'string' && isEmptyObject(delta ?? whole ?? {})) {
			return index === 0 ? others.text : '';
		}
		// Some gateways send a whole message instead of a delta.
		const message = (known.message ??= { role: 'assistant', content: null }) as Fields;
		const said = isFields(delta)
			? withCallPiece(delta)
			: isFields(whole)
				? withoutKnown(whole, message)
				: undefined;
		if (!said) return '';
		const { content = others.text, images, ...rest } = said;
		// Merging makes the parts grow.
		const text = textOfContent(content) || transcriptOf(rest);
		this.merger.merge(message, { ...rest, content });
		if (Array.isArray(images)) message.images = withImages(message.images, this.merger.count(images));
		return index === 0 ? text : '';
	}
}

/** The images so far, and new ones: each comes as a whole, some have the same `index`, and the last chunk may repeat them. */
function withImages(known: unknown, images: unknown[]): unknown[] {
	const all = [...listOf(known)];
	const isKnown = (image: unknown) => all.some((one) => JSON.stringify(one) === JSON.stringify(image));
	for (const image of images) if (!isKnown(image)) all.push(image);
	return all;
}

/** A whole message without the texts that have arrived before: it may come after the pieces, or grow with each event. */
function withoutKnown(whole: Fields, before: Fields): Fields {
	const rests = Object.entries(whole).map(([name, value]): [string, unknown] => {
		const known = textOr(before[name]);
		const isRepeated = name !== 'role' && known !== '' && textOr(value).startsWith(known);
		return [name, isRepeated ? textOr(value).slice(known.length) : value];
	});
	return Object.fromEntries(rests);
}
