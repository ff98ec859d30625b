import type { INodeProperties } from 'n8n-workflow';
import { choiceField, textField } from './field';

const FIELD_NAME = textField(
	'Input Data Fields',
	'binaryPropertyName',
	'Names of binary fields, separated by commas',
	{ default: 'data', displayOptions: { show: { source: ['binary'] } } },
);

/** Names what a parameter is for, with its article and as the name of an entry. */
const NOUNS = { image: ['an image', 'Image'], file: ['a file', 'File'] } as const;

/** A parameter for any number of files, from binary fields of the item and from addresses, in order. */
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
				description: `A web address, or the ${noun} itself as Base64 text`,
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
