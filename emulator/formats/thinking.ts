import { z } from 'zod';
import { invalidRequest } from '../http/errors';

/** The `thinking` field of the messages format: whether and how the model thinks before it answers. */
export const thinking = z.discriminatedUnion('type', [
	z.object({ type: z.literal('disabled') }).strict(),
	z.object({ type: z.literal('adaptive'), display: z.string().optional() }).strict(),
	z.object({ type: z.literal('enabled'), budget_tokens: z.number().int().min(1024) }).strict(),
]);

interface ThinkingRequest {
	thinking?: z.output<typeof thinking>;
	max_tokens: number;
	temperature?: number;
	top_p?: number;
	tool_choice?: { type: string };
}

/** Tells whether a request lets the model think. */
export function isThinking({ thinking: how }: Pick<ThinkingRequest, 'thinking'>): boolean {
	return how !== undefined && how.type !== 'disabled';
}

/** Thoughts have a signature, so that clients must send them back unchanged. @param id of the answer, or name of the call */
export function signatureOf(id: string): string {
	return Buffer.from(`signature ${id}`).toString('base64');
}

/**
 * Checks the settings that services of the messages format refuse while the model thinks.
 * @throws RequestFailure 400
 */
export function checkThinking(request: ThinkingRequest): void {
	const { thinking: how, max_tokens: maxTokens, temperature = 1, top_p: topP = 1, tool_choice } = request;
	if (!isThinking(request)) return;
	if (temperature !== 1) throw invalidRequest('`temperature` may only be set to 1 when thinking is enabled');
	if (topP < 0.95) throw invalidRequest('`top_p` must be at least 0.95 when thinking is enabled');
	if (tool_choice?.type === 'any' || tool_choice?.type === 'tool') {
		throw invalidRequest('Thinking may not be enabled when tool_choice forces tool use');
	}
	if (how?.type === 'enabled' && how.budget_tokens >= maxTokens) {
		throw invalidRequest('`max_tokens` must be greater than `thinking.budget_tokens`');
	}
}
