import type { Call } from '../../../shared/run/call';
import { choiceField, textField, flagField } from '../../../shared/fields/field';
import type { ChatFormat, RequestFormat } from '../chatFormat';
import { temperatureUpTo, generationFields } from '../generation';
import { answer, THOUGHT_FIELDS_OF_CALLS } from './answer';
import { stream } from './stream';
import { extensionOf } from '../../../shared/files/mediaTypes';
import { addressOf } from '../../../shared/files/sentFiles';
import { endpoints } from '../../../shared/send/endpoints';
import { type Fields, isBlank } from '../../../shared/plain/values';
import {
	messagesOf,
	plainTextOf,
	type Conversation,
	type FilePart,
	type Part,
	type Turn,
	fieldsOfCall,
	isCall,
	picked,
} from '../conversation';
import { base64Of, namedText } from '../fileParts';
import { ANNOTATIONS } from '../../json/keywords';
import { ANSWER, type SchemaForm, schemaIn } from '../schemaForm';
import { listOf } from '../lists';

const CUSTOM = 'custom';

const STYLE = choiceField('Raw Response Style', 'style', {
	default: '',
	description: 'The format of the response',
	options: [
		{ name: 'Chat', value: 'chat-format', description: 'A response with choices' },
		{ name: 'Custom', value: CUSTOM, description: 'Another format that your gateway supports' },
		{
			name: 'Generate Content',
			value: 'generate-content-format',
			description: 'A response with candidates',
		},
		{ name: 'Messages', value: 'messages-format', description: 'A response with content blocks' },
		{ name: 'Not Set', value: '', description: 'The default of the gateway, which is Chat' },
	],
	displayOptions: { show: { simplify: [false] } },
});

const CUSTOM_STYLE = textField('Custom Style', 'customStyle', 'Name of the format', {
	placeholder: 'e.g. chat-format',
	displayOptions: { show: { simplify: [false], style: [CUSTOM] } },
});

function readStyle(call: Call): string | undefined {
	const style = call.text(STYLE);
	return style === CUSTOM ? call.requiredText(CUSTOM_STYLE).trim() : style || undefined;
}

const NO_USAGE = flagField(
	'Leave Out Usage',
	'withoutUsage',
	'Whether not to request the token usage at the end of a stream, for gateways that reject the field',
);

/** The requests (interface, 4.1), with tools and further options as comparable services expect them. */
const request: RequestFormat = {
	target: () => ({ endpoint: endpoints.chatCompletions }),
	tools: (tools) => tools.map((tool) => ({ type: 'function', function: tool })),
	schemaFields: responseFormat,
	body: ({ model, input, options, generation, tools, extra, streamed }) => ({
		...{ model, messages: messagesOf(input, chatMessages) },
		...(tools.length > 0 ? { tools } : {}),
		...(streamed ? { stream: true } : {}),
		...(streamed && !options.flag(NO_USAGE) ? { stream_options: { include_usage: true } } : {}),
		...generationFields(generation, 'chatCompletions'),
		...extra,
	}),
};

/** Chat completions (interface, 4.1), which every chat model of the gateway supports. */
export const chatCompletions: ChatFormat = {
	operation: {
		value: 'chatCompletion',
		name: 'Message a Model',
		action: 'Message a model',
		description: 'Ask any chat model of the gateway. The right choice for nearly everything.',
	},
	chatModel: {
		choice: {
			name: 'Chat Completion',
			value: 'chat',
			description: 'Use the endpoint that serves all chat models of the gateway',
		},
		toolChoice(choice) {
			if (choice === 'any') return { tool_choice: 'required' };
			const isName = choice !== 'auto' && choice !== 'none';
			return { tool_choice: isName ? { type: 'function', function: { name: choice } } : choice };
		},
	},
	input: {
		systemAlways: false,
		jsonDescription: 'The messages array as the gateway expects it',
		content: '"content": "Hello"',
		needs: { field: 'role', isList: false },
		files: { audio: 'content', image: 'any', pdf: 'any' },
	},
	generation: {
		naming: 'chatCompletions',
		differences: { temperature: temperatureUpTo(2) },
		needsMaxTokens: false,
	},
	options: [NO_USAGE],
	raw: { parameters: [STYLE, CUSTOM_STYLE], read: (call) => ({ style: readStyle(call) }) },
	request,
	answer,
	stream,
};

/** Writes the `messages` of a chat completion (interface, 2.2); files in them may be `EmbeddedFile`s. */
function chatMessages({ system, turns }: Conversation): object[] {
	const first = isBlank(system) ? [] : [{ role: 'system', content: system }];
	return [...first, ...turns.flatMap(messagesOfTurn)];
}

function messagesOfTurn(turn: Turn): object[] {
	const results = turn.parts.flatMap((part) =>
		part.type === 'toolResult' ? [{ role: 'tool', tool_call_id: part.id, content: part.text }] : [],
	);
	const calls = turn.parts.filter(isCall).map(({ id, name, arguments: given }) => ({
		...{ id, type: 'function', function: { name, arguments: JSON.stringify(given) } },
		// With Raw Response Style, the call was a block of another format.
		...picked(fieldsOfCall(turn.thoughts, id), THOUGHT_FIELDS_OF_CALLS),
	}));
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

/** Writes a part of a chat completion (interface, 2.2; files and audio as comparable services expect them). */
function filePart({ kind, name, sent }: FilePart): object {
	if (kind === 'pdf') return { type: 'file', file: { filename: name, file_data: addressOf(sent) } };
	if (kind === 'audio' && sent.kind !== 'address') {
		const format = extensionOf(sent.mimeType) ?? sent.mimeType.replace('audio/', '');
		return { type: 'input_audio', input_audio: { data: base64Of(sent), format } };
	}
	return { type: 'image_url', image_url: { url: addressOf(sent) } };
}

/** The strict mode, in which every object lists all of its properties as required and allows no others. */
const STRICT: SchemaForm = {
	keywords: new Set([
		...['type', 'properties', 'required', 'additionalProperties', 'items', 'enum', 'const', 'anyOf'],
		...['$ref', '$defs', 'definitions', 'title', 'description', 'pattern', 'format', 'multipleOf'],
		...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minItems', 'maxItems'],
	]),
	leftOut: ANNOTATIONS,
	complete(schema) {
		const saysSomething = ['type', 'anyOf', '$ref', 'enum', 'const'].some((name) => name in schema);
		if (!saysSomething) return undefined;
		if (schema.type !== 'object' && !('properties' in schema)) return schema;
		const { additionalProperties = false, properties = {}, required = [] } = schema;
		const names = Object.keys(properties as object);
		const isClosed = additionalProperties === false && names.every((name) => listOf(required).includes(name));
		return isClosed ? { ...schema, additionalProperties, properties, required } : undefined;
	},
};

/** Writes `response_format`, as comparable services expect it. */
function responseFormat(schema: Fields): Fields {
	const closed = schemaIn(STRICT, schema);
	const known = closed === undefined ? { strict: false, schema } : { strict: true, schema: closed };
	return { response_format: { type: 'json_schema', json_schema: { name: ANSWER, ...known } } };
}
