import { asRecord, textOr } from '../../shared/plain/values';
import { type Fields, objectsIn } from './assembler';
import { inKnownFormat } from './otherShapes';

/** What a model thought before it called tools. Models that reason refuse the results of their calls without it. */
export interface Thoughts {
	model: string;
	/** The blocks before the calls, in the messages format. */
	blocks: Fields[];
	/** The fields of the message, in the chat format. */
	fields: Fields;
	/** The fields of single calls by their ID, in the chat and generate-content formats. */
	ofCalls: Record<string, Fields>;
}

const THOUGHT_BLOCKS = ['thinking', 'redacted_thinking'];
const THOUGHT_FIELDS = ['reasoning_content', 'reasoning', 'reasoning_details', 'thinking_blocks'];
const THOUGHT_FIELDS_OF_PARTS = ['thoughtSignature'];
const THOUGHT_FIELDS_OF_CALLS = ['extra_content', 'provider_specific_fields'];

/** The thoughts in the body of an answer. @param named the calls with a name, with the IDs that they have got */
export function thoughtsIn(body: Fields, model: string, named: Array<{ id: string }>): Thoughts {
	const { choices, content, candidates } = inKnownFormat(body);
	const ids = named.map(({ id }) => id);
	const message = asRecord(objectsIn(choices)[0]?.message) ?? {};
	const calls = objectsIn(message.tool_calls).filter((call) => textOr(asRecord(call.function)?.name) !== '');
	const parts = objectsIn(asRecord(objectsIn(candidates)[0]?.content)?.parts).filter(
		(part) => asRecord(part.functionCall)?.name,
	);
	const ofCalls = [
		...calls.map(
			(call, index) => [ids[index] ?? textOr(call.id), picked(call, THOUGHT_FIELDS_OF_CALLS)] as const,
		),
		...parts.map((part, index) => [ids[index] ?? '', picked(part, THOUGHT_FIELDS_OF_PARTS)] as const),
	];
	return {
		model,
		blocks: objectsIn(content).filter(({ type }) => THOUGHT_BLOCKS.includes(textOr(type))),
		fields: picked(message, THOUGHT_FIELDS),
		ofCalls: Object.fromEntries(ofCalls.filter(([, fields]) => Object.keys(fields).length > 0)),
	};
}

function picked(fields: Fields, names: string[]): Fields {
	const isEmpty = (value: unknown) => value === undefined || value === null || value === '';
	return Object.fromEntries(
		Object.entries(fields).filter(([name, value]) => names.includes(name) && !isEmpty(value)),
	);
}
