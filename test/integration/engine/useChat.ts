import type { INode } from 'n8n-workflow';
import { chosen } from './chosen';
import { type RunOptions } from './runWorkflow';
import { useNode } from './useNode';

/** The operations of Chat, with the endpoints that they use. */
export const OPERATIONS = {
	chatCompletion: 'POST /v1/chat/completions',
	message: 'POST /v1/messages',
	generateContent: 'POST /v1beta/models/*',
} as const;
export type Operation = keyof typeof OPERATIONS;
export const operations = Object.keys(OPERATIONS) as Operation[];

/** The parameters for an answer in JSON. @param jsonSchema what it must match; undefined for any JSON */
export const asJson = (jsonSchema?: object | string) => ({
	output: 'json',
	schemaFrom: jsonSchema === undefined ? 'any' : 'schema',
	jsonSchema,
});

/** Starts an emulator for the tests of a file, and provides Chat nodes that use it. */
export function useChat() {
	const gateway = useNode('chat', { model: chosen('aurora-4'), prompt: 'Why is the sky blue?', options: {} });
	return Object.assign(gateway, {
		ask: async (
			operation: Operation,
			parameters: object = {},
			options: Partial<RunOptions> = {},
			settings: Partial<INode> = {},
		) => await gateway.run({ operation, ...parameters }, settings, options),
		/** Returns the body of the request, which must be the only one. */
		sentBody(): Record<string, unknown> {
			expect(gateway.emulator.journal.count()).toBe(1);
			return gateway.sent()[0];
		},
	});
}
