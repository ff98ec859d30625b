import type { INodeProperties } from 'n8n-workflow';
import { endpoints } from '../gateway/endpoints';
import { listFields, optionsField, simplifyField } from './options';

const FILTER: INodeProperties = {
	displayName: 'Filter',
	name: 'filter',
	type: 'string',
	default: '',
	placeholder: 'e.g. calm',
	description: 'Text that the name or description of a voice must contain. Leave empty for all voices.',
};

const VISIBILITY: INodeProperties = {
	displayName: 'Visibility',
	name: 'visibility',
	type: 'options',
	options: [
		{ name: 'All', value: 'all', description: 'Built-in voices and your own' },
		{ name: 'Private', value: 'private', description: 'Voices that only your account can use' },
		{ name: 'Public', value: 'public', description: 'Voices that everybody can use' },
	],
	default: 'all',
	description: 'Which voices to list',
};

/**
 * Parameters of a list of voices.
 *
 * @param visibility what is listed when the user chooses nothing
 */
export function voiceListFields(visibility: 'all' | 'private'): INodeProperties[] {
	return [
		...listFields,
		FILTER,
		{ ...VISIBILITY, default: visibility },
		simplifyField,
		optionsField({ timeoutSeconds: endpoints.voices.timeoutSeconds, body: false }),
	];
}
