import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { inputFailure } from '../shared/errors/errorMessages';
import { imagesField } from '../shared/fields/images';
import { imagesOf } from '../shared/files/images';
import type { Call } from '../shared/runtime/call';
import { entriesOf, jsonValue } from '../shared/runtime/parameterReader';
import { asRecord, isBlank, textOr, toText } from '../shared/values';
import { joinTexts, type Conversation, type Part, type Turn } from './formats/conversation';
import { readInstruction, type JsonOptions } from './json/fields';

const INPUT_TYPE: INodeProperties = {
	displayName: 'Input',
	name: 'inputType',
	type: 'options',
	options: [
		{
			name: 'JSON',
			value: 'json',
			description: 'The whole conversation as a JSON array, e.g. from another node',
		},
		{ name: 'Messages', value: 'messages', description: 'A list of messages with role, text, and images' },
		{ name: 'Prompt', value: 'prompt', description: 'A single prompt, optionally with images' },
	],
	default: 'prompt',
	description: 'How to provide the input',
};

const PROMPT: INodeProperties = {
	displayName: 'Prompt',
	name: 'prompt',
	type: 'string',
	typeOptions: { rows: 4 },
	required: true,
	default: '',
	placeholder: 'e.g. Write a greeting for {{ $json.name }}',
	displayOptions: { show: { inputType: ['prompt'] } },
	description: 'The question or task for the model',
};

/** Operations whose messages can have the role System show it only for a prompt; see {@link inputFields}. */
const SYSTEM_PROMPT: INodeProperties = {
	displayName: 'System Prompt',
	name: 'systemPrompt',
	type: 'string',
	typeOptions: { rows: 2 },
	default: '',
	placeholder: 'e.g. You write for radio. Use short sentences.',
	description: 'Instructions for how the model should behave',
};

const MESSAGE_IMAGES = imagesField({
	displayName: 'Images',
	name: 'images',
	description: 'Images for the model to look at. The model must support image input.',
});

/** The images of a prompt, as an entry of Options. */
export const IMAGES: INodeProperties = {
	...MESSAGE_IMAGES,
	displayOptions: { show: { '/inputType': ['prompt'] } },
};

const ROLE: INodeProperties = {
	displayName: 'Role',
	name: 'role',
	type: 'options',
	options: [
		{ name: 'Assistant', value: 'assistant', description: 'An earlier answer of the model' },
		{ name: 'System', value: 'system', description: 'Instructions for how the model should behave' },
		{ name: 'User', value: 'user', description: 'A message from the user' },
	],
	default: 'user',
	description: 'Who the message is from',
};

const TEXT: INodeProperties = {
	displayName: 'Text',
	name: 'text',
	type: 'string',
	typeOptions: { rows: 3 },
	default: '',
	placeholder: 'e.g. {{ $json.question }}',
	description: 'The text of the message',
};

const MESSAGES: INodeProperties = {
	displayName: 'Messages',
	name: 'messages',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, sortable: true },
	placeholder: 'Add message',
	required: true,
	default: {},
	displayOptions: { show: { inputType: ['messages'] } },
	description: 'The conversation so far, oldest message first. The last message is usually from the user.',
	options: [
		{
			displayName: 'Message',
			name: 'message',
			values: [ROLE, TEXT, { ...MESSAGE_IMAGES, displayOptions: { show: { role: ['user'] } } }],
		},
	],
};

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

/** What differs between the operations in how the input is provided. */
export interface InputSettings {
	/** Label and description of the system prompt, where they differ from the usual ones. */
	system?: Partial<Pick<INodeProperties, 'displayName' | 'description'>>;
	/** Whether the system prompt applies to every kind of input; otherwise messages have the role System instead. */
	systemAlways: boolean;
	/** The field that contains the text of a message in JSON. */
	contentField: 'content' | 'parts';
	/** Description of the messages in JSON. */
	jsonDescription: string;
}

const CONTENTS = { content: '"content": "Hello"', parts: '"parts": [{ "text": "Hello" }]' };

/** The parameters for the input, in the order in which they are filled in. */
export function inputFields(settings: InputSettings): INodeProperties[] {
	const { system, systemAlways, contentField, jsonDescription } = settings;
	return [
		INPUT_TYPE,
		PROMPT,
		{ ...SYSTEM_PROMPT, ...system, ...(systemAlways ? {} : { displayOptions: PROMPT.displayOptions }) },
		systemAlways ? withoutSystemRole(MESSAGES) : MESSAGES,
		{
			...MESSAGES_JSON,
			default: `[\n  { "role": "user", ${CONTENTS[contentField]} }\n]`,
			description: jsonDescription,
		},
	];
}

