import { asRecord, textOr } from '../../shared/plain/values';

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
