import { addressOf } from '../../shared/files/images';
import { plainTextOf, type Conversation, type Part, type Tool, type Turn } from './conversation';

/** The `messages` of a chat completion (interface, 2.2); images in it may be `EmbeddedFile`s. */
export function chatCompletionMessages({ system, turns }: Conversation): object[] {
	const first = system.trim() === '' ? [] : [{ role: 'system', content: system }];
	return [...first, ...turns.flatMap(messagesOf)];
}

/** The `tools` of a chat completion, as comparable services take them. */
export function chatCompletionTools(tools: Tool[]): object[] {
	return tools.map((tool) => ({ type: 'function', function: tool }));
}

function messagesOf(turn: Turn): object[] {
	const results = turn.parts.flatMap((part) =>
		part.type === 'toolResult' ? [{ role: 'tool', tool_call_id: part.id, content: part.text }] : [],
	);
	const calls = turn.parts.flatMap((part) =>
		part.type === 'toolCall'
			? [
					{
						id: part.id,
						type: 'function',
						function: { name: part.name, arguments: JSON.stringify(part.arguments) },
					},
				]
			: [],
	);
	const content = contentOf(turn);
	if (calls.length > 0) return [...results, { role: turn.role, content: content ?? null, tool_calls: calls }];
	return content === undefined ? results : [...results, { role: turn.role, content }];
}

function contentOf({ role, parts }: Turn): string | object[] | undefined {
	const spoken = parts.filter(({ type }) => type === 'text' || type === 'image');
	if (spoken.length === 0) return undefined;
	return plainTextOf({ role, parts: spoken }) ?? spoken.flatMap(contentPart);
}

function contentPart(part: Part): object[] {
	if (part.type === 'text') return part.text === '' ? [] : [{ type: 'text', text: part.text }];
	if (part.type === 'image') return [{ type: 'image_url', image_url: { url: addressOf(part.image) } }];
	return [];
}
