import { type Fields, asRecord, textOr } from '../../../shared/plain/values';
import { isFields } from '../assembler';

/**
 * Marks what of a messages request is cached: the tools, the system prompt, and all messages, so that the next turn of
 * a conversation finds this one. A request with marks of its own stays as it is. @param time as in Prompt Caching
 */
export function withCacheMarks<T extends Fields>(body: T, time: string): T {
	const { messages, system, tools } = body;
	const parts: Fields = { messages, system, tools };
	if (hasMarks(Object.values(parts))) return body;
	const mark = { type: 'ephemeral', ...(time === '1h' ? { ttl: time } : {}) };
	const marked: Fields = {};
	if (Array.isArray(tools)) marked.tools = lastMarked(tools, mark);
	if (system !== undefined) marked.system = lastMarked(blocksOf(system), mark);
	if (Array.isArray(messages)) {
		marked.messages = messages.map((message: unknown, index) =>
			index === messages.length - 1 && isFields(message)
				? { ...message, content: lastMarked(blocksOf(message.content), mark) }
				: message,
		);
	}
	return { ...body, ...marked };
}

function hasMarks(values: unknown[]): boolean {
	return values.some((value) => {
		if (Array.isArray(value)) return hasMarks(value);
		const { cache_control: mark, content } = asRecord(value) ?? {};
		return mark !== undefined || (Array.isArray(content) && hasMarks(content));
	});
}

function blocksOf(content: unknown): unknown[] {
	if (Array.isArray(content)) return content;
	return textOr(content) === '' ? [] : [{ type: 'text', text: content }];
}

function lastMarked(list: unknown[], mark: Fields): unknown[] {
	return list.map((entry, index) =>
		index === list.length - 1 && isFields(entry) ? { ...entry, cache_control: mark } : entry,
	);
}
