import { useChat, type Operation } from '../engine/useChat';

const chat = useChat(3e7);

describe('Unified AI Chat', () => {
	const json = { inputType: 'json' };
	const cases: Array<[string, Operation, object, string]> = [
		['a temperature above 2', 'chatCompletion', { options: { temperature: 2.1 } }, 'Temperature is 2.1'],
		['a temperature above 1 in Message', 'message', { options: { temperature: 1.5 } }, 'Temperature is 1.5'],
		[
			'a temperature that is text',
			'generateContent',
			{ options: { temperature: 'hot' } },
			'Temperature is not a number',
		],
		[
			'a number of tokens that is text',
			'message',
			{ options: { maxTokens: 'many' } },
			'Max Tokens is not a number',
		],
		['a maximum of 0 tokens', 'message', { options: { maxTokens: 0 } }, 'Max Tokens is 0'],
		['a fraction of a token', 'chatCompletion', { options: { maxTokens: 1.5 } }, 'Max Tokens is 1.5'],
		['a blank prompt', 'chatCompletion', { prompt: ' ' }, 'Prompt is empty'],
		[
			'a missing model',
			'chatCompletion',
			{ model: { __rl: true, mode: 'id', value: '={{ $json.none }}' } },
			'Model is empty',
		],
		['an empty list of messages', 'message', { inputType: 'messages', messages: {} }, 'Messages is empty'],
		[
			'an empty message',
			'message',
			{ inputType: 'messages', messages: { message: [{ role: 'user', text: '' }] } },
			'Messages (entry 1) is empty',
		],
		[
			'an unknown role',
			'message',
			{ inputType: 'messages', messages: { message: [{ role: 'robot', text: 'Hi' }] } },
			'Messages (entry 1): Role is "robot", which is not one of the choices',
		],
		[
			'malformed JSON',
			'chatCompletion',
			{ ...json, messagesJson: '[{"role": ' },
			'Messages (JSON) is not valid JSON',
		],
		[
			'JSON that is not a list',
			'chatCompletion',
			{ ...json, messagesJson: '{}' },
			'Messages (JSON) is not a list',
		],
		[
			'JSON without a role',
			'message',
			{ ...json, messagesJson: '[{"content":"x"}]' },
			'entry 1, has no "role"',
		],
		[
			'JSON without parts',
			'generateContent',
			{ ...json, messagesJson: '[{"role":"user"}]' },
			'has no list "parts"',
		],
		[
			'tools that are not objects',
			'generateContent',
			{ options: { tools: '[1]' } },
			'Tools is not a list of JSON objects',
		],
		[
			'malformed safety settings',
			'generateContent',
			{ options: { safetySettings: '{' } },
			'Safety Settings is not valid JSON',
		],
		[
			'extra body fields that are not an object',
			'message',
			{ options: { extraBodyFields: '[1]' } },
			'Extra Body Fields is not a JSON',
		],
		[
			'malformed extra body fields',
			'message',
			{ options: { extraBodyFields: '{a}' } },
			'Extra Body Fields is not valid JSON',
		],
		[
			'a custom response format without a name',
			'chatCompletion',
			{ options: { style: 'custom', customStyle: '={{ $json.none }}' } },
			'Custom Response Format is empty',
		],
		['a malformed schema', 'message', { options: { jsonSchema: '{"a"' } }, 'JSON Schema is not valid JSON'],
		[
			'a schema that is invalid',
			'message',
			{ options: { parseJson: true, jsonSchema: '{"type":"x"}' } },
			'JSON Schema cannot be used: the schema.type must be one of',
		],
		[
			'a field with a file that does not exist',
			'chatCompletion',
			{ options: { files: { file: [{ source: 'binary', binaryPropertyName: 'photo' }] } } },
			'Files refers to the binary field "photo"',
		],
		[
			'a file that is neither an address nor a data URI',
			'message',
			{ options: { files: { file: [{ source: 'url', url: 'nowhere' }] } } },
			'Files is neither a web address nor a data URI',
		],
	];

	it.each(cases)(
		'rejects %s before any request, and names the parameter and the item',
		async (_name, operation, parameters, words) => {
			const { error } = await chat.run(operation, parameters);
			expect(error?.message).toContain(words);
			expect(error?.message).toContain('[item 0]');
			expect(error?.description).toMatch(/\S/);
			expect(chat.emulator.journal.count()).toBe(0);
		},
	);
});
