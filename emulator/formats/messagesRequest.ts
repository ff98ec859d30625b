import { z } from 'zod';
import { findModel } from '../catalogue/findModel';
import type { Question, Turn } from '../chat/conversation';
import { invalidRequest } from '../http/errors';
import { base64Data, documentAddress, imageAddress } from './imageAddress';
import { cacheControl } from './promptCache';
import { checkThinking, isThinking, signatureOf, thinking } from './thinking';

const textBlock = z.object({
	type: z.literal('text'),
	text: z.string(),
	cache_control: cacheControl,
});
const imageBlock = z.object({
	type: z.literal('image'),
	source: z.discriminatedUnion('type', [
		z.object({ type: z.literal('base64'), media_type: z.string().regex(/^image\//), data: base64Data }),
		z.object({ type: z.literal('url'), url: imageAddress }),
	]),
	cache_control: cacheControl,
});
const documentBlock = z
	.object({
		type: z.literal('document'),
		source: z.discriminatedUnion('type', [
			z.object({ type: z.literal('base64'), media_type: z.literal('application/pdf'), data: base64Data }),
			z.object({ type: z.literal('text'), media_type: z.literal('text/plain'), data: z.string().min(1) }),
			z.object({ type: z.literal('url'), url: documentAddress }),
		]),
		title: z.string().nullish(),
		context: z.string().nullish(),
		citations: z.object({ enabled: z.boolean() }).optional(),
		cache_control: cacheControl,
	})
	.strict();
const toolUseBlock = z.object({
	type: z.literal('tool_use'),
	id: z.string(),
	name: z.string(),
	input: z.record(z.unknown()),
	cache_control: cacheControl,
});
const toolResultBlock = z.object({
	type: z.literal('tool_result'),
	tool_use_id: z.string(),
	content: z
		.string()
		.or(z.array(z.discriminatedUnion('type', [textBlock, imageBlock, documentBlock])))
		.default(''),
	is_error: z.boolean().optional(),
	cache_control: cacheControl,
});
/** A block of reasoning. It cannot be marked for the cache. */
const thinkingBlock = z
	.object({ type: z.literal('thinking'), thinking: z.string(), signature: z.string() })
	.strict();
const block = z.discriminatedUnion('type', [
	textBlock,
	imageBlock,
	documentBlock,
	toolUseBlock,
	toolResultBlock,
	thinkingBlock,
]);
type Block = z.output<typeof block>;

const message = z
	.object({ role: z.enum(['user', 'assistant']), content: z.string().or(z.array(block)) })
	.strict();

const tool = z.object({
	name: z.string(),
	description: z.string().default(''),
	input_schema: z.record(z.unknown()),
	type: z.literal('custom').nullish(),
	cache_control: cacheControl,
});

/** Body of `POST /v1/messages`: section 4.2, and other fields that clients of this format commonly send. */
export const messagesRequest = z.object({
	model: z.string(),
	messages: z.array(message).min(1, { message: 'at least one message is needed' }),
	max_tokens: z.number().int(),
	system: z.string().or(z.array(textBlock)).default(''),
	temperature: z.number().min(0).max(1).optional(),
	stream: z.boolean().default(false),
	top_p: z.number().min(0).max(1).optional(),
	top_k: z.number().int().min(0).optional(),
	stop_sequences: z.array(z.string()).default([]),
	metadata: z.record(z.unknown()).optional(),
	service_tier: z.string().optional(),
	tools: z.array(tool).default([]),
	tool_choice: z
		.object({
			type: z.enum(['auto', 'any', 'none', 'tool']),
			name: z.string().optional(),
			disable_parallel_tool_use: z.boolean().optional(),
		})
		.optional(),
	thinking: thinking.optional(),
	output_config: z.object({ effort: z.string().optional() }).strict().optional(),
});

/** A validated body of `POST /v1/messages`. */
export type MessagesRequest = z.output<typeof messagesRequest>;

const textOf = (content: string | readonly Block[]) =>
	typeof content === 'string'
		? content
		: content.flatMap((entry) => (entry.type === 'text' ? entry.text : [])).join('\n');

/** Returns the turns of the messages. The tool results of a message come before its text and images. */
function turnsOf(messages: MessagesRequest['messages']): Turn[] {
	const names = new Map<string, string>();
	return messages.flatMap(({ role, content }): Turn[] => {
		const blocks = typeof content === 'string' ? [] : content;
		for (const entry of blocks) if (entry.type === 'tool_use') names.set(entry.id, entry.name);
		const results = blocks.flatMap((entry): Turn[] =>
			entry.type === 'tool_result'
				? [{ role: 'tool', text: textOf(entry.content), images: 0, toolName: names.get(entry.tool_use_id) }]
				: [],
		);
		const text = textOf(content);
		const images = blocks.filter(({ type }) => type === 'image').length;
		const files = blocks.filter(({ type }) => type === 'document').length;
		const isEmpty = results.length > 0 && text === '' && images + files === 0;
		return isEmpty ? results : [...results, { role, text, images, files }];
	});
}

/**
 * Results belong to the calls of the message before them. While the model thinks, a message with calls since the user's
 * last words begins with the thoughts that came with them.
 */
function checkToolTurns(messages: MessagesRequest['messages'], thinks: boolean): void {
	const contents = messages.map(({ content }) => (typeof content === 'string' ? [] : content));
	const lastWords = messages.findLastIndex(({ role, content }) => role === 'user' && textOf(content) !== '');
	contents.forEach((blocks, index) => {
		const calls = blocks.filter((entry) => entry.type === 'tool_use');
		const before = (contents[index - 1] ?? []).flatMap((entry) =>
			entry.type === 'tool_use' ? entry.id : [],
		);
		const orphan = blocks.find(
			(entry) => entry.type === 'tool_result' && !before.includes(entry.tool_use_id),
		);
		if (orphan) {
			throw invalidRequest(
				`messages.${index}: each tool_result must have a tool_use in the previous message.`,
			);
		}
		if (!thinks || calls.length === 0 || index < lastWords) return;
		const [first] = blocks;
		if (first.type !== 'thinking') {
			throw invalidRequest(
				`messages.${index}.content.0: Expected \`thinking\`, but found \`${first.type}\`.`,
			);
		}
		if (first.signature !== signatureOf(calls[0].id.replace(/^toolu_/, ''))) {
			throw invalidRequest(`messages.${index}.content.0: Invalid \`signature\` in \`thinking\` block.`);
		}
	});
}

function toolChoiceOf({ tool_choice: choice }: MessagesRequest): Question['toolChoice'] {
	switch (choice?.type) {
		case 'any':
			return 'required';
		case 'none':
			return 'none';
		case 'tool':
			return { name: choice.name ?? '' };
		default:
			return 'auto';
	}
}

/**
 * Checks what comparable services require of fields that the interface does not document.
 * @throws RequestFailure 400 for settings that thinking excludes, and for results without their calls
 */
export function checkMessages(request: MessagesRequest): void {
	checkThinking(request);
	checkToolTurns(request.messages, isThinking(request));
}

/**
 * Converts a messages request.
 * @throws RequestFailure 400 for an unknown model
 */
export function messagesQuestion(request: MessagesRequest): Question {
	return {
		model: findModel(request.model, 'chat'),
		system: textOf(request.system),
		turns: turnsOf(request.messages),
		maxTokens: request.max_tokens,
		stop: request.stop_sequences,
		tools: request.tools.map(({ name, description, input_schema: parameters }) => ({
			name,
			description,
			parameters,
		})),
		toolChoice: toolChoiceOf(request),
		oneToolAtATime: request.tool_choice?.disable_parallel_tool_use === true,
		thinks: isThinking(request),
	};
}
