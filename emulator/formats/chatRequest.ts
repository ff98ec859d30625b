import { z } from 'zod';
import { findModel } from '../catalogue/findModel';
import { type Question, thinkingAbout, type Tool, type Turn } from '../chat/conversation';
import { invalidRequest } from '../http/errors';
import { checkStrictSchema } from './answerSchema';
import { base64Data, documentAddress, imageAddress } from './imageAddress';

const textPart = z.object({ type: z.literal('text'), text: z.string() });
const imagePart = z.object({
	type: z.literal('image_url'),
	image_url: z.object({ url: imageAddress, detail: z.enum(['auto', 'low', 'high']).optional() }).strict(),
});
const filePart = z.object({
	type: z.literal('file'),
	file: z.object({ filename: z.string().min(1), file_data: documentAddress }).strict(),
});
const audioPart = z.object({
	type: z.literal('input_audio'),
	input_audio: z
		.object({ data: base64Data, format: z.enum(['wav', 'mp3', 'flac', 'm4a', 'ogg', 'opus', 'aac', 'webm']) })
		.strict(),
});
const content = z
	.string()
	.or(z.array(z.discriminatedUnion('type', [textPart, imagePart, filePart, audioPart])));
const texts = z.string().or(z.array(textPart));
type Content = z.output<typeof content>;

const toolCall = z.object({
	id: z.string(),
	type: z.literal('function'),
	function: z.object({ name: z.string(), arguments: z.string() }),
});

const roles = ['system', 'developer', 'user', 'assistant', 'tool'];

const knownMessage = z.discriminatedUnion('role', [
	z.object({ role: z.literal('system'), content: texts, name: z.string().optional() }),
	z.object({ role: z.literal('developer'), content: texts, name: z.string().optional() }),
	z.object({ role: z.literal('user'), content, name: z.string().optional() }),
	z.object({
		role: z.literal('assistant'),
		content: texts.nullish(),
		name: z.string().optional(),
		tool_calls: z.array(toolCall).optional(),
		reasoning_content: z.string().nullish(),
	}),
	z.object({ role: z.literal('tool'), content: texts, tool_call_id: z.string() }),
]);
/** The interface names roles only as examples (section 2.2); one that the emulator does not know speaks like a user. */
const otherMessage = z.object({
	role: z.string().refine((role) => !roles.includes(role)),
	content,
	name: z.string().optional(),
});
const message = knownMessage.or(otherMessage.transform((entry) => ({ ...entry, role: 'user' as const })));
type Message = z.output<typeof message>;

const tool = z.object({
	type: z.literal('function'),
	function: z.object({
		name: z.string().regex(/^[\w-]{1,64}$/, { message: 'it may have letters, digits, "_" and "-"' }),
		description: z.string().default(''),
		parameters: z.record(z.unknown()).default({}),
		strict: z.boolean().nullish(),
	}),
});

const responseFormat = z.discriminatedUnion('type', [
	z.object({ type: z.literal('text') }),
	z.object({ type: z.literal('json_object') }),
	z.object({
		type: z.literal('json_schema'),
		json_schema: z
			.object({
				name: z.string().regex(/^[\w-]{1,64}$/, { message: 'it may have letters, digits, "_" and "-"' }),
				description: z.string().optional(),
				schema: z.record(z.unknown()).default({}),
				strict: z.boolean().nullish(),
			})
			.strict(),
	}),
]);

const tokens = z.number().int();

/** Body of `POST /v1/chat/completions`: section 4.1, and other fields that clients of this format commonly send. */
export const chatRequest = z.object({
	model: z.string(),
	messages: z.array(message).min(1, { message: 'at least one message is needed' }),
	style: z.string().optional(),
	stream: z.boolean().default(false),
	stream_options: z
		.object({ include_usage: z.boolean().optional(), include_obfuscation: z.boolean().optional() })
		.strict()
		.optional(),
	max_tokens: tokens.optional(),
	max_completion_tokens: tokens.optional(),
	temperature: z.number().min(0).max(2).optional(),
	top_p: z.number().min(0).max(1).optional(),
	n: z.literal(1, { message: 'only 1 is supported' }).optional(),
	stop: z.string().or(z.array(z.string())).nullish(),
	presence_penalty: z.number().min(-2).max(2).optional(),
	frequency_penalty: z.number().min(-2).max(2).optional(),
	logit_bias: z.record(z.number()).optional(),
	seed: z.number().int().optional(),
	user: z.string().optional(),
	response_format: responseFormat.optional(),
	tools: z.array(tool).default([]),
	tool_choice: z
		.enum(['auto', 'none', 'required'])
		.or(z.object({ type: z.literal('function'), function: z.object({ name: z.string() }) }))
		.default('auto'),
	parallel_tool_calls: z.boolean().optional(),
	reasoning_effort: z.string().optional(),
	reasoning: z.object({ effort: z.string().optional(), max_tokens: tokens.optional() }).optional(),
	verbosity: z.string().optional(),
	service_tier: z.string().optional(),
	store: z.boolean().optional(),
	metadata: z.record(z.string()).optional(),
});

