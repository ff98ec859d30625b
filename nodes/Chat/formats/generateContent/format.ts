import type { ChatFormat } from '../chatFormat';
import { answer } from './answer';
import { request, SAFETY_SETTINGS, TOOLS } from './request';
import { stream } from './stream';

/** The generate-content format (interface, 4.3). */
export const generateContent: ChatFormat = {
	operation: {
		value: 'generateContent',
		name: 'Message a Model (Generate Content Format)',
		action: 'Message a model (generate content format)',
		description: 'For safety settings and tools of models that offer them only in this format',
	},
	chatModel: undefined,
	input: {
		system: {
			description: 'Instructions for how the model should behave. They are placed before the first message.',
		},
		systemAlways: false,
		jsonDescription: 'The contents array as the gateway expects it. Each entry has parts.',
		content: '"parts": [{ "text": "Hello" }]',
		needs: { field: 'parts', isList: true },
		files: { audio: 'any', image: 'any', pdf: 'any', text: 'any', video: 'any' },
	},
	generation: { naming: 'generateContent', differences: {}, needsMaxTokens: false },
	options: [SAFETY_SETTINGS, TOOLS],
	request,
	answer,
	stream,
};
