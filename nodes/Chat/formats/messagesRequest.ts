import type { ImageInput } from '../../shared/files/images';
import { EmbeddedFile } from '../../shared/http/requestBody';
import {
	plainTextOf,
	withoutSystemTurns,
	type Conversation,
	type Part,
	type Tool,
	type Turn,
} from './conversation';

/** `messages` and `system` of the messages format (interface, 4.2); images in it may be `EmbeddedFile`s. */
export function messagesConversation(conversation: Conversation): {
	messages: object[];
	system?: string;
} {
	const { system, turns } = withoutSystemTurns(conversation);
	const messages = turns.map((turn) => ({ role: turn.role, content: contentOf(turn) }));
	return { messages, ...(system === '' ? {} : { system }) };
}

/** The `tools` of the messages format, as comparable services take them. */
export function messagesTools(tools: Tool[]): object[] {
	return tools.map(({ name, description, parameters }) => ({ name, description, input_schema: parameters }));
}

function contentOf(turn: Turn): string | object[] {
	return plainTextOf(turn) ?? turn.parts.flatMap(blockOf);
}

function blockOf(part: Part): object[] {
	switch (part.type) {
		case 'text':
			// Empty text blocks are refused.
			return part.text === '' ? [] : [{ type: 'text', text: part.text }];
		case 'image':
			return [{ type: 'image', source: imageSource(part.image) }];
		case 'toolCall':
			return [{ type: 'tool_use', id: part.id, name: part.name, input: part.arguments }];
		case 'toolResult':
			return [{ type: 'tool_result', tool_use_id: part.id, content: part.text }];
	}
}

function imageSource(image: ImageInput): object {
	if (image.kind === 'address') return { type: 'url', url: image.url };
	const data = image.kind === 'base64' ? image.base64 : new EmbeddedFile(image.file);
	return { type: 'base64', media_type: image.mimeType, data };
}
