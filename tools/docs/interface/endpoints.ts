import { section, type TestName } from './row';

const PLAIN = 'Chat › Message a Model';
const MESSAGES = 'Chat › Message a Model (Messages Format)';
const CONTENT = 'Chat › Message a Model (Generate Content Format)';

const REQUEST: TestName = ['chat', 'contains the prompt and the system prompt'];
const ORDER: TestName = ['chat', 'contains messages in their order'];
const OPTIONS: TestName = ['chat', 'contains stream options, the response format, and extra body fields'];
const STREAM: TestName = ['chat', 'is the same for a stream and a whole response, and so is the raw output'];
const REFUSED: TestName = [
	'chatRefusals',
	'rejects %s before any request, and names the parameter and the item',
];
const SAME: TestName = ['chat', 'has the same fields for %j'];

/** Sections 4 to 4.3: the chat endpoints. */
export const chatEndpoints = [
	section('4', 'Endpoints', [
		[
			'All JSON endpoints take `Content-Type: application/json` and a bearer key',
			'Credential › API Key',
			['requests', 'rejects other content types'],
		],
	]),
	section('4.1', 'POST /v1/chat/completions', [
		['model', `${PLAIN} › Model`, REQUEST],
		['messages', [`${PLAIN} › Prompt`, `${PLAIN} › Messages`, `${PLAIN} › Messages (JSON)`], ORDER],
		[
			'style',
			[`${PLAIN} › Options › Response Format`, `${PLAIN} › Options › Custom Response Format`],
			OPTIONS,
		],
		['stream', `${PLAIN} › Options › Stream`, STREAM],
		[
			'ending with the sentinel `[DONE]`',
			`${PLAIN} › Options › Stream`,
			['strictness', 'is after which styles a stream ends with [DONE]'],
		],
		['stream_options', `${PLAIN} › Options › Include Usage`, OPTIONS],
		['max_tokens', `${PLAIN} › Options › Max Tokens`, REQUEST],
		['temperature', `${PLAIN} › Options › Temperature`, REQUEST],
		['0 to 2, default 1', `${PLAIN} › Options › Temperature`, REFUSED],
		['200 with a chat completion (2.3)', `${PLAIN} › {text}`, SAME],
		[
			'Shape of each stream chunk beyond a `choices[].delta`',
			`${PLAIN} › {text}`,
			['chatStreams', 'yields the same text for any chunks and any junk between its events'],
		],
	]),
	section('4.2', 'POST /v1/messages', [
		[
			'`Authorization: Bearer <API_KEY>` (or `x-api-key: <API_KEY>`)',
			'Credential › Messages Authentication',
			['chat', 'sends the key to the messages endpoint as the credential is set'],
		],
		[
			'`msgapi-version: 2023-06-01` (required)',
			['Credential › Messages Version Header', 'Credential › Messages Version'],
			['credential', 'has the name and value of the credential, unless they are empty'],
		],
		['`Content-Type: application/json`', MESSAGES, ['requests', 'rejects other content types']],
		['model', `${MESSAGES} › Model`, REQUEST],
		['messages', [`${MESSAGES} › Prompt`, `${MESSAGES} › Messages`, `${MESSAGES} › Messages (JSON)`], ORDER],
		['max_tokens', `${MESSAGES} › Options › Max Tokens`, REQUEST],
		['system', `${MESSAGES} › System Prompt`, REQUEST],
		['temperature', `${MESSAGES} › Options › Temperature`, REQUEST],
		['0 to 1', `${MESSAGES} › Options › Temperature`, REFUSED],
		['stream', `${MESSAGES} › Options › Stream`, STREAM],
		['Response: message object (2.4).', `${MESSAGES} › {text}`, SAME],
	]),
	section('4.3', 'POST /v1beta/models/{model}:generateContent', [
		[
			'Path parameter `model` (string, a model name).',
			`${CONTENT} › Model`,
			['chat', 'keeps a model ID with special characters in one segment of the path'],
		],
		['contents', [`${CONTENT} › Prompt`, `${CONTENT} › Messages`, `${CONTENT} › Messages (JSON)`], REQUEST],
		[
			'generationConfig',
			[`${CONTENT} › Options › Temperature`, `${CONTENT} › Options › Max Tokens`],
			REQUEST,
		],
		['safetySettings', `${CONTENT} › Options › Safety Settings`, REQUEST],
		['tools', `${CONTENT} › Options › Tools`, REQUEST],
		['Response: generate-content response (2.5).', `${CONTENT} › {text}`, SAME],
		[
			'The service authenticates with its own key; no separate upstream key is needed.',
			'Credential › API Key',
			['requests', 'accepts x-api-key only on the messages endpoint'],
		],
	]),
];
