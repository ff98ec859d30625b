import type { INodeProperties } from 'n8n-workflow';

const FIELD_NAME: INodeProperties = {
	displayName: 'Input Data Field Names',
	name: 'binaryPropertyName',
	type: 'string',
	default: 'data',
	displayOptions: { show: { source: ['binary'] } },
	description: 'Names of binary fields, separated by commas',
};

/** What a parameter is for, with its article and as the name of an entry. */
const NOUNS = { image: ['an image', 'Image'], file: ['a file', 'File'] } as const;

/** A parameter for any number of files, from binary fields of the item and from addresses, in order. */
export function filesField(
	noun: keyof typeof NOUNS,
	settings: Pick<INodeProperties, 'displayName' | 'name' | 'description'>,
	more: INodeProperties[] = [],
): INodeProperties {
	const [withArticle, displayName] = NOUNS[noun];
	const source: INodeProperties = {
		displayName: 'Source',
		name: 'source',
		type: 'options',
		options: [
			{ name: 'Input Data Field', value: 'binary', description: 'A file of the input item' },
			{
				name: 'URL or Data URI',
				value: 'url',
				description: `A web address, or the ${noun} itself as Base64 text`,
			},
		],
		default: 'binary',
		description: `Where the ${noun} comes from`,
	};
	const url: INodeProperties = {
		displayName: 'URL',
		name: 'url',
		type: 'string',
		default: '',
		displayOptions: { show: { source: ['url'] } },
		placeholder: 'e.g. https://example.com/photo.jpg',
		description: `Web address or Base64 data URI of ${withArticle}, or a list of them`,
	};
	return {
		...settings,
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, sortable: true },
		placeholder: `Add ${noun}`,
		default: {},
		options: [{ displayName, name: noun, values: [source, FIELD_NAME, url, ...more] }],
	};
}
