import type { ChatFormat } from '../../../../nodes/Chat/formats/chatFormat';
import { plainTextOf } from '../../../../nodes/Chat/formats/conversation';
import { generationFields } from '../../../../nodes/Chat/formats/generation';
import { GENERATE } from '../../../../nodes/shared/send/endpoints';

/** A format that no gateway has: the question consists of lines, and the answer of pieces with a sign at the end. */
export const lines: ChatFormat = {
	operation: {
		value: 'lines',
		name: 'Message a Model (Lines)',
		action: 'Message a model in lines',
		description: 'For nobody',
	},
	chatModel: undefined,
	input: {
		systemAlways: false,
		jsonDescription: 'The lines',
		content: '"line": "Hello"',
		needs: { field: 'line', isList: false },
		files: {},
	},
	generation: { naming: 'chatCompletions', differences: {}, needsMaxTokens: false },
	options: [],
	request: {
		target: (model) => ({ endpoint: { ...GENERATE, model, path: '/v1/lines' } }),
		tools: () => [],
		schemaFields: () => undefined,
		body: ({ model, input, generation, extra }) => ({
			model,
			lines: input.turns.map((turn) => plainTextOf(turn)),
			...generationFields(generation, 'chatCompletions'),
			...extra,
		}),
	},
	answer: {
		isIn: (body) => 'pieces' in body,
		read: ({ pieces, sign }) => ({
			...{ id: null, model: null, reasoning: '', refusal: null },
			...{ toolCalls: [], alternatives: [], otherContent: [], sources: [] },
			text: (pieces as string[]).join(''),
			finishReason: sign as string,
		}),
		usage: ({ spent }) => ({ output_tokens: spent }),
		thoughts: () => ({}),
	},
	stream: {
		begins: (event) => 'piece' in event,
		assembler: () => {
			const pieces: unknown[] = [];
			let end: { sign?: unknown; spent?: unknown } = {};
			return {
				add({ piece = '', ...others }) {
					pieces.push(piece);
					end = { ...end, ...others };
					return piece as string;
				},
				get isComplete() {
					return end.sign !== undefined;
				},
				body: () => ({ pieces, ...end }),
			};
		},
	},
};
