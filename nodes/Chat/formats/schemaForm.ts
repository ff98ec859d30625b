import { type Fields, asRecord } from '../../shared/plain/values';
import type { ChatAnswer } from './answer';

/** The name of the form in which the model is to answer. */
export const ANSWER = 'answer';

/** An answer that came as a call of a tool, as text. */
export function withoutAnswerTool(answer: ChatAnswer): ChatAnswer {
	const call = answer.toolCalls?.findLast(({ name }) => name === ANSWER);
	if (!call) return answer;
	const { arguments: given } = call;
	const text = typeof given === 'string' ? given : JSON.stringify(given);
	const finishReason = answer.finishReason === 'tool_calls' ? 'stop' : answer.finishReason;
	const said: ChatAnswer = { ...answer, text, finishReason };
	delete said.toolCalls;
	return said;
}

/** Says how a format writes schemas. */
export interface SchemaForm {
	/** The keywords that it has, and those without which a schema says less, which is checked anyway. */
	keywords: Set<string>;
	leftOut: Set<string>;
	/** A schema with only these keywords, as the format demands it; undefined for one that it cannot express. */
	complete(schema: Fields): Fields | undefined;
}

/** A schema in a form; undefined for one that would have to mean something else. */
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

/** The value of a keyword, in which the schemas are in the form. */
function ruleIn(form: SchemaForm, keyword: string, rule: unknown): unknown {
	if (keyword === 'items') return schemaIn(form, rule);
	if (!SEVERAL.includes(keyword)) return rule;
	const schemas = (rule ?? {}) as Fields;
	const written = withEach(Object.keys(schemas), (name) => schemaIn(form, schemas[name]));
	return written && keyword === 'anyOf' ? Object.values(written) : written;
}

/** An object with these names; undefined if one of them has no value. */
function withEach(names: string[], valueOf: (name: string) => unknown): Fields | undefined {
	const entries = names.map((name): [string, unknown] => [name, valueOf(name)]);
	return entries.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(entries);
}
