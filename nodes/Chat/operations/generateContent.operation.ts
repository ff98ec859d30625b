import { generateContentEndpoint } from '../../shared/gateway/endpoints';
import type { ItemOperation } from '../../shared/runtime/operation';
import { ask } from '../ask';
import { generateContents } from '../formats/generateContent';
import {
	generateContentFields,
	generateContentInput,
	readGenerateContentBody,
} from './generateContent.fields';

/** Asks a model in the generate-content format (interface, 4.3). */
export const generateContent: ItemOperation = {
	value: 'generateContent',
	name: 'Generate Content',
	action: 'Generate content',
	description:
		'Send a prompt or conversation to the generate-content endpoint, with safety settings and tools',
	fields: generateContentFields,
	run: async (call) =>
		await ask(call, generateContentInput, ({ model, input, streamed }) => ({
			endpoint: generateContentEndpoint(model, streamed),
			query: streamed ? { alt: 'sse' } : undefined,
			body: {
				contents: input.messages ?? generateContents(input.conversation),
				...readGenerateContentBody(call),
			},
		})),
};
