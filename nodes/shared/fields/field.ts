import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

type Field<Default> = INodeProperties & { default: Default };
type More<Default> = Partial<Omit<INodeProperties, 'default'>> & { default?: Default };

/** Creates a parameter for a text. By default, it is empty. */
export function textField(
	displayName: string,
	name: string,
	description: string,
	more: More<string> = {},
): Field<string> {
	return { displayName, name, type: 'string', default: '', ...more, description };
}

/** Creates a parameter that is on or off. By default, it is on: the user adds an option to turn it on. */
export function flagField(
	displayName: string,
	name: string,
	description: string,
	more: More<boolean> = {},
): Field<boolean> {
	return { displayName, name, type: 'boolean', default: true, ...more, description };
}

/** Creates a parameter for a number. @param preset the default */
export function numberField<Preset extends number>(
	displayName: string,
	name: string,
	preset: Preset,
	description: string,
	more: More<Preset> = {},
): Field<Preset> {
	return { displayName, name, type: 'number', default: preset, ...more, description };
}

/** Creates a text that the editor shows between the parameters. */
export function noticeField(name: string, text: string): Field<string> {
	return { displayName: text, name, type: 'notice', default: '' };
}

type Choice = Field<string> & { options: INodePropertyOptions[] };

/** Creates a parameter with a list of choices. */
export function choiceField(
	displayName: string,
	name: string,
	{
		default: preset,
		...more
	}: Omit<Partial<Choice>, 'type'> & Pick<Choice, 'default' | 'description' | 'options'>,
): Choice {
	return { displayName, name, type: 'options', default: preset, ...more };
}

/** Creates a parameter for headers. @param value settings of the field for values @param more further fields */
export function headersField(
	description: string,
	placeholder: string,
	value: More<string> = {},
	more: INodeProperties[] = [],
): INodeProperties {
	const name = textField('Name', 'name', 'Name of the header', { placeholder });
	const text = textField('Value', 'value', 'Without a value, the header is not sent', value);
	return {
		displayName: 'Headers',
		name: 'headers',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		default: {},
		placeholder: 'Add header',
		description,
		options: [{ displayName: 'Header', name: 'values', values: [name, text, ...more] }],
	};
}

const FIELD_NAME = textField(
	'Input Data Fields',
	'binaryPropertyName',
	'Names of binary fields, separated by commas, or a list of them',
	{ default: 'data', displayOptions: { show: { source: ['binary'] } } },
);

/** The nouns for the kinds of files: with the article, and as the name of an entry. */
const NOUNS = { image: ['an image', 'Image'], file: ['a file', 'File'] } as const;

/** Creates a parameter for any number of files, in order, from binary fields of the item and from addresses. */
export function filesField(
	noun: keyof typeof NOUNS,
	settings: Pick<INodeProperties, 'displayName' | 'name' | 'description'>,
	more: INodeProperties[] = [],
): INodeProperties {
	const [withArticle, displayName] = NOUNS[noun];
	const source = choiceField('Source', 'source', {
		default: 'binary',
		description: `Where the ${noun} comes from`,
		options: [
			{ name: 'Input Data Field', value: 'binary', description: 'A file of the input item' },
			{
				name: 'URL or Data URI',
				value: 'url',
				description: `A web address, or the ${noun} itself as a data URI`,
			},
		],
	});
	const what = `Web address or Base64 data URI of ${withArticle}, or a list of them`;
	const url = textField('URL', 'url', what, {
		displayOptions: { show: { source: ['url'] } },
		placeholder: 'e.g. https://example.com/photo.jpg',
	});
	return {
		...settings,
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, sortable: true },
		placeholder: `Add ${noun}`,
		default: {},
		options: [{ displayName, name: noun, values: [source, FIELD_NAME, url, ...more] }],
	};
}
