import type { OptionalFields } from '../../../shared/answer/optionalFields';
import { type Fields, asRecord, textOr, isEmpty } from '../../../shared/plain/values';
import { type AnswerParts, MAX_ANSWERS, distinctSources, type Source } from '../answer';
import { byIndex, isFields, listOf, objectsIn } from '../lists';
import type { AnswerFormat } from '../chatFormat';
import { callIn, partsOf, saidIn, textOfContent, thoughtsOfContent } from '../contentParts';
import { picked, type Thoughts, partsWithCallIds } from '../conversation';

/** Reads the answers (interface, 2.3). */
export const answer: AnswerFormat = {
	isIn: (body) => 'choices' in body,
	read,
	usage: (body) => usagesIn(body).findLast((one) => one !== undefined && one !== null),
	thoughts,
};

/** Returns the usage in all its places: streams of Moonshot, and older ones of Groq, do not have it in `usage`. */
export function usagesIn({ usage, x_groq: groq, choices }: Fields): unknown[] {
	return [asRecord(groq)?.usage, objectsIn(choices)[0]?.usage, usage];
}

const MAX_CALLS = 1000;

function read(body: Fields, optional: OptionalFields): AnswerParts {
	const choices = byIndex(optional.list(body.choices, 'choices', choiceIn, MAX_ANSWERS));
	const { said = {}, finishReason } = choices.at(0) ?? {};
	// GitHub Copilot puts the text and the calls into separate choices.
	const isApart = finishReason === 'tool_calls' && !said.tool_calls;
	const asking = isApart ? choices.find((choice) => choice.said.tool_calls)?.said : said;
	// Text Generation Inference sends a single call without a list.
	const asked = isFields(asking?.tool_calls) ? [asking.tool_calls] : asking?.tool_calls;
	const calls = optional.list(isEmpty(asked) ? [] : asked, 'tool_calls', callIn, MAX_CALLS);
	// Snowflake has calls only in a list beside the content.
	const { toolCalls, otherContent } = saidIn([...partsOf(said.content), ...partsOf(said.content_list)]);
	const older = callIn({ function: said.function_call });
	const others = [...(older ? [older] : []), ...toolCalls];
	return {
		id: optional.text(body.id, 'id'),
		model: optional.text(body.model, 'model'),
		text: textOfContent(said.content) || transcriptOf(said),
		finishReason: finishReason === null ? null : optional.text(finishReason, 'finish_reason'),
		reasoning: reasoningOf(said),
		toolCalls: calls.length > 0 ? calls : others,
		refusal: optional.text(said.refusal, 'refusal'),
		alternatives: choices
			.slice(1)
			.filter((choice) => choice.said !== asking)
			.map((choice) => textOfContent(choice.said.content)),
		otherContent: [...otherContent, ...filesBeside(said)],
		sources: sourcesIn(body, said),
	};
}

/** Returns the transcript of OpenAI's audio, the only text of such an answer. */
export function transcriptOf({ audio }: Fields): string {
	return textOr(asRecord(audio)?.transcript);
}

function filesBeside({ images, audio }: Fields): unknown[] {
	// Some gateways send all fields of an audio with each answer, empty.
	const isEmpty = Object.values(asRecord(audio) ?? {}).every((value) => !value);
	return [...listOf(images), ...(isEmpty ? [] : [{ audio }])];
}

/** Returns the thoughts of a message, from the fields of DeepSeek or OpenRouter, or the parts of Mistral. */
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
	const { message, text, finish_reason: reason, native_finish_reason: native, index } = asRecord(value) ?? {};
	// OpenRouter calls an answer that a fault has ended "stop"; the model's own service calls it "network_error" (hax#15), or
	// "MALFORMED_FUNCTION_CALL" (vellum-assistant#43134).
	const finishReason = /error|malformed|unexpected/i.test(textOr(native)) ? native : reason;
	const isText = typeof text === 'string' && !asRecord(message);
	// A choice that Azure's filter withholds has a finish reason, but no message.
	const said = isText ? { content: text } : (asRecord(message) ?? (finishReason ? {} : undefined));
	const isContent = ['undefined', 'string', 'object'].includes(typeof said?.content);
	return said && isContent ? { said, finishReason, index } : undefined;
}

/**
 * The sources of a chat completion: `search_results` and `citations` of Perplexity, `citations` of xAI, `references` of
 * Volcengine, `web_search` of Zhipu, `search_info` of Hunyuan, `url_citation` of OpenAI and OpenRouter, and those in the
 * messages of Azure (`context`), Groq (`executed_tools`), and LiteLLM (`provider_specific_fields`).
 */
function sourcesIn(body: Fields, message: Fields): Source[] {
	const annotations = listOf(message.annotations).map((annotation) => {
		const fields = asRecord(annotation);
		return fields?.url_citation ?? fields;
	});
	const searches = listOf(message.executed_tools).map((tool) => asRecord(tool)?.search_results);
	return distinctSources(
		[
			...[body.search_results, body.references, body.web_search, asRecord(body.search_info)?.search_results],
			annotations,
			asRecord(message.context)?.citations,
			listOf(asRecord(message.provider_specific_fields)?.citations).flat(),
			...searches.map((search) => asRecord(search)?.results),
			body.citations,
		].flatMap(listOf),
	);
}

const THOUGHT_FIELDS = ['reasoning_content', 'reasoning', 'reasoning_details', 'thinking_blocks'];
export const THOUGHT_FIELDS_OF_CALLS = ['extra_content', 'provider_specific_fields'];

function thoughts({ choices }: Fields, ids: string[]): Partial<Thoughts> {
	const message = asRecord(objectsIn(choices)[0]?.message) ?? {};
	const isCall = (call: Fields) => textOr(asRecord(call.function)?.name) !== '';
	const calls = objectsIn(message.tool_calls).filter(isCall);
	return {
		fields: picked(message, THOUGHT_FIELDS),
		parts: partsWithCallIds(calls, ids, isCall, (call) => picked(call, THOUGHT_FIELDS_OF_CALLS)),
	};
}