/** A validated body of `POST /v1/chat/completions`. */
export type ChatRequest = z.output<typeof chatRequest>;

function textOf(value: Content | null | undefined): string {
	if (typeof value === 'string') return value;
	return (value ?? []).flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n');
}

function imagesOf(value: Content | null | undefined): number {
	return Array.isArray(value) ? value.filter(({ type }) => type === 'image_url').length : 0;
}

function filesOf(value: Content | null | undefined): number {
	if (!Array.isArray(value)) return 0;
	return value.filter(({ type }) => type === 'file' || type === 'input_audio').length;
}

function toolNames(messages: readonly Message[]): Map<string, string> {
	const calls = messages.flatMap((entry) => (entry.role === 'assistant' ? (entry.tool_calls ?? []) : []));
	return new Map(calls.map((call) => [call.id, call.function.name]));
}

function turnsOf(messages: readonly Message[]): Turn[] {
	const names = toolNames(messages);
	return messages.flatMap((entry): Turn[] => {
		const { content: said } = entry;
		const common = { text: textOf(said), images: imagesOf(said), files: filesOf(said) };
		switch (entry.role) {
			case 'user':
			case 'assistant':
				return [{ role: entry.role, ...common }];
			case 'tool':
				return [{ role: 'tool', ...common, toolName: names.get(entry.tool_call_id) }];
			default:
				return [];
		}
	});
}

/** Services whose models think want back what was thought before tool calls, until the user says something else. */
function checkThoughts({ messages }: ChatRequest, question: Question): void {
	if (!question.thinks) return;
	const lastUser = messages.findLastIndex(({ role }) => role === 'user');
	let round = 0;
	messages.slice(lastUser + 1).forEach((entry, index) => {
		if (entry.role !== 'assistant' || !entry.tool_calls?.length) return;
		if (entry.reasoning_content === thinkingAbout(question, round++)) return;
		throw invalidRequest(
			`The reasoning_content in the thinking mode must be passed back to the API (messages[${lastUser + 1 + index}]).`,
		);
	});
}

function checkTools({ messages, tools, tool_choice: choice }: ChatRequest): void {
	const names = toolNames(messages);
	messages.forEach((entry, index) => {
		if (entry.role === 'tool' && !names.has(entry.tool_call_id)) {
			throw invalidRequest(
				`Invalid value for "messages[${index}].tool_call_id": no earlier message has a call "${entry.tool_call_id}".`,
			);
		}
	});
	if (choice === 'required' && tools.length === 0) {
		throw invalidRequest('Invalid value for "tool_choice": there are no tools to choose from.');
	}
	if (typeof choice === 'object' && !tools.some((entry) => entry.function.name === choice.function.name)) {
		throw invalidRequest(`Invalid value for "tool_choice": there is no tool "${choice.function.name}".`);
	}
}

/**
 * Checks what comparable services require of fields that the interface does not document.
 * @throws RequestFailure 400
 */
export function checkChat(request: ChatRequest): void {
	if (request.stream_options && !request.stream) {
		throw invalidRequest('Invalid value for "stream_options": it is allowed only when "stream" is true.');
	}
	checkTools(request);
	checkThoughts(request, chatQuestion(request));
	const { response_format: format } = request;
	if (format?.type === 'json_schema' && format.json_schema.strict === true) {
		checkStrictSchema(format.json_schema.schema);
	}
}

function jsonOf({ response_format: format }: ChatRequest): Question['json'] {
	if (format?.type === 'json_object') return true;
	return format?.type === 'json_schema' ? format.json_schema.schema : undefined;
}

/**
 * Converts a chat completion request.
 * @throws RequestFailure 400 for an unknown model
 */
export function chatQuestion(request: ChatRequest): Question {
	const { messages, tool_choice: choice } = request;
	return {
		model: findModel(request.model, 'chat'),
		system: messages
			.filter(({ role }) => role === 'system' || role === 'developer')
			.map((entry) => textOf(entry.content))
			.join('\n\n'),
		turns: turnsOf(messages),
		maxTokens: request.max_completion_tokens ?? request.max_tokens,
		stop: [request.stop ?? []].flat(),
		json: jsonOf(request),
		tools: request.tools.map((entry): Tool => entry.function),
		toolChoice: typeof choice === 'object' ? { name: choice.function.name } : choice,
		oneToolAtATime: request.parallel_tool_calls === false,
		thinks: request.reasoning !== undefined || ![undefined, 'none'].includes(request.reasoning_effort),
	};
}