function withoutSystemRole(messages: INodeProperties): INodeProperties {
	const roles = ROLE.options?.filter((option) => option.name !== 'System');
	const [group] = messages.options as Array<{ displayName: string; name: string; values: INodeProperties[] }>;
	const values = group.values.map((field) => (field === ROLE ? { ...ROLE, options: roles } : field));
	return { ...messages, options: [{ ...group, values }] };
}

/** The input of a request: a conversation, or the list of messages as the user wrote it. */
export type ChatInput = { system: string } & (
	{ conversation: Conversation; messages?: undefined } | { messages: object[] }
);

/**
 * Reads the input of the item.
 *
 * @param json may add an instruction to the system prompt
 * @throws GatewayFailure (kind `input`) that names the parameter which cannot be used
 */
export async function readInput(
	call: Call,
	{ contentField, systemAlways }: InputSettings,
	json: JsonOptions | undefined,
): Promise<ChatInput> {
	const inputType = call.text(INPUT_TYPE);
	const written = inputType === 'prompt' || systemAlways ? call.text(SYSTEM_PROMPT) : '';
	if (inputType === 'json') {
		return { messages: readJsonMessages(call, contentField), system: written };
	}
	const system = joinTexts([written, readInstruction(call, json)]);
	const turns = inputType === 'messages' ? await readTurns(call) : [await readPrompt(call)];
	return { conversation: { system, turns }, system };
}

async function readPrompt(call: Call): Promise<Turn> {
	const prompt = call.requiredText(PROMPT);
	const images = await imageParts(call, entriesOf(call.options.value(IMAGES), IMAGES), IMAGES.displayName);
	return { role: 'user', parts: [{ type: 'text', text: prompt }, ...images] };
}

async function readTurns(call: Call): Promise<Turn[]> {
	const messages = call.entries(MESSAGES);
	if (messages.length === 0) {
		throw inputFailure(MESSAGES, 'is empty', 'Add at least one message from the user.');
	}
	return await Promise.all(messages.map(async (message, index) => await turnOf(call, message, index)));
}

async function turnOf(call: Call, message: IDataObject, index: number): Promise<Turn> {
	const here = `${MESSAGES.displayName} (entry ${index + 1})`;
	const role = message[ROLE.name];
	if (role !== 'system' && role !== 'user' && role !== 'assistant') {
		throw inputFailure(here, `has the role "${textOr(role)}"`, 'Choose System, User, or Assistant.');
	}
	const text = toText(message[TEXT.name]);
	const texts: Part[] = isBlank(text) ? [] : [{ type: 'text', text }];
	const entries = role === 'user' ? entriesOf(message[MESSAGE_IMAGES.name], MESSAGE_IMAGES) : [];
	const images = await imageParts(call, entries, `${MESSAGE_IMAGES.displayName} in ${here}`);
	if (texts.length + images.length === 0) {
		throw inputFailure(
			here,
			'is empty',
			'Enter its text. If the text comes from an expression, check that this item has the field.',
		);
	}
	return { role, parts: [...texts, ...images] };
}

async function imageParts(call: Call, entries: IDataObject[], label: string): Promise<Part[]> {
	const images = await imagesOf(call.context, call.itemIndex, entries, label);
	return images.map((image) => ({ type: 'image', image }));
}

function readJsonMessages(call: Call, contentField: InputSettings['contentField']): object[] {
	const example = `{"role": "user", ${CONTENTS[contentField]}}`;
	const messages = jsonValue(call.value(MESSAGES_JSON), MESSAGES_JSON, `[${example}]`);
	if (!Array.isArray(messages) || messages.length === 0) {
		throw inputFailure(
			MESSAGES_JSON,
			'is not a list with at least one message',
			`Enter an array such as [${example}].`,
		);
	}
	for (const [index, message] of messages.entries()) {
		const fields = asRecord(message);
		const isUsable = contentField === 'parts' ? Array.isArray(fields?.parts) : fields?.role !== undefined;
		if (!isUsable) {
			throw inputFailure(
				`${MESSAGES_JSON.displayName}, entry ${index + 1},`,
				contentField === 'parts' ? 'has no list "parts"' : 'has no "role"',
				`Each entry should look like ${example}.`,
			);
		}
	}
	return messages as object[];
}
