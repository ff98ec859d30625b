import { asRecord, textOr } from '../../shared/plain/values';
import type { Fields } from './assembler';
import { inKnownFormat } from './otherShapes';

/**
 * What a model thought before it called tools, as it came: signed, encrypted, or plain. Models that reason refuse the
 * results of their calls without it.
 */
export interface Thoughts {
	/** The model that was asked. */
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

/**
 * The thoughts in the body of an answer in any format.
 *
 * @param model that was asked
 * @param ids the IDs that the calls with a name have got, in their order
 */
export function thoughtsIn(body: Fields, model: string, ids: string[]): Thoughts {
	const { choices, content, candidates } = inKnownFormat(body);
	const message = asRecord(asRecord(listOf(choices)[0])?.message) ?? {};
	const calls = listOf(message.tool_calls).flatMap((call) => {
		const fields = asRecord(call) ?? {};
		return textOr(asRecord(fields.function)?.name) === '' ? [] : [fields];
	});
	const ofCalls = calls.map(
		(call, index) => [ids[index] ?? textOr(call.id), picked(call, THOUGHT_FIELDS_OF_CALLS)] as const,
	);
	const parts = listOf(asRecord(asRecord(listOf(candidates)[0])?.content)?.parts).map(
		(part) => asRecord(part) ?? {},
	);
	const called = parts.filter(({ functionCall }) => asRecord(functionCall));
	const ofParts = called.map(
		(part, index) => [ids[index] ?? '', picked(part, THOUGHT_FIELDS_OF_PARTS)] as const,
	);
	return {
		model,
		blocks: listOf(content).flatMap((block) => {
			const fields = asRecord(block);
			return fields && THOUGHT_BLOCKS.includes(textOr(fields.type)) ? [fields] : [];
		}),
		fields: picked(message, THOUGHT_FIELDS),
		ofCalls: Object.fromEntries(
			[...ofCalls, ...ofParts].filter(([, fields]) => Object.keys(fields).length > 0),
		),
	};
}

function listOf(value: unknown): unknown[] {
	return Array.isArray(value) ? value : [];
}

/** The fields with these names that say something. */
function picked(fields: Fields, names: string[]): Fields {
	const isEmpty = (value: unknown) => value === undefined || value === null || value === '';
	return Object.fromEntries(
		Object.entries(fields).filter(([name, value]) => names.includes(name) && !isEmpty(value)),
	);
}
