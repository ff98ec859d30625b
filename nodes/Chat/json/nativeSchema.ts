import { toFailure } from '../../shared/failure/failure';
import { asRecord, textOr } from '../../shared/plain/values';
import type { ChatAnswer } from '../formats/answer';
import type { Fields } from '../formats/assembler';
import { ANNOTATIONS, type Schema } from './keywords';

/** The name of the form in which the model is to answer. */
const NAME = 'answer';

/** Whether a schema describes an object, which is all that the fields of the formats accept. */
export function isObjectSchema(schema: Schema): boolean {
	return typeof schema === 'object' && schema.type === 'object';
}

/** `response_format` of a chat completion, as comparable services expect it. */
export function responseFormat(schema: Schema): Fields {
	const closed = ifPossible(() => closedForm(schema));
	const known = closed === undefined ? { strict: false, schema } : { strict: true, schema: closed };
	return { response_format: { type: 'json_schema', json_schema: { name: NAME, ...known } } };
}

/** A tool of the messages format that the model has to call with its answer. */
export function answerTool(schema: Schema): Fields {
	const tool = { name: NAME, description: 'Gives the answer to the user.', input_schema: schema };
	return { tools: [tool], tool_choice: { type: 'tool', name: NAME } };
}

/** An answer that came as a call of {@link answerTool}, as text. */
export function withoutAnswerTool(answer: ChatAnswer): ChatAnswer {
	const call = answer.toolCalls?.findLast(({ name }) => name === NAME);
	if (!call) return answer;
	const { arguments: given } = call;
	const text = typeof given === 'string' ? given : JSON.stringify(given);
	const finishReason = answer.finishReason === 'tool_calls' ? 'stop' : answer.finishReason;
	const said: ChatAnswer = { ...answer, text, finishReason };
	delete said.toolCalls;
	return said;
}

/** `generationConfig` for JSON of the generate-content format; undefined for a schema that the format cannot express. */
export function responseSchema(schema: Schema): Fields | undefined {
	const open = openApiForm(schema);
	return open && { responseMimeType: 'application/json', responseSchema: open };
}

/** A schema in the subset of OpenAPI that the generate-content format knows; undefined for one that it cannot express. */
export function openApiForm(schema: unknown): Fields | undefined {
	return ifPossible(() => openForm(schema));
}

/** The schema would have to mean something else in the other form. */
class Inexpressible extends Error {}

function ifPossible(write: () => Fields): Fields | undefined {
	try {
		return write();
	} catch (error) {
		if (error instanceof Inexpressible) return undefined;
		throw toFailure(error);
	}
}

function check(isPossible: boolean): void {
	if (!isPossible) throw new Inexpressible();
}

function fieldsOf(schema: unknown): Fields {
	const fields = asRecord(schema);
	if (!fields) throw new Inexpressible();
	return fields;
}

function each(list: unknown, write: (schema: unknown) => Fields): Fields[] {
	check(Array.isArray(list));
	return (list as unknown[]).map(write);
}

function eachNamed(schemas: unknown, write: (schema: unknown) => Fields): Fields {
	return Object.fromEntries(Object.entries(asRecord(schemas) ?? {}).map(([name, one]) => [name, write(one)]));
}

const STRICT_KEYWORDS = new Set([
	...['type', 'properties', 'required', 'additionalProperties', 'items', 'enum', 'const', 'anyOf'],
	...['$ref', '$defs', 'definitions', 'title', 'description', 'pattern', 'format', 'multipleOf'],
	...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minItems', 'maxItems'],
]);

/** A schema as the strict mode demands it: every object lists all of its properties as required and allows no others. */
function closedForm(schema: unknown): Fields {
	const closed: Fields = {};
	for (const [name, value] of Object.entries(fieldsOf(schema))) {
		if (STRICT_KEYWORDS.has(name)) closed[name] = closedKeyword(name, value);
		else check(ANNOTATIONS.has(name));
	}
	if (closed.type === 'object' || 'properties' in closed) {
		const { additionalProperties = false, properties = {}, required = [] } = closed;
		const names = Object.keys(properties as object);
		check(additionalProperties === false && Array.isArray(required));
		check(names.every((name) => (required as unknown[]).includes(name)));
		Object.assign(closed, { additionalProperties, properties, required });
	}
	check(['type', 'anyOf', '$ref', 'enum', 'const'].some((name) => name in closed));
	return closed;
}

function closedKeyword(name: string, value: unknown): unknown {
	if (name === 'items') return closedForm(value);
	if (name === 'anyOf') return each(value, closedForm);
	return ['properties', '$defs', 'definitions'].includes(name) ? eachNamed(value, closedForm) : value;
}

/** Keywords of the generate-content format that mean the same as in JSON Schema. */
const SAME = new Set([
	...['title', 'description', 'minItems', 'maxItems', 'minimum', 'maximum', 'required'],
	...['minLength', 'maxLength', 'pattern', 'minProperties', 'maxProperties'],
]);
/** Keywords without which the form says less, which is checked anyway. */
const LEFT_OUT = new Set([
	...ANNOTATIONS,
	...['additionalProperties', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'uniqueItems'],
]);
const TYPES: unknown[] = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

function openForm(schema: unknown): Fields {
	const { type, enum: values, properties, items, anyOf, ...others } = fieldsOf(schema);
	const form: Fields = {};
	for (const [name, value] of Object.entries(others)) {
		if (SAME.has(name)) form[name] = value;
		else check(LEFT_OUT.has(name));
	}
	if (type !== undefined) {
		const types = [type].flat();
		const [known, ...more] = types.filter((one) => one !== 'null');
		check(TYPES.includes(known) && more.length === 0);
		form.type = textOr(known).toUpperCase();
		if (types.includes('null')) form.nullable = true;
	}
	if (values !== undefined) {
		check(Array.isArray(values) && values.every((value) => typeof value === 'string'));
		Object.assign(form, { type: 'STRING', enum: values });
	}
	// The format has no object that may have any property.
	if (form.type === 'OBJECT' || properties !== undefined) {
		form.properties = eachNamed(properties, openForm);
		check(Object.keys(form.properties as object).length > 0);
	}
	if (items !== undefined) form.items = openForm(items);
	if (anyOf !== undefined) form.anyOf = each(anyOf, openForm);
	return form;
}
