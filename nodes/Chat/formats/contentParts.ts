import { asRecord, textOr, toText } from '../../shared/plain/values';
import { type AnswerParts, toolArguments, type ToolCall } from './answer';

/** Returns the parts of a content, which may also be a text or a single part. */
export function partsOf(content: unknown): unknown[] {
	if (Array.isArray(content)) return content;
	return content === undefined || content === null || content === '' ? [] : [content];
}

/** Returns the text of a content, without thoughts. */
export function textOfContent(content: unknown): string {
	return partsOf(content).map(textOfPart).join('');
}

/** Returns the thoughts in a content, as text. */
export function thoughtsOfContent(content: unknown): string {
	return partsOf(content).map(thoughtOfPart).join('');
}

/** Reads the parts of an answer in any of the formats. */
export function saidIn(
	parts: unknown[],
): Pick<AnswerParts, 'text' | 'reasoning' | 'toolCalls' | 'otherContent'> {
	return {
		text: textOfContent(parts),
		reasoning: thoughtsOfContent(parts),
		toolCalls: parts.map(callInPart).filter((call) => call !== undefined),
		otherContent: parts.filter(isOther),
	};
}

function isOther(part: unknown): boolean {
	const { type = '', text } = asRecord(part) ?? { text: part };
	const isText = typeof text === 'string' && (text !== '' || /^$|text$/.test(textOr(type)));
	return !isText && !THOUGHTS.includes(textOr(type)) && !callInPart(part);
}

/** Reads a tool call of a chat completion. Returns undefined if it has no name. */
export function callIn(value: unknown): ToolCall | undefined {
	const call = asRecord(value);
	// OpenAI's custom tools take a text.
	const asked = asRecord(call?.function) ?? asRecord(call?.custom);
	const name = textOr(asked?.name);
	if (!call || name === '') return undefined;
	return { id: toText(call.id), name, arguments: toolArguments(asked?.arguments ?? asked?.input) };
}

/** Reads the tool call in a part of the messages format, of Snowflake (nested), or of the generate-content format. */
function callInPart(part: unknown): ToolCall | undefined {
	const fields = asRecord(part);
	const { id: ownId, name, args, willContinue } = asRecord(fields?.functionCall) ?? {};
	// Arguments that were cut off must not be read as JSON, so they lose their last bracket.
	const given = willContinue === true ? JSON.stringify(args ?? {}).slice(0, -1) : args;
	if (name !== undefined) return callIn({ id: ownId, function: { name, arguments: given } });
	if (fields?.type !== 'tool_use') return undefined;
	const { id, tool_use_id: otherId, ...asked } = asRecord(fields.tool_use) ?? fields;
	return callIn({ id: id ?? otherId, function: asked });
}

/** The types of parts with thoughts: of Mistral, and of gateways that follow the messages format. */
const THOUGHTS = ['thinking', 'reasoning'];

function isThought(part: unknown): boolean {
	const { type, thought } = asRecord(part) ?? {};
	return thought === true || THOUGHTS.includes(textOr(type));
}

function textOfPart(part: unknown): string {
	if (isThought(part)) return '';
	return textOr(typeof part === 'string' ? part : asRecord(part)?.text);
}

/** Mistral puts a list of parts into a thought; Databricks and the Responses API put one into its summary. */
function thoughtOfPart(part: unknown): string {
	if (!isThought(part)) return '';
	const { thinking, reasoning, summary, content, text } = asRecord(part) ?? {};
	const all = [thinking, reasoning, summary, content, text].map(textOfContent);
	return all.find((one) => one !== '') ?? '';
}
