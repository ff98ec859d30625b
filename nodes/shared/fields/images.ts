import type { INodeProperties } from 'n8n-workflow';

const SOURCE: INodeProperties = {
	displayName: 'Source',
	name: 'source',
	type: 'options',
	options: [
		{ name: 'Input Data Field', value: 'binary', description: 'A file of the input item' },
		{
			name: 'URL or Data URI',
			value: 'url',
			description: 'A web address, or the image itself as Base64 text',
		},
	],
	default: 'binary',
	description: 'Where the image comes from',
};

const FIELD_NAME: INodeProperties = {
	displayName: 'Input Data Field Name',
	name: 'binaryPropertyName',
	type: 'string',
	default: 'data',
	displayOptions: { show: { source: ['binary'] } },
	hint: 'The name of the input field containing the binary file data to be processed',
	description: 'Name of the binary field. Separate several names with commas.',
};

const URL: INodeProperties = {
	displayName: 'URL',
	name: 'url',
	type: 'string',
	default: '',
	displayOptions: { show: { source: ['url'] } },
	placeholder: 'e.g. https://example.com/photo.jpg',
	description:
		'Web address or Base64 data URI of an image. An expression may return a list of them, or an empty list for none.',
};

/** A parameter for any number of images, from binary fields of the item and from addresses, in order. */
export function imagesField(
	settings: Pick<INodeProperties, 'displayName' | 'name' | 'description'>,
): INodeProperties {
	return {
		...settings,
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, sortable: true },
		placeholder: 'Add image',
		default: {},
		options: [{ displayName: 'Image', name: 'image', values: [SOURCE, FIELD_NAME, URL] }],
	};
}
