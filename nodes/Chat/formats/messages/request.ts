import type { SentFile } from '../../../shared/files/sentFiles';
import { choiceField } from '../../../shared/fields/field';
import { type Fields, isBlank } from '../../../shared/plain/values';
import { endpoints } from '../../../shared/send/endpoints';
import type { Schema } from '../../json/keywords';
import type { RequestFormat } from '../chatFormat';
import {
	messagesOf,
	partsOfTurn,
	plainTextOf,
	withoutSystemTurns,
	type Conversation,
	type FilePart,
	type Part,
	type Turn,
} from '../conversation';
import { base64Of } from '../fileParts';
import { generationFields, isThinking } from '../generation';
import { ANSWER, isObjectSchema } from '../schemaForm';
import { withCacheMarks } from './promptCache';

export const PROMPT_CACHING = choiceField('Prompt Caching', 'promptCaching', {
	default: '5m',
	description: 'How long the gateway keeps the beginning of requests, so that it costs less',
	options: [
		{ name: '5 Minutes', value: '5m' },
		{ name: '1 Hour', value: '1h', description: 'Writing to the cache costs more' },
		{ name: 'Off', value: '' },
	],
});

/** The requests (interface, 4.2), with tools and documents as comparable services expect them. */
export const request: RequestFormat = {
	target: () => ({ endpoint: endpoints.messages }),
	tools: (tools) =>
		tools.map(({ name, description, parameters }) => ({ name, description, input_schema: parameters })),
	// A model that thinks must not be forced to call a tool, nor one that has others to choose from.
	schemaFields: (schema, hasTools, { generation }) =>
		isObjectSchema(schema) && !hasTools && !isThinking(generation) ? answerTool(schema) : undefined,
	body: ({ model, input, options, generation, tools, extra, streamed }) => {
		const { system } = withoutSystemTurns(input);
		const body = {
			...{ model, messages: messagesOf(input, writtenMessages) },
			...(isBlank(system) ? {} : { system }),
			...(tools.length > 0 ? { tools } : {}),
			...generationFields(generation, 'messages'),
			...(streamed ? { stream: true } : {}),
			...extra,
		};
		const cacheTime = options.text(PROMPT_CACHING);
		return cacheTime ? withCacheMarks(body, cacheTime) : body;
	},
};

/** A tool that the model has to call with its answer. */
function answerTool(schema: Schema): Fields {
	const tool = { name: ANSWER, description: 'Gives the answer to the user.', input_schema: schema };
	return { tools: [tool], tool_choice: { type: 'tool', name: ANSWER } };
}

/** The `messages`; files in them may be `EmbeddedFile`s. System texts are no messages in this format. */
export function writtenMessages(conversation: Conversation): object[] {
	return withoutSystemTurns(conversation)
		.turns.map((turn) => ({ role: turn.role, content: contentOf(turn) }))
		.filter(({ content }) => (typeof content === 'string' ? !isBlank(content) : content.length > 0));
}

function contentOf(turn: Turn): string | object[] {
	return plainTextOf(turn) ?? partsOfTurn(turn, blockOf);
}

function blockOf(part: Part): object[] {
	switch (part.type) {
		case 'text':
			// "text content blocks must contain non-whitespace text" (Anthropic); models write such texts before calls.
			return isBlank(part.text) ? [] : [{ type: 'text', text: part.text }];
		case 'file':
			return [fileBlock(part)];
		case 'document': {
			const source = { type: 'text', media_type: 'text/plain', data: part.text };
			return [{ type: 'document', source, title: part.name }];
		}
		case 'toolCall':
			return [{ type: 'tool_use', id: ownId(part.id), name: part.name, input: part.arguments }];
		case 'toolResult':
			return [{ type: 'tool_result', tool_use_id: ownId(part.id), content: resultContent(part) }];
	}
}

/** The ID of a call in characters that the format takes: a call of another model may have others, such as `functions.x:0`. */
function ownId(id: string): string {
	return id.replace(/[^\w-]/g, '_');
}

function resultContent({ text, files = [] }: Extract<Part, { type: 'toolResult' }>): string | object[] {
	if (files.length === 0) return text;
	return [...(text === '' ? [] : [{ type: 'text', text }]), ...files.map(fileBlock)];
}

/** A content block of the messages format (interface, 2.2; documents as comparable services expect them). */
function fileBlock({ kind, name, sent }: FilePart): object {
	const source = sourceOf(sent);
	return kind === 'pdf' ? { type: 'document', source, title: name } : { type: 'image', source };
}

function sourceOf(sent: SentFile): object {
	if (sent.kind === 'address') return { type: 'url', url: sent.url };
	return { type: 'base64', media_type: sent.mimeType, data: base64Of(sent) };
}
