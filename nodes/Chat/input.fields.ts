import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { emptyFailure, inputFailure } from '../shared/failure/words';
import type { Call } from '../shared/run/call';
import { entriesOf, jsonValue, toTextOrChoice } from '../shared/run/parameterReader';
import { parseToSend } from '../shared/plain/json';
import { asRecord, isBlank, toText } from '../shared/plain/values';
import { fileParts, FILES, MESSAGE_FILES } from './files.fields';
import type { ChatFormat, InputSettings } from './formats/chatFormat';
import type { ChatInput, Part, Turn } from './formats/conversation';
import { choiceField, textField } from '../shared/fields/field';

const INPUT_TYPE = choiceField('Input', 'inputType', {
	default: 'prompt',
	description: 'How to provide the input',
	options: [
		{
			name: 'JSON',
			value: 'json',
			description: 'The whole conversation as a JSON array, e.g. from another node',
		},
		{ name: 'Messages', value: 'messages', description: 'A list of messages with role, text, and files' },
		{ name: 'Prompt', value: 'prompt', description: 'A single prompt, optionally with files' },
	],
});

const PROMPT = textField('Prompt', 'prompt', 'The question or task', {
	typeOptions: { rows: 4 },
	required: true,
	placeholder: 'e.g. Write a greeting for {{ $json.name }}',
	displayOptions: { show: { inputType: ['prompt'] } },
});

/** Operations whose messages can have the role System show it only for a prompt; see {@link inputFields}. */
const SYSTEM_PROMPT = textField(
	'System Prompt',
	'systemPrompt',
	'Instructions for how the model should behave',
	{ typeOptions: { rows: 2 }, placeholder: 'e.g. You write for radio. Use short sentences.' },
);

const ROLE = choiceField('Role', 'role', {
	default: 'user',
	description: 'Who the message is from',
	options: [
		{ name: 'Assistant', value: 'assistant', description: 'An earlier answer of the model' },
		{ name: 'System', value: 'system', description: 'Instructions for how the model should behave' },
		{ name: 'User', value: 'user', description: 'A message from the user' },
	],
});

const TEXT = textField('Text', 'text', 'The text of the message', {
	typeOptions: { rows: 3 },
	placeholder: 'e.g. {{ $json.question }}',
});

const messagesWith = (role: INodeProperties): INodeProperties => ({
	displayName: 'Messages',
	name: 'messages',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, sortable: true },
	placeholder: 'Add message',
	required: true,
	default: {},
	displayOptions: { show: { inputType: ['messages'] } },
	description: 'The conversation, oldest message first',
	options: [
		{
			displayName: 'Message',
			name: 'message',
			values: [role, TEXT, { ...MESSAGE_FILES, displayOptions: { show: { role: ['user'] } } }],
		},
	],
});

const MESSAGES = messagesWith(ROLE);
const WITHOUT_SYSTEM = { ...ROLE, options: ROLE.options?.filter(({ name }) => name !== 'System') };

/** The default and the description depend on the operation; see {@link inputFields}. */
const MESSAGES_JSON: INodeProperties = {
	displayName: 'Messages (JSON)',
	name: 'messagesJson',
	type: 'json',
	typeOptions: { rows: 6 },
	required: true,
	displayOptions: { show: { inputType: ['json'] } },
	default: '',
};

/** Returns the parameters for the input, in the order in which users fill them in. */
export function inputFields(settings: InputSettings): INodeProperties[] {
	const { system, systemAlways, content, jsonDescription } = settings;
	return [
		INPUT_TYPE,
		PROMPT,
		{ ...SYSTEM_PROMPT, ...system, ...(systemAlways ? {} : { displayOptions: PROMPT.displayOptions }) },
		systemAlways ? messagesWith(WITHOUT_SYSTEM) : MESSAGES,
		{
			...MESSAGES_JSON,
			default: `[\n  { "role": "user", ${content} }\n]`,
			description: jsonDescription,
		},
	];
}

/** Reads the input of the item. */
export async function readInput(call: Call, format: ChatFormat): Promise<ChatInput> {
	const { systemAlways } = format.input;
	const inputType = call.text(INPUT_TYPE);
	const system = inputType === 'prompt' || systemAlways ? call.text(SYSTEM_PROMPT) : '';
	if (inputType === 'json') return { messages: readJsonMessages(call, format.input), system, turns: [] };
	const turns = inputType === 'messages' ? await readTurns(call, format) : [await readPrompt(call, format)];
	return { system, turns };
}

async function readPrompt(call: Call, format: ChatFormat): Promise<Turn> {
	const prompt = call.requiredText(PROMPT);
	const entries = entriesOf(call.options.value(FILES), FILES);
	const files = await fileParts(call, entries, FILES.displayName, format);
	return { role: 'user', parts: [{ type: 'text', text: prompt }, ...files] };
}

async function readTurns(call: Call, format: ChatFormat): Promise<Turn[]> {
	const messages = call.entries(MESSAGES);
	if (messages.length === 0) {
		throw inputFailure(MESSAGES, 'is empty', 'Add at least one message from the user.');
	}
	return await Promise.all(
		messages.map(async (message, index) => await turnOf(call, message, index, format)),
	);
}

async function turnOf(call: Call, message: IDataObject, index: number, format: ChatFormat): Promise<Turn> {
	const here = `${MESSAGES.displayName} (entry ${index + 1})`;
	const ofEntry = { ...ROLE, displayName: `${here}: ${ROLE.displayName}` };
	const role = toTextOrChoice(message[ROLE.name], ofEntry) as Turn['role'];
	const text = toText(message[TEXT.name]);
	call.hintAtObject(text, here);
	const texts: Part[] = isBlank(text) ? [] : [{ type: 'text', text }];
	const entries = entriesOf(message[MESSAGE_FILES.name], MESSAGE_FILES);
	const label = `${MESSAGE_FILES.displayName} in ${here}`;
	if (role !== 'user' && entries.length > 0) {
		throw inputFailure(label, `cannot be sent with the role ${role}`, 'Remove them, or set Role to User.');
	}
	const files = await fileParts(call, entries, label, format);
	if (texts.length + files.length === 0) throw emptyFailure(here, 'Enter its text.');
	return { role, parts: [...texts, ...files] };
}

function readJsonMessages(call: Call, { content, needs }: InputSettings): object[] {
	const example = `{"role": "user", ${content}}`;
	const messages = jsonValue(call.value(MESSAGES_JSON), MESSAGES_JSON, `[${example}]`, parseToSend);
	if (!Array.isArray(messages) || messages.length === 0) {
		throw inputFailure(
			MESSAGES_JSON,
			'is not a list with at least one message',
			`Enter an array such as [${example}].`,
		);
	}
	for (const [index, message] of messages.entries()) {
		const value = asRecord(message)?.[needs.field];
		const isUsable = needs.isList ? Array.isArray(value) : value !== undefined;
		if (!isUsable) {
			throw inputFailure(
				`${MESSAGES_JSON.displayName}, entry ${index + 1},`,
				`has no ${needs.isList ? 'list ' : ''}"${needs.field}"`,
				`Each entry should look like ${example}.`,
			);
		}
	}
	return messages as object[];
}
