import type { INodeProperties } from 'n8n-workflow';
import { imagesField } from '../shared/fields/images';
import { optionsField, SIMPLIFY } from '../shared/fields/options';
import { modelField } from '../shared/fields/picker';
import type { Endpoint } from '../shared/gateway/endpoints';

/** What differs between the operations of Chat. */
export interface ChatFieldSettings {
	endpoint: Endpoint;
	/** Where the text for the system stands: beside a prompt only, or always. */
	system: Pick<INodeProperties, 'displayName' | 'description'> & { always: boolean };
	/** The conversation as JSON. */
	json: { example: string; description: string };
	/** Parameters between the input and the answer. */
	own: INodeProperties[];
	/** Further entries of Options. */
	options: INodeProperties[];
}

/** The parameters of an operation of Chat, in the order in which they are filled in. */
export function chatFields({ endpoint, system, json, own, options }: ChatFieldSettings): INodeProperties[] {
	const { always, ...systemWords } = system;
	const { example, description } = json;
	return [
		modelField('', 'e.g. chat-large'),
		INPUT_TYPE,
		PROMPT,
		{
			...systemWords,
			name: 'systemPrompt',
			type: 'string',
			typeOptions: { rows: 2 },
			default: '',
			placeholder: 'e.g. You write for the radio. Use short sentences.',
			...(always ? {} : { displayOptions: { show: { inputType: ['prompt'] } } }),
		},
		PROMPT_IMAGES,
		messagesField(!always),
		{
			displayName: 'Messages (JSON)',
			name: 'messagesJson',
			type: 'json',
			typeOptions: { rows: 6 },
			required: true,
			displayOptions: { show: { inputType: ['json'] } },
			default: example,
			description,
		},
		...own,
		STREAM,
		...ANSWER_FIELDS,
		SIMPLIFY,
		optionsField({ timeoutSeconds: endpoint.timeoutSeconds, body: true }, options),
	];
}

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
		{ name: 'Messages', value: 'messages', description: 'A list of messages with role, text and images' },
		{ name: 'Prompt', value: 'prompt', description: 'One question, with images if you like' },
	],
	default: 'prompt',
	description: 'The form in which you give what the model is asked',
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
	description: 'What the model is asked',
};

const IMAGES = imagesField({
	displayName: 'Images',
	name: 'images',
	description: 'Images that the model looks at; the model must be able to see',
});

const PROMPT_IMAGES: INodeProperties = { ...IMAGES, displayOptions: { show: { inputType: ['prompt'] } } };

function messagesField(withSystemRole: boolean): INodeProperties {
	return {
		displayName: 'Messages',
		name: 'messages',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, sortable: true },
		placeholder: 'Add message',
		required: true,
		default: {},
		displayOptions: { show: { inputType: ['messages'] } },
		description: 'The conversation so far, oldest message first; the last one is usually of the user',
		options: [
			{
				displayName: 'Message',
				name: 'message',
				values: [
					{
						displayName: 'Role',
						name: 'role',
						type: 'options',
						options: [
							{ name: 'Assistant', value: 'assistant', description: 'An earlier answer of the model' },
							...(withSystemRole
								? [{ name: 'System', value: 'system', description: 'How the model should behave' }]
								: []),
							{ name: 'User', value: 'user', description: 'What the user says' },
						],
						default: 'user',
						description: 'Who says it',
					},
					{
						displayName: 'Text',
						name: 'text',
						type: 'string',
						typeOptions: { rows: 3 },
						default: '',
						placeholder: 'e.g. {{ $json.question }}',
						description: 'What is said',
					},
					{ ...IMAGES, displayOptions: { show: { role: ['user'] } } },
				],
			},
		],
	};
}

const STREAM: INodeProperties = {
	displayName: 'Stream',
	name: 'stream',
	type: 'boolean',
	default: false,
	description:
		'Whether to receive the answer piece by piece, so that long answers do not run into time limits. The node still puts out one item; behind a trigger whose response mode is streaming, each piece also goes to the caller at once.',
};

const ANSWER_FIELDS: INodeProperties[] = [
	{
		displayName: 'Parse JSON Answer',
		name: 'parseJson',
		type: 'boolean',
		default: false,
		description:
			'Whether to read the answer as JSON and put it into the field "data". Code fences and text around the JSON are tolerated; an answer without JSON fails, with its text kept.',
	},
	{
		displayName: 'JSON Schema',
		name: 'jsonSchema',
		type: 'json',
		typeOptions: { rows: 6 },
		default: '{}',
		displayOptions: { show: { parseJson: [true] } },
		description:
			'JSON Schema that the answer must fit, e.g. {"type":"object","required":["category"],"properties":{"category":{"type":"string"}}}. Leave {} to accept any JSON.',
	},
	{
		displayName: 'Tell the Model',
		name: 'tellSchema',
		type: 'boolean',
		default: true,
		displayOptions: { show: { parseJson: [true], inputType: ['prompt', 'messages'] } },
		description: 'Whether to add the schema to the system text, so that the model knows what to answer',
	},
];

/** Temperature as an entry of Options. */
export function temperatureOption(max: number): INodeProperties {
	return {
		displayName: 'Temperature',
		name: 'temperature',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: max, numberPrecision: 2 },
		default: 1,
		description: `How freely the model chooses its words, from 0 to ${max}`,
	};
}
