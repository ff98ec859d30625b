import type { IDataObject } from 'n8n-workflow';
import { listFields, optionsField, simplifyField } from '../../shared/fields/options';
import { endpoints } from '../../shared/gateway/endpoints';
import { fetchVoices } from '../../shared/gateway/lists';
import type { ItemOperation } from '../../shared/runtime/operation';
import type { Voice } from '../../shared/schemas/voices';

/** Lists the voices that the account may use (interface, 4.6). */
export const getManyVoices: ItemOperation = {
	value: 'getManyVoices',
	name: 'Get Many Voices',
	action: 'Get many voices',
	description: 'List the built-in voices and your own',
	fields: [
		...listFields,
		{
			displayName: 'Filter',
			name: 'filter',
			type: 'string',
			default: '',
			placeholder: 'e.g. calm',
			description: 'Text that the name or description of a voice must contain. Leave empty for all voices.',
		},
		{
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
		},
		simplifyField,
		optionsField({ timeoutSeconds: endpoints.voices.timeoutSeconds, body: false }),
	],
	async run(call) {
		const wanted = call.text('filter').trim().toLowerCase();
		const visibility = call.text('visibility');
		const voices = (await fetchVoices(call.client, call.requestOptions)).filter(
			(voice) =>
				`${voice.name} ${voice.description}`.toLowerCase().includes(wanted) &&
				(visibility === 'all' || isPublic(voice) === (visibility === 'public')),
		);
		const limit = call.flag('returnAll') ? voices.length : call.number('limit', 'Limit');
		const simplify = call.flag('simplify');
		return voices
			.slice(0, limit)
			.map((voice) => ({ json: (simplify ? simplified(voice) : voice) as IDataObject }));
	},
};

function isPublic({ public: visibility }: Voice): boolean {
	return visibility === true || visibility === 'public' || visibility === 'true';
}

function simplified(voice: Voice): IDataObject {
	return { name: voice.name, description: voice.description, public: isPublic(voice) };
}
