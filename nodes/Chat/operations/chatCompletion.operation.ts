import type { IDataObject } from 'n8n-workflow';
import { optionsField, simplifyField } from '../../shared/fields/options';
import { modelField } from '../../shared/fields/picker';
import { checkAnswer } from '../../shared/gateway/checkAnswer';
import { endpoints } from '../../shared/gateway/endpoints';
import type { Call } from '../../shared/runtime/call';
import type { ItemOperation } from '../../shared/runtime/operation';
import { chatCompletionSchema } from '../../shared/schemas/chatCompletion';
import { simplifyChatCompletion } from '../simplify';

/** Asks a chat model in the default chat format (interface, 4.1). */
export const chatCompletion: ItemOperation = {
	value: 'chatCompletion',
	name: 'Chat Completion',
	action: 'Complete chat',
	description: 'Send a prompt to a chat model and get its answer',
	fields: [
		modelField('', 'e.g. chat-large'),
		{
			displayName: 'Prompt',
			name: 'prompt',
			type: 'string',
			typeOptions: { rows: 4 },
			required: true,
			default: '',
			placeholder: 'e.g. Write a greeting for {{ $json.name }}',
			description: 'What the model is asked',
		},
		{
			displayName: 'System Prompt',
			name: 'systemPrompt',
			type: 'string',
			typeOptions: { rows: 2 },
			default: '',
			placeholder: 'e.g. You write for the radio. Use short sentences.',
			description: 'How the model should behave, whatever it is asked',
		},
		simplifyField,
		optionsField({ timeoutSeconds: endpoints.chatCompletions.timeoutSeconds, body: true }, [
			{
				displayName: 'Max Tokens',
				name: 'maxTokens',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 1024,
				description: 'Most tokens that the model may write. Longer answers are cut off.',
			},
			{
				displayName: 'Temperature',
				name: 'temperature',
				type: 'number',
				typeOptions: { minValue: 0, maxValue: 2, numberPrecision: 2 },
				default: 1,
				description: 'How freely the model chooses its words, from 0 to 2',
			},
		]),
	],
	async run(call) {
		const body = await call.client.json({
			...call.requestOptions,
			endpoint: endpoints.chatCompletions,
			json: requestBody(call),
		});
		const answer = checkAnswer(chatCompletionSchema, body);
		return { json: call.flag('simplify') ? simplifyChatCompletion(answer) : (answer as IDataObject) };
	},
};

function requestBody(call: Call): Record<string, unknown> {
	const prompt = call.requiredText('prompt', 'Prompt');
	const systemPrompt = call.text('systemPrompt');
	const system = systemPrompt.trim() === '' ? [] : [{ role: 'system', content: systemPrompt }];
	return {
		model: call.picked('model', 'Model'),
		messages: [...system, { role: 'user', content: prompt }],
		max_tokens: call.optionalNumber('maxTokens', 'Max Tokens', { min: 1 }),
		temperature: call.optionalNumber('temperature', 'Temperature', { min: 0, max: 2 }),
		...call.extraBodyFields,
	};
}
