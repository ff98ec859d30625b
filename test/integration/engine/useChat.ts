import { useEmulator } from './useEmulator';
import { oneNode, runWorkflow, type RunOptions, type RunResult } from './runWorkflow';

/** The operations of Chat and the endpoints that they use. */
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

/**
 * An emulator for the tests of a file, and Chat nodes that use it.
 *
 * @param firstRate requests per minute of the first test. The learned rate of a credential is kept, so each test uses a
 *   different credential, with a rate of its own.
 */
export function useChat(firstRate: number) {
	const gateway = useEmulator(firstRate);

	const workflow = (operation: Operation, parameters: object = {}, settings = {}) =>
		oneNode(
			'chat',
			{
				operation,
				model: { __rl: true, mode: 'id', value: 'aurora-4' },
				prompt: 'Why is the sky blue?',
				options: {},
				...parameters,
			},
			settings,
		);
	const { credential, fail } = gateway;

	return {
		get emulator() {
			return gateway.emulator;
		},
		workflow,
		credential,
		fail,
		async run(
			operation: Operation,
			parameters: object = {},
			options: Partial<RunOptions> = {},
			settings = {},
		): Promise<RunResult> {
			const input = workflow(operation, parameters, settings);
			return await runWorkflow(input, { credential: credential(), ...options });
		},
		/** The body of the only request. */
		sentBody(): Record<string, unknown> {
			const entries = gateway.emulator.journal.entries();
			expect(entries).toHaveLength(1);
			return entries[0].body as Record<string, unknown>;
		},
	};
}
