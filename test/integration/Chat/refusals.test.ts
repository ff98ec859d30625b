import { asJson, useChat, type Operation } from '../engine/useChat';

const chat = useChat(3e7);

const json = (messagesJson: string) => ({ inputType: 'json', messagesJson });
const messages = (...message: object[]) => ({ inputType: 'messages', messages: { message } });
const options = (values: object) => ({ options: values });
const file = (entry: object) => options({ files: { file: [entry] } });

/** Parameters that cannot be used, by the words of the failure. */
const CASES: Record<string, [operation: Operation, parameters: object]> = {
	'Temperature is 2.1': ['chatCompletion', options({ temperature: 2.1 })],
	'Temperature is 1.5': ['message', options({ temperature: 1.5 })],
	'Temperature is not a number': ['generateContent', options({ temperature: 'hot' })],
	'Max Tokens is not a number': ['message', options({ maxTokens: 'many' })],
	'Max Tokens is 0': ['message', options({ maxTokens: 0 })],
	'Max Tokens is 1.5': ['chatCompletion', options({ maxTokens: 1.5 })],
	'Prompt is empty': ['chatCompletion', { prompt: ' ' }],
	'Model is empty': ['chatCompletion', { model: { __rl: true, mode: 'id', value: '={{ $json.none }}' } }],
	'Messages is empty': ['message', { inputType: 'messages', messages: {} }],
	'Messages (entry 1) is empty': ['message', messages({ role: 'user', text: '' })],
	'Messages (entry 1): Role is "robot", which is not one of the choices': [
		'message',
		messages({ role: 'robot', text: 'Hi' }),
	],
	'Messages (JSON) is not valid JSON': ['chatCompletion', json('[{"role": ')],
	'Messages (JSON) is not a list': ['chatCompletion', json('{}')],
	'entry 1, has no "role"': ['message', json('[{"content":"x"}]')],
	'has no list "parts"': ['generateContent', json('[{"role":"user"}]')],
	'Tools is not a list of JSON objects': ['generateContent', options({ tools: '[1]' })],
	'Safety Settings is not valid JSON': ['generateContent', options({ safetySettings: '{' })],
	'Extra Body Fields is not a JSON': ['message', options({ extraBodyFields: '[1]' })],
	'Extra Body Fields is not valid JSON': ['message', options({ extraBodyFields: '{a}' })],
	'Custom Style is empty': [
		'chatCompletion',
		{ simplify: false, style: 'custom', customStyle: '={{ $json.none }}' },
	],
	'JSON Schema is not valid JSON': ['message', asJson('{"a"')],
	'JSON Schema cannot be used: the schema.type must be one of': ['message', asJson('{"type":"x"}')],
	'JSON Schema is not a schema: it only has "title", "tags"': [
		'chatCompletion',
		asJson({ title: 'A title', tags: [] }),
	],
	'Example is a JSON Schema': [
		'message',
		{ output: 'json', jsonExample: '{"type": "object", "properties": {}}' },
	],
	'Example is empty': ['message', { output: 'json', jsonExample: ' ' }],
	'Files refers to the binary field "photo"': [
		'chatCompletion',
		file({ source: 'binary', binaryPropertyName: 'photo' }),
	],
	'Files is neither a web address nor a data URI': ['message', file({ source: 'url', url: 'nowhere' })],
};

describe('Unified AI Chat', () => {
	it.each(Object.entries(CASES))(
		'says "%s" before any request, and that nothing was sent',
		async (words, [operation, parameters]) => {
			const { error } = await chat.run(operation, parameters);
			expect(error?.message).toContain(words);
			expect(error?.description).toMatch(/\S.* Nothing was sent\.$/);
			expect(chat.emulator.journal.count()).toBe(0);
		},
	);
});
