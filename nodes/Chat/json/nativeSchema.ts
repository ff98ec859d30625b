import type { Fields } from '../formats/assembler';
import type { ChatAnswer } from '../formats/answer';
import { closedForm } from './closedForm';
import type { Schema } from './jsonSchema';
import { openApiForm } from './openApiForm';

/** The name of the form in which the model is to answer. */
const NAME = 'answer';

/** Whether a schema describes an object, which is all that the fields of the formats accept. */
export function isObjectSchema(schema: Schema): boolean {
	return typeof schema === 'object' && schema.type === 'object';
}

/** `response_format` of a chat completion, as comparable services expect it. */
export function responseFormat(schema: Schema): Fields {
	const closed = closedForm(schema);
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
