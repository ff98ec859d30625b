import { asRecord, textOr } from '../../shared/plain/values';
import { type Fields, isFields } from './assembler';

/** The parts of a content, which may also be a text or a single part. */
export function partsOf(content: unknown): unknown[] {
	if (Array.isArray(content)) return content.filter((part) => part !== null);
	return content === undefined || content === null || content === '' ? [] : [content];
}

/** The text of a content, without thoughts. */
export function textOfContent(content: unknown): string {
	return partsOf(content)
		.map((part) => textOfPart(part) ?? '')
		.join('');
}

/** What a content says that the model has thought. */
export function thoughtsOfContent(content: unknown): string {
	return partsOf(content)
		.map((part) => thoughtOfPart(part) ?? '')
		.join('');
}

/** Whether a part is neither text nor a thought. */
export function isOther(part: unknown): boolean {
	return textOfPart(part) === undefined && thoughtOfPart(part) === undefined;
}

/** The types of parts with thoughts: of Mistral, and of gateways that follow the messages format. */
const THOUGHTS = ['thinking', 'reasoning', 'redacted_thinking'];

function isThought(part: unknown): boolean {
	const { type, thought } = asRecord(part) ?? {};
	return thought === true || THOUGHTS.includes(textOr(type));
}

function textOfPart(part: unknown): string | undefined {
	if (isThought(part)) return undefined;
	const text = typeof part === 'string' ? part : asRecord(part)?.text;
	return typeof text === 'string' ? text : undefined;
}

/** Mistral puts a list of parts into a thought, Databricks and the Responses API into its summary. */
function thoughtOfPart(part: unknown): string | undefined {
	if (!isThought(part)) return undefined;
	const { thinking, reasoning, summary, content, text } = asRecord(part) ?? {};
	const all = [thinking, reasoning, summary, content, text].map(textOfContent);
	return all.find((one) => one !== '') ?? '';
}

/** The fields of a part that may come in pieces. */
const GROWING = ['text', 'thinking', 'reasoning', 'summary', 'signature'];

/**
 * A content with more of it: texts grow, and parts follow each other in order. A text in pieces is one part again, so
 * that the result does not depend on how the gateway has cut it.
 */
export function withMore(content: unknown, more: unknown): unknown {
	if (more === undefined || more === null || more === '') return content;
	if (content === undefined || content === null || content === '') {
		return Array.isArray(more) ? partsOf(more).reduce<unknown[]>(withPart, []) : more;
	}
	if (typeof content === 'string' && typeof more === 'string') return content + more;
	const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : partsOf(content);
	return partsOf(more).reduce<unknown[]>(withPart, parts);
}

/** Adds a part to a list, which it changes. */
function withPart(parts: unknown[], part: unknown): unknown[] {
	const one = typeof part === 'string' ? { type: 'text', text: part } : part;
	const last = parts.at(-1);
	if (isFields(last) && isFields(one) && isContinued(last, one)) {
		for (const [name, value] of Object.entries(one)) {
			if (name === '__proto__') continue;
			last[name] = GROWING.includes(name) ? withMore(last[name], value) : value;
		}
	} else {
		parts.push(isFields(one) ? { ...one } : one);
	}
	return parts;
}

/** Whether a part is the next piece of the one before. */
function isContinued(last: Fields, part: Fields): boolean {
	const isText = GROWING.some((name) => name in part);
	// A signature ends a thought.
	if (last.signature && part.thinking) return false;
	return isText && last.type === part.type && last.thought === part.thought && last.index === part.index;
}
