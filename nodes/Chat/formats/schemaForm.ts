import { toFailure } from '../../shared/failure/failure';
import { type Fields, asRecord } from '../../shared/plain/values';
import type { Schema } from '../json/keywords';
import type { ChatAnswer } from './answer';

/** The name of the form in which the model is to answer. */
export const ANSWER = 'answer';

/** Tells whether a schema describes an object, which is all that the fields of the formats accept. */
export function isObjectSchema(schema: Schema): boolean {
	return typeof schema === 'object' && schema.type === 'object';
}

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

/** The schema would have to mean something else in the other form. */
class Inexpressible extends Error {}

export function ifPossible(write: () => Fields): Fields | undefined {
	try {
		return write();
	} catch (error) {
		if (error instanceof Inexpressible) return undefined;
		throw toFailure(error);
	}
}

export function check(isPossible: boolean): void {
	if (!isPossible) throw new Inexpressible();
}

export function fieldsOf(schema: unknown): Fields {
	const fields = asRecord(schema);
	if (!fields) throw new Inexpressible();
	return fields;
}

export function each(list: unknown, write: (schema: unknown) => Fields): Fields[] {
	check(Array.isArray(list));
	return (list as unknown[]).map(write);
}

export function eachNamed(schemas: unknown, write: (schema: unknown) => Fields): Fields {
	return Object.fromEntries(Object.entries(asRecord(schemas) ?? {}).map(([name, one]) => [name, write(one)]));
}
