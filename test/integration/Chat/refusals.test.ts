import { useChat, type Operation } from '../engine/useChat';

const chat = useChat(3e7);

describe('refused before any request, naming parameter and item', () => {
	const json = { inputType: 'json' };
	const cases: Array<[string, Operation, object, string]> = [
		['temperature of chat', 'chatCompletion', { options: { temperature: 2.1 } }, 'Temperature is 2.1'],
		['temperature of messages', 'message', { options: { temperature: 1.5 } }, 'Temperature is 1.5'],
		[
			'temperature as text',
			'generateContent',
			{ options: { temperature: 'hot' } },
			'Temperature is not a number',
		],
		['no max tokens', 'message', { maxTokens: '' }, 'Max Tokens is not a number'],
		['max tokens of 0', 'message', { maxTokens: 0 }, 'Max Tokens is 0'],
		['half a token', 'chatCompletion', { options: { maxTokens: 1.5 } }, 'Max Tokens is 1.5'],
		['no prompt', 'chatCompletion', { prompt: ' ' }, 'Prompt is empty'],
		[
			'no model',
			'chatCompletion',
			{ model: { __rl: true, mode: 'id', value: '={{ $json.none }}' } },
			'Model is empty',
		],
		['no messages', 'message', { inputType: 'messages', messages: {} }, 'Messages is empty'],
		[
			'an empty message',
			'message',
			{ inputType: 'messages', messages: { message: [{ role: 'user', text: '' }] } },
			'Messages (entry 1) is empty',
		],
		[
			'a role that does not exist',
			'message',
			{ inputType: 'messages', messages: { message: [{ role: 'robot', text: 'Hi' }] } },
			'Messages (entry 1) has the role "robot"',
		],
		[
			'malformed JSON',
			'chatCompletion',
			{ ...json, messagesJson: '[{"role": ' },
			'Messages (JSON) is not JSON',
		],
		[
			'JSON that is no list',
			'chatCompletion',
			{ ...json, messagesJson: '{}' },
			'Messages (JSON) is not a list',
		],
		[
			'JSON without role',
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
		['tools', 'generateContent', { options: { tools: '[1]' } }, 'Tools is not a list of JSON objects'],
		[
			'safety settings',
			'generateContent',
			{ options: { safetySettings: '{' } },
			'Safety Settings is not JSON',
		],
		[
			'extra body fields',
			'message',
			{ options: { extraBodyFields: '[1]' } },
			'Extra Body Fields is not a JSON',
		],
		['extra body JSON', 'message', { options: { extraBodyFields: '{a}' } }, 'Extra Body Fields is not JSON'],
		[
			'a custom style without name',
			'chatCompletion',
			{ style: 'custom', customStyle: '={{ $json.none }}' },
			'Custom Response Format is empty',
		],
		[
			'a schema that is no JSON',
			'message',
			{ parseJson: true, jsonSchema: '{"a"' },
			'JSON Schema is not JSON',
		],
		[
			'a schema',
			'message',
			{ parseJson: true, jsonSchema: '{"type":"x"}' },
			'JSON Schema cannot be used: #/type',
		],
		[
			'an image field that does not exist',
			'chatCompletion',
			{ images: { image: [{ source: 'binary', binaryPropertyName: 'photo' }] } },
			'Images refers to the binary field "photo"',
		],
		[
			'an image that is none',
			'message',
			{ images: { image: [{ source: 'url', url: 'nowhere' }] } },
			'Images is neither a web address nor a data URI',
		],
	];

	test.each(cases)('%s', async (_name, operation, parameters, words) => {
		const { error } = await chat.run(operation, parameters);
		expect(error?.message).toContain(words);
		expect(error?.message).toContain('[item 0]');
		expect(error?.description).toMatch(/\S/);
		expect(chat.emulator.journal.count()).toBe(0);
	});
});
