import { asRecord, parseJson, textOr } from '../../shared/plain/values';

type Fields = Record<string, unknown>;

/** The fields with a name and arguments: of tool calls, and of the older single call of a function. */
export const CALLS = ['function', 'function_call'];

/** A delta with the piece of a tool call as the interface has it: Snowflake sends its fields in the delta itself. */
export function withCallPiece(delta: Fields): Fields {
	if (delta.type !== 'tool_use') return delta;
	const { tool_use_id: id, name, input, content } = delta;
	return { content, tool_calls: [{ type: 'function', id, function: { name, arguments: input } }] };
}

/** Whether arguments are "none" so far, which some gateways send before the real ones. */
export function isEmptyObject(args: unknown): boolean {
	return typeof args === 'string' ? args.trim() === '{}' : isObject(args) && Object.keys(args).length === 0;
}

/** Whether an entry with the same index is not the rest of a tool call, but another one as a whole. */
export function beginsAnother(known: Fields, { id, index, function: asked }: Fields): boolean {
	const { name, arguments: args } = asRecord(asked) ?? {};
	if (!name) return false;
	if (id && known.id && id !== known.id) return true;
	const { name: nameBefore, arguments: before } = asRecord(known.function) ?? {};
	const isNumbered = index !== undefined && index !== null;
	if (!isNumbered && (id !== known.id || (!id && name !== nameBefore))) return true;
	const begins = isObject(args) || textOr(args).trimStart().startsWith('{');
	const isMore = isWhole(before) && !isEmptyObject(before);
	return begins && ((isMore && !isSame(args, before)) || (isWhole(before) && name !== nameBefore));
}

function isSame(one: unknown, other: unknown): boolean {
	// Texts may have grown, and are compared often.
	return one === other || (isObject(one) && isObject(other) && JSON.stringify(one) === JSON.stringify(other));
}

/** What is new of the function of a tool call: some gateways repeat its name with each piece, or all of it at the end. */
export function newIn(before: Fields, { name, arguments: args, ...others }: Fields): Fields {
	const repeats = args === before.arguments && isWhole(args);
	const more = isObject(args) && isObject(before.arguments) ? { ...before.arguments, ...args } : args;
	// Objects are merged here, and what has no arguments so far begins anew.
	const isReplaced = isObject(more) || (isEmptyObject(before.arguments) && textOr(more).trim() !== '');
	if (isReplaced && (isObject(before.arguments) || isEmptyObject(before.arguments)))
		before.arguments = undefined;
	return {
		...others,
		...(before.name ? {} : { name }),
		...(repeats ? {} : { arguments: more }),
	};
}

/** Whether the arguments of a tool call are complete. */
function isWhole(args: unknown): boolean {
	return isObject(args) || asRecord(parseJson(textOr(args))?.value) !== undefined;
}

function isObject(value: unknown): value is Fields {
	return asRecord(value) !== undefined;
}
