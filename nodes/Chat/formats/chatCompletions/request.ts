import { extensionOf } from '../../../shared/files/mediaTypes';
import { addressOf } from '../../../shared/files/sentFiles';
import { endpoints } from '../../../shared/send/endpoints';
import { isBlank } from '../../../shared/plain/values';
import { flagField } from '../../../shared/fields/field';
import type { RequestFormat } from '../chatFormat';
import {
	messagesOf,
	plainTextOf,
	type Conversation,
	type FilePart,
	type Part,
	type Turn,
} from '../conversation';
import { base64Of, namedText } from '../fileParts';
import { generationFields } from '../generation';
import { isObjectSchema } from '../schemaForm';
import { fieldsOfCall } from '../thoughts';
import { responseFormat } from './responseFormat';

export const NO_USAGE = flagField(
	'Leave Out Usage',
	'withoutUsage',
	'Whether not to request the token usage at the end of a stream, for gateways that reject the field',
);

/** The requests (interface, 4.1), with tools and further options as comparable services expect them. */
export const request: RequestFormat = {
	target: () => ({ endpoint: endpoints.chatCompletions }),
	tools: (tools) => tools.map((tool) => ({ type: 'function', function: tool })),
	schemaFields: (schema) => (isObjectSchema(schema) ? responseFormat(schema) : undefined),
	body: ({ model, input, options, generation, tools, extra, streamed }) => ({
		...{ model, messages: messagesOf(input, chatMessages) },
		...(tools.length > 0 ? { tools } : {}),
		...(streamed ? { stream: true } : {}),
		...(streamed && !options.flag(NO_USAGE) ? { stream_options: { include_usage: true } } : {}),
		...generationFields(generation, 'chatCompletions'),
		...extra,
	}),
};

/** The `messages` of a chat completion (interface, 2.2); files in them may be `EmbeddedFile`s. */
export function chatMessages({ system, turns }: Conversation): object[] {
	const first = isBlank(system) ? [] : [{ role: 'system', content: system }];
	return [...first, ...turns.flatMap(messagesOfTurn)];
}

function messagesOfTurn(turn: Turn): object[] {
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
						...fieldsOfCall(turn.thoughts, part.id),
					},
				]
			: [],
	);
	const content = contentOf(turn);
	const files = filesOfResults(turn);
	if (calls.length > 0) {
		const thoughts = turn.thoughts?.fields;
		return [...results, { role: turn.role, content: content ?? null, tool_calls: calls, ...thoughts }];
	}
	return [...results, ...files, ...(content === undefined ? [] : [{ role: turn.role, content }])];
}

/** Results of tools are only text in this format, so their files follow in a message of the user. */
function filesOfResults({ parts }: Turn): object[] {
	return parts.flatMap((part) => {
		if (part.type !== 'toolResult' || !part.files?.length) return [];
		const heading = { type: 'text', text: `Files that the tool ${part.name} returned:` };
		return [{ role: 'user', content: [heading, ...part.files.map(filePart)] }];
	});
}

function contentOf({ role, parts }: Turn): string | object[] | undefined {
	const content = parts.filter(({ type }) => ['text', 'file', 'document'].includes(type));
	if (content.length === 0) return undefined;
	return plainTextOf({ role, parts: content }) ?? content.flatMap(contentPart);
}

function contentPart(part: Part): object[] {
	if (part.type === 'text') return part.text === '' ? [] : [{ type: 'text', text: part.text }];
	if (part.type === 'document') return [{ type: 'text', text: namedText(part) }];
	return part.type === 'file' ? [filePart(part)] : [];
}

/** A part of a chat completion (interface, 2.2; files and audio as comparable services expect them). */
function filePart({ kind, name, sent }: FilePart): object {
	if (kind === 'pdf') return { type: 'file', file: { filename: name, file_data: addressOf(sent) } };
	if (kind === 'audio' && sent.kind !== 'address') {
		const format = extensionOf(sent.mimeType) ?? sent.mimeType.replace('audio/', '');
		return { type: 'input_audio', input_audio: { data: base64Of(sent), format } };
	}
	return { type: 'image_url', image_url: { url: addressOf(sent) } };
}
