import type { INodeProperties } from 'n8n-workflow';
import { inputFailure } from '../../shared/failure/words';
import type { Call } from '../../shared/run/call';
import type { ItemOperation } from '../../shared/run/operation';
import { jsonValue } from '../../shared/run/parameterReader';
import { parseToSend } from '../../shared/plain/json';
import { asRecord, textOr } from '../../shared/plain/values';
import { ask } from '../ask';
import type { QuestionWriter } from '../question';
import { isObjectSchema, responseSchema } from '../json/nativeSchema';
import { chatFields } from '../fields';
import { generateContentEndpoint, generateContents, generateContentTools } from '../formats/generateContent';
import { generationConfig } from '../formats/generation';
import { generationOptions, MAX_TOKENS, readGeneration, type GenerationSettings } from '../generation.fields';
import type { InputSettings } from '../input.fields';

const GENERATION: GenerationSettings = { maxTokens: MAX_TOKENS, maxTemperature: undefined };

const SAFETY_SETTINGS: INodeProperties = {
	displayName: 'Safety Settings',
	name: 'safetySettings',
	type: 'json',
	default: '[]',
	description: 'JSON array with category and threshold',
};

const TOOLS: INodeProperties = {
	displayName: 'Tools',
	name: 'tools',
	type: 'json',
	default: '[]',
	description: 'JSON array with functionDeclarations',
};

const generateContentInput: InputSettings = {
	system: {
		description: 'Instructions for how the model should behave. They are placed before the first message.',
	},
	systemAlways: false,
	format: 'generateContent',
	jsonDescription: 'The contents array as the gateway expects it. Each entry has parts.',
};

const generateContentFields = chatFields({
	endpoint: generateContentEndpoint('', false),
	input: generateContentInput,
	options: [...generationOptions(GENERATION), SAFETY_SETTINGS, TOOLS],
});

function generateContentWriter(call: Call): QuestionWriter {
	const config = generationConfig(readGeneration(call.options, GENERATION));
	const safetySettings = readList(call, SAFETY_SETTINGS);
	const ownTools = readList(call, TOOLS);
	return {
		input: generateContentInput,
		ownFunctions: functionNames(ownTools),
		// The format does not combine functions with a form of the answer.
		schemaFields: (schema, hasTools) =>
			isObjectSchema(schema) && !hasTools && !ownTools ? responseSchema(schema) : undefined,
		request: ({ model, input, further, tools, schemaFields, streamed }) => {
			const functions = tools.length > 0 ? generateContentTools(tools) : [];
			const allTools = [...(ownTools ?? []), ...functions];
			return {
				endpoint: generateContentEndpoint(model, streamed),
				query: streamed ? { alt: 'sse' } : undefined,
				body: {
					contents: [
						...(input.messages ?? generateContents(input)),
						...generateContents({ system: '', turns: further }),
					],
					...(config || schemaFields ? { generationConfig: { ...config, ...schemaFields } } : {}),
					...(safetySettings ? { safetySettings } : {}),
					...(allTools.length > 0 ? { tools: allTools } : {}),
				},
			};
		},
	};
}

function functionNames(tools: object[] = []): string[] {
	const declared = tools.flatMap((tool) => asRecord(tool)?.functionDeclarations ?? []);
	return declared.map((declaration) => textOr(asRecord(declaration)?.name));
}

/** An entry of Options that is a list of objects; undefined when it is not set or empty. */
function readList(call: Call, definition: INodeProperties): object[] | undefined {
	const value = call.options.value(definition);
	if (value === undefined || value === '') return undefined;
	const list = jsonValue(value, definition, '[{…}]', parseToSend);
	if (!Array.isArray(list) || !list.every((entry) => asRecord(entry))) {
		throw inputFailure(definition, 'is not a list of JSON objects', 'Enter an array of objects, e.g. [{…}].');
	}
	return list.length > 0 ? (list as object[]) : undefined;
}

/** Asks a model in the generate-content format (interface, 4.3). */
export const generateContent: ItemOperation = {
	value: 'generateContent',
	name: 'Message a Model (Generate Content Format)',
	action: 'Message a model (generate content format)',
	description: 'For safety settings and tools of models that offer them only in this format',
	fields: generateContentFields,
	run: (call) => ask(call, generateContentWriter(call)),
};
