import type { WorkflowNode } from '../n8nTypes';
import { workflowNode } from '../workflowBuilder';
import { always, byId, type Mistake, notSelected, ours, rows, textFile } from './mistake';

const model = byId('aurora-4-mini');

function chat(parameters: object): WorkflowNode {
	return ours('chat', { operation: 'chatCompletion', model, prompt: 'Hello', ...parameters });
}

function chatOptions(options: object): WorkflowNode[] {
	return [chat({ options })];
}

function withFile(file: object): WorkflowNode {
	return chat({ options: { files: { file: [file] } } });
}

/** A chain with a chat model. */
function chain(parameters: object): Pick<Mistake, 'nodes' | 'connections' | 'failing'> {
	const failing = 'Basic LLM Chain';
	const prompt = { promptType: 'define', text: 'Hello' };
	const chatModel = ours('chatModel', { model, ...parameters });
	return {
		failing,
		nodes: [workflowNode(failing, '@n8n/n8n-nodes-langchain.chainLlm', 1.9, prompt), chatModel],
		connections: {
			Start: { main: [[{ node: failing, type: 'main', index: 0 }]] },
			[chatModel.name]: { ai_languageModel: [[{ node: failing, type: 'ai_languageModel', index: 0 }]] },
		},
	};
}

/** Mistakes in the credential, in Chat, and in Chat Model. */
export const chatMistakes: Mistake[] = [
	{
		name: 'wrong key',
		nodes: [chat({})],
		credential: { apiKey: 'sk-mistyped' },
		says: ['did not accept the API key', 'enter the API Key again'],
	},
	{
		name: 'address where nothing listens',
		nodes: [chat({})],
		credential: { baseUrl: 'http://127.0.0.1:9' },
		says: ['No gateway answers at 127.0.0.1:9', 'Base URL in the credential'],
	},
	{
		name: 'address that does not exist',
		nodes: [chat({})],
		credential: { baseUrl: 'https://gateway.invalid' },
		says: ['gateway.invalid does not exist', 'Base URL in the credential'],
	},
	{
		name: 'no credential',
		nodes: [chat({})],
		credential: null,
		says: ['No credential is selected in the node', 'Under Credential, select'],
	},
	{ name: 'no model', nodes: [chat({ model: notSelected })], says: ['"Model" is required'] },
	{
		name: 'unknown model',
		nodes: [chat({ model: byId('Aurora-4-Mini') })],
		says: ['no model "Aurora-4-Mini"', 'select Model from the list'],
	},
	{
		name: 'model of another node',
		nodes: [chat({ model: byId('image-2') })],
		says: ['"image-2" cannot be used for chat', 'select Model from the list'],
	},
	{ name: 'empty prompt', nodes: [chat({ prompt: '' })], says: ['"Prompt" is required'] },
	{
		name: 'prompt from a field that does not exist',
		nodes: [...rows({ question: 'Hello' }, { Question: 'Hello' }), chat({ prompt: '={{ $json.question }}' })],
		says: ['Prompt is empty', 'item 1', 'check that this item has the field'],
	},
	{
		name: 'expression with a node that does not exist',
		nodes: [chat({ prompt: '={{ $("Form").item.json.question }}' })],
		says: ["Referenced node doesn't exist", 'refers to the node "Form"'],
	},
	{
		name: 'wrong JSON in messages',
		nodes: [chat({ inputType: 'json', messagesJson: '[{"role": "user", "content": "Hello"]' })],
		says: ['Messages (JSON) is not valid JSON', 'brackets'],
	},
	{
		name: 'messages without roles',
		nodes: [chat({ inputType: 'json', messagesJson: '["Hello"]' })],
		says: ['Messages (JSON), entry 1, has no "role"', 'should look like'],
	},
	{
		name: 'no messages',
		nodes: [chat({ inputType: 'messages', messages: {} })],
		says: ['Messages is empty', 'Add at least one message'],
	},
	{
		name: 'wrong JSON schema',
		nodes: [
			chat({
				output: 'json',
				schemaFrom: 'schema',
				jsonSchema: '{"type": "object", "properties": {"name": "text"}}',
			}),
		],
		says: ['JSON Schema cannot be used', 'properties', 'for example'],
	},
	{
		name: 'JSON schema that is not JSON',
		nodes: [chat({ output: 'json', schemaFrom: 'schema', jsonSchema: '{type: object}' })],
		says: ['JSON Schema is not valid JSON', 'quotation marks'],
	},
	{
		name: 'wrong JSON in extra body fields',
		nodes: chatOptions({ extraBodyFields: '{seed: 7' }),
		says: ['Extra Body Fields is not valid JSON', '{"seed": 7}'],
	},
	{
		name: 'temperature out of range',
		nodes: chatOptions({ temperature: '={{ 7 }}' }),
		says: ['Temperature is 7, but must be a number from 0 to 2'],
	},
	{
		name: 'text instead of a number',
		nodes: chatOptions({ maxTokens: '={{ "many" }}' }),
		says: ['Max Tokens is not a number: "many"', 'Enter a number'],
	},
	{
		name: 'file in a field that does not exist',
		nodes: [withFile({ source: 'binary', binaryPropertyName: 'photo' })],
		says: ['refers to the binary field "photo"', 'This item has no files'],
	},
	{
		name: 'file in a field with another name',
		nodes: [...textFile(), withFile({ source: 'binary', binaryPropertyName: 'photo' })],
		says: ['refers to the binary field "photo"', 'binary field of this item: "data"'],
	},
	{
		name: 'address that is no address',
		nodes: [withFile({ source: 'url', url: 'photo.jpg' })],
		says: ['is neither a web address', '"photo.jpg"', 'starts with https://'],
	},
	{
		name: 'no credit',
		nodes: [chat({})],
		rules: always(402),
		says: ['does not have enough credit', 'Add credit in the console'],
	},
	{
		name: 'unknown model in a chain',
		...chain({ model: byId('chat-9000') }),
		says: ['no model "chat-9000"', 'select Model from the list'],
	},
	{
		name: 'wrong key in a chain',
		...chain({}),
		credential: { apiKey: 'sk-mistyped' },
		says: ['did not accept the API key', 'enter the API Key again'],
	},
	{
		name: 'no credential in a chain',
		...chain({}),
		credential: null,
		says: ['No credential is selected in the node', 'Under Credential, select'],
	},
];
