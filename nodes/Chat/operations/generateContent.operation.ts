import type { INodeProperties } from 'n8n-workflow';
import { generateContents } from '../formats/generateContentRequest';
import { inputFailure } from '../../shared/errors/errorMessages';
import { generateContentEndpoint } from '../../shared/gateway/endpoints';
import { asRecord } from '../../shared/values';
import { jsonValue, type Call } from '../../shared/runtime/call';
import type { ItemOperation } from '../../shared/runtime/operation';
import { ask, readJsonWish } from '../ask';
import { chatFields, temperatureOption } from '../fields';
import { readInput } from '../input';

const OPTIONS: INodeProperties[] = [
	{
		displayName: 'Max Output Tokens',
		name: 'maxOutputTokens',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 1024,
		description: 'Most tokens that the model may write. Longer answers are cut off.',
	},
	{
		displayName: 'Safety Settings',
		name: 'safetySettings',
		type: 'json',
		default: '[]',
		description:
			'JSON array of safety settings, e.g. [{"category": "HARM_CATEGORY_HARASSMENT", "threshold": "BLOCK_ONLY_HIGH"}]',
	},
	temperatureOption(2),
	{
		displayName: 'Tools',
		name: 'tools',
		type: 'json',
		default: '[]',
		description:
			'JSON array of tools, e.g. [{"functionDeclarations": [{"name": "get_time", "description": "Tells the time"}]}]. What the model asks for is in the field "toolCalls".',
	},
];

/** Asks a model in the generate-content format (interface, 4.3). */
export const generateContent: ItemOperation = {
	value: 'generateContent',
	name: 'Generate Content',
	action: 'Generate content',
	description: 'Ask a model through the generate-content endpoint, with safety settings and tools',
	fields: chatFields({
		endpoint: generateContentEndpoint('', false),
		system: {
			displayName: 'System Prompt',
			description:
				'How the model should behave, whatever it is asked; it is put in front of the first message, since this endpoint has no place of its own for it',
			always: false,
		},
		json: {
			example: '[\n  { "role": "user", "parts": [{ "text": "Hello" }] }\n]',
			description: 'The contents array as the gateway takes it, each with parts',
		},
		own: [],
		options: OPTIONS,
	}),
	async run(call) {
		const wish = readJsonWish(call);
		const input = await readInput(call, { contentField: 'parts', systemAlways: false, wish });
		const model = call.picked('model', 'Model');
		const streamed = call.flag('stream');
		const body = {
			contents: 'messages' in input ? input.messages : generateContents(input.conversation),
			...generationConfig(call),
			safetySettings: optionalObjects(call, 'safetySettings', 'Safety Settings'),
			tools: optionalObjects(call, 'tools', 'Tools'),
			...call.extraBodyFields,
		};
		const endpoint = generateContentEndpoint(model, streamed);
		return await ask(call, {
			endpoint,
			query: streamed ? { alt: 'sse' } : undefined,
			body,
			model,
			streamed,
			wish,
		});
	},
};

function generationConfig(call: Call): object {
	const temperature = call.optionalNumber('temperature', 'Temperature', { min: 0, max: 2 });
	const maxOutputTokens = call.optionalNumber('maxOutputTokens', 'Max Output Tokens', {
		min: 1,
		whole: true,
	});
	if (temperature === undefined && maxOutputTokens === undefined) return {};
	return { generationConfig: { temperature, maxOutputTokens } };
}

/** A list of objects from Options, or undefined when it is not set or empty. */
function optionalObjects(call: Call, name: string, label: string): object[] | undefined {
	const value = call.options[name];
	if (value === undefined || value === '') return undefined;
	const list = jsonValue(value, label, '[{…}]');
	if (!Array.isArray(list) || !list.every((entry) => asRecord(entry))) {
		throw inputFailure(label, 'is not a list of JSON objects', 'Enter an array of objects, e.g. [{…}].');
	}
	return list.length > 0 ? (list as object[]) : undefined;
}
