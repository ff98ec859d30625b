import type { INodeProperties } from 'n8n-workflow';
import { optionsField, outputFileField, simplifyField } from '../shared/fields/options';
import type { Encoding, Utility, UtilityParameter } from './catalogue/utility';

const ENCODINGS: Record<Encoding, { name: string; description: string }> = {
	html: { name: 'HTML', description: 'A web page as text' },
	image: { name: 'Image', description: 'A picture, from the address that the gateway names' },
	'image-proxy': { name: 'Image via Gateway', description: 'A picture that the gateway passes on itself' },
	json: { name: 'JSON', description: 'Fields that later nodes can use' },
	markdown: { name: 'Markdown', description: 'Text with Markdown marks' },
	text: { name: 'Text', description: 'Plain text, ready to be read' },
};

/**
 * The editor's fields of one endpoint: required parameters first, then the encodings that this endpoint
 * allows, then optional parameters in Options.
 */
export function utilityFields({ parameters, encodings }: Utility): INodeProperties[] {
	const images = encodings.filter((encoding) => encoding.startsWith('image'));
	return [
		...parameters.filter(({ required }) => required).map(toField),
		...(encodings.length > 0 ? [encodingField(encodings)] : []),
		...(images.length > 0 ? [{ ...outputFileField, displayOptions: { show: { encoding: images } } }] : []),
		...(encodings.includes('json')
			? [
					{ ...SPLIT_OUT, displayOptions: { show: { encoding: ['json'] } } },
					{ ...simplifyField, displayOptions: { show: { encoding: ['json'] } } },
				]
			: []),
		optionsField(
			{ timeoutSeconds: 60, body: false },
			parameters.filter(({ required }) => !required).map(toField),
		),
	];
}

const SPLIT_OUT: INodeProperties = {
	displayName: 'Split Out Lists',
	name: 'splitOutLists',
	type: 'boolean',
	default: false,
	description:
		'Whether to return one item per entry when the answer holds a list, instead of one item in all',
};

function encodingField(encodings: Encoding[]): INodeProperties {
	return {
		displayName: 'Encoding',
		name: 'encoding',
		type: 'options',
		options: encodings
			.map((value) => ({ value, ...ENCODINGS[value] }))
			.sort((one, other) => one.name.localeCompare(other.name)),
		default: 'json',
		description: 'In which form the answer comes',
	};
}

function toField(parameter: UtilityParameter): INodeProperties {
	const { key, label, description, required, placeholder } = parameter;
	const field = { displayName: label, name: key, description, required, placeholder };
	switch (parameter.type) {
		case 'text':
			return { ...field, type: 'string', default: parameter.default ?? '' };
		case 'date':
			return { ...field, type: 'dateTime', default: '' };
		case 'presence':
			return { ...field, type: 'boolean', default: false };
		case 'list':
			return { ...field, type: 'options', options: parameter.choices, default: parameter.default };
		case 'number': {
			const typeOptions = { minValue: parameter.min, maxValue: parameter.max };
			return { ...field, type: 'number', typeOptions, default: parameter.default ?? 0 };
		}
	}
}
