import { z } from 'zod';
import { imageAddress } from './imageAddress';

/**
 * The bodies of the chat endpoints, exactly as the interface documents them. Fields that it does not mention are
 * accepted.
 */

const token = z.number().int();
const anyObject = z.record(z.unknown());
const textPart = z.object({ type: z.literal('text'), text: z.string() }).passthrough();

/** Clients of format A also send documents and recordings, which the interface does not mention. */
const otherParts = [
	z.object({ type: z.literal('file') }),
	z.object({ type: z.literal('input_audio') }),
] as const;

/** A message of a chat completion (sections 2.2 and 4.1). */
const chatMessage = z
	.object({
		role: z.string(),
		content: z
			.string()
			.or(
				z.array(
					z.discriminatedUnion('type', [
						textPart,
						z
							.object({
								type: z.literal('image_url'),
								image_url: z.object({ url: imageAddress }).passthrough(),
							})
							.passthrough(),
						...otherParts.map((part) => part.passthrough()),
					]),
				),
			)
			.nullish(),
		tool_calls: z.unknown(),
	})
	.passthrough()
	// A message that calls tools has no text. The interface does not mention tools here.
	.refine(({ content, tool_calls: calls }) => calls !== undefined || (content ?? undefined) !== undefined, {
		path: ['content'],
	});

/** The body of `POST /v1/chat/completions` (section 4.1). */
export const documentedChatRequest = z
	.object({
		model: z.string(),
		messages: z.array(chatMessage).min(1, { message: 'at least one message is needed' }),
		style: z.string().optional(),
		stream: z.boolean().optional(),
		stream_options: z.object({ include_usage: z.boolean().optional() }).passthrough().optional(),
		max_tokens: token.optional(),
		temperature: z.number().min(0).max(2).optional(),
	})
	.passthrough();

/** `POST /v1/messages` (section 4.2); of content blocks, it documents only those of text (section 2.4). */
export const documentedMessagesRequest = z
	.object({
		model: z.string(),
		messages: z
			.array(
				z
					.object({
						role: z.enum(['user', 'assistant']),
						content: z
							.string()
							.or(
								z.array(
									textPart.or(z.object({ type: z.string().refine((type) => type !== 'text') }).passthrough()),
								),
							),
					})
					.passthrough(),
			)
			.min(1, { message: 'at least one message is needed' }),
		max_tokens: token,
		// Clients also send blocks of text here.
		system: z.string().or(z.array(textPart)).optional(),
		temperature: z.number().min(0).max(1).optional(),
		stream: z.boolean().optional(),
	})
	.passthrough();

/** `POST /v1beta/models/{model}:generateContent` (section 4.3). Parts may hold something else than text. */
export const documentedGenerateContentRequest = z
	.object({
		contents: z
			.array(
				z
					.object({
						parts: z
							.array(z.object({ text: z.string().optional() }).passthrough())
							.min(1, { message: 'at least one part is needed' }),
					})
					.passthrough(),
			)
			.min(1, { message: 'at least one element is needed' }),
		generationConfig: z
			.object({ temperature: z.number().optional(), maxOutputTokens: token.optional() })
			.passthrough()
			.optional(),
		safetySettings: z.array(anyObject).optional(),
		tools: z.array(anyObject).optional(),
	})
	.passthrough();
