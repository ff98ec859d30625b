import type { ChatFormat, RequestFormat } from '../chatFormat';
import { isThinking, temperatureUpTo, generationFields } from '../generation';
import { answer } from './answer';
import { stream } from './stream';
import type { SentFile } from '../../../shared/files/sentFiles';
import { choiceField } from '../../../shared/fields/field';
import { type Fields, isBlank, asRecord, textOr } from '../../../shared/plain/values';
import { endpoints } from '../../../shared/send/endpoints';
import {
	messagesOf,
	partsOfTurn,
	plainTextOf,
	withoutSystemTurns,
	type Conversation,
	type FilePart,
	type Part,
} from '../conversation';
import { base64Of } from '../fileParts';
import { ANSWER } from '../schemaForm';
import { isFields } from '../lists';

const PROMPT_CACHING = choiceField('Prompt Caching', 'promptCaching', {
	default: '5m',
	description: 'How long the gateway keeps the beginning of requests, so that it costs less',
	options: [
		{ name: '5 Minutes', value: '5m' },
		{ name: '1 Hour', value: '1h', description: 'Writing to the cache costs more' },
		{ name: 'Off', value: '' },
	],
});

/** The requests (interface, 4.2), with tools and documents as comparable services expect them. */
const request: RequestFormat = {
	target: () => ({ endpoint: endpoints.messages }),
	tools: (tools) =>
		tools.map(({ name, description, parameters }) => ({ name, description, input_schema: parameters })),
	// A model must not be forced to call this tool while it thinks, or if it has other tools to choose from.
	schemaFields: (schema, hasTools, { generation }) =>
		!hasTools && !isThinking(generation) ? answerTool(schema) : undefined,
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

/** The messages format (interface, 4.2). */
export const messages: ChatFormat = {
	operation: {
		value: 'message',
		name: 'Message a Model (Messages Format)',
		action: 'Message a model (messages format)',
		description:
			'For models that answer fully only in this format, for example with content blocks and thinking',
	},
	chatModel: {
		choice: {
			name: 'Messages',
			value: 'messages',
			description: 'Use the endpoint with content blocks, for models that support it',
		},
		toolChoice(choice, generation) {
			// The format does not allow thinking before a forced call.
			if (isThinking(generation)) return {};
			const isName = !['any', 'auto', 'none'].includes(choice);
			return { tool_choice: isName ? { type: 'tool', name: choice } : { type: choice } };
		},
	},
	input: {
		systemAlways: true,
		jsonDescription:
			'The messages array as the gateway expects it. Each message has role (user or assistant) and content.',
		content: '"content": "Hello"',
		needs: { field: 'role', isList: false },
		files: { image: 'any', pdf: 'any' },
	},
	generation: {
		naming: 'messages',
		differences: { maxTokens: { default: 4096 }, temperature: temperatureUpTo(1) },
		needsMaxTokens: true,
	},
	options: [PROMPT_CACHING],
	request,
	answer,
	stream,
};

/** Returns the fields for a tool that the model has to call with its answer. */
function answerTool(schema: Fields): Fields {
	const tool = { name: ANSWER, description: 'Gives the answer to the user.', input_schema: schema };
	return { tools: [tool], tool_choice: { type: 'tool', name: ANSWER } };
}

/** Writes the `messages`; files in them may be `EmbeddedFile`s. The format has no system messages. */
function writtenMessages(conversation: Conversation): object[] {
	return withoutSystemTurns(conversation)
		.turns.map((turn) => ({ role: turn.role, content: plainTextOf(turn) ?? partsOfTurn(turn, blockOf) }))
		.filter(({ content }) => (typeof content === 'string' ? !isBlank(content) : content.length > 0));
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

/** Replaces characters in the ID of a call that the format refuses; other models use them (`functions.x:0`). */
function ownId(id: string): string {
	return id.replace(/[^\w-]/g, '_');
}

function resultContent({ text, files = [] }: Extract<Part, { type: 'toolResult' }>): string | object[] {
	if (files.length === 0) return text;
	return [...(text === '' ? [] : [{ type: 'text', text }]), ...files.map(fileBlock)];
}

/** Writes a content block of the messages format (interface, 2.2; documents as comparable services expect them). */
function fileBlock({ kind, name, sent }: FilePart): object {
	const source = sourceOf(sent);
	return kind === 'pdf' ? { type: 'document', source, title: name } : { type: 'image', source };
}

function sourceOf(sent: SentFile): object {
	if (sent.kind === 'address') return { type: 'url', url: sent.url };
	return { type: 'base64', media_type: sent.mimeType, data: base64Of(sent) };
}

/**
 * Marks what the gateway caches of a request: the tools, the system prompt, and all messages, so that the next turn of
 * a conversation finds this one. A request that already has marks stays as it is. @param time as in Prompt Caching
 */
function withCacheMarks<T extends Fields>(body: T, time: string): T {
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
