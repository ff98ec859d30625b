import { type Fields, asRecord, isEmpty } from '../../shared/plain/values';
import type { ChatAnswer } from './answer';

/** The name of the schema, or of the tool, with which the model answers. */
export const ANSWER = 'answer';

/** Turns a call of the answer tool into the text of the answer. Other answers stay unchanged. */
export function withoutAnswerTool(answer: ChatAnswer): ChatAnswer {
	const call = answer.toolCalls?.findLast(({ name }) => name === ANSWER);
	if (!call) return answer;
	const { arguments: given } = call;
	// An empty object may have been cut off before its fields.
	const isCut = answer.finishReason === 'length' && isEmpty(given);
	const text = typeof given === 'string' ? given : isCut ? '' : JSON.stringify(given);
	const finishReason = answer.finishReason === 'tool_calls' ? 'stop' : answer.finishReason;
	const said: ChatAnswer = { ...answer, text, finishReason };
	delete said.toolCalls;
	return said;
}

/** Describes how a format writes schemas. */
export interface SchemaForm {
	/** The keywords that the format knows, and those that may be left out, because the answer is checked anyway. */
	keywords: Set<string>;
	leftOut: Set<string>;
	/** Completes a schema with only these keywords, as the format demands; undefined if the format cannot express it. */
	complete(schema: Fields): Fields | undefined;
}

/** Writes a schema in a form. Returns undefined if its meaning would change. */
export function schemaIn(form: SchemaForm, schema: unknown): Fields | undefined {
	const fields = asRecord(schema);
	if (!fields) return undefined;
	const names = Object.keys(fields);
	const known = names.filter((keyword) => form.keywords.has(keyword));
	if (!names.every((keyword) => known.includes(keyword) || form.leftOut.has(keyword))) return undefined;
	const written = withEach(known, (keyword) => ruleIn(form, keyword, fields[keyword]));
	return written && form.complete(written);
}

const SEVERAL = ['anyOf', 'properties', '$defs', 'definitions'];

/** Writes the value of a keyword with its schemas in the form. Returns undefined if the meaning would change. */
function ruleIn(form: SchemaForm, keyword: string, rule: unknown): unknown {
	if (keyword === 'items') return schemaIn(form, rule);
	if (!SEVERAL.includes(keyword)) return rule;
	const schemas = (rule ?? {}) as Fields;
	const written = withEach(Object.keys(schemas), (name) => schemaIn(form, schemas[name]));
	return written && keyword === 'anyOf' ? Object.values(written) : written;
}

/** Builds an object with these names. Returns undefined if one of them has no value. */
function withEach(names: string[], valueOf: (name: string) => unknown): Fields | undefined {
	const entries = names.map((name): [string, unknown] => [name, valueOf(name)]);
	return entries.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(entries);
}
