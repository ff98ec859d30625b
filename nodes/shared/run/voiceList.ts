import type { IDataObject } from 'n8n-workflow';
import { LIMIT, optionFields, RETURN_ALL, SIMPLIFY } from '../fields/options';
import { endpoints } from '../send/endpoints';
import { fetchVoices, isPublic, type Voice, visibilityOf } from '../send/lists';
import type { Call } from './call';
import { type ItemOperation, type OperationResult, rawItems } from './operation';
import { choiceField, textField } from '../fields/field';
import { numberOf } from '../plain/values';

const FILTER = textField(
	'Filter',
	'filter',
	'Text that the name or description of a voice must contain. Leave empty to list all voices.',
	{ placeholder: 'e.g. calm' },
);

const VISIBILITY = choiceField('Visibility', 'visibility', {
	default: 'all',
	description: 'Which voices to list',
	options: [
		{ name: 'All', value: 'all', description: 'Built-in voices and your own' },
		{ name: 'Private', value: 'private', description: 'Voices that only your account can use' },
		{ name: 'Public', value: 'public', description: 'Voices that everyone can use' },
	],
});

/** Shared by operations that list the voices of the account (interface, 4.6): one item per voice. */
export const voiceList = {
	fields: [RETURN_ALL, LIMIT, FILTER, VISIBILITY, SIMPLIFY, ...optionFields(endpoints.voices)],
	run: listVoices,
} satisfies Pick<ItemOperation, 'fields' | 'run'>;

async function listVoices(call: Call): Promise<OperationResult[]> {
	const part = call.text(FILTER).trim().toLowerCase();
	const visibility = call.text(VISIBILITY);
	const limit = call.flag(RETURN_ALL) ? Number.POSITIVE_INFINITY : call.number(LIMIT);
	const simplify = call.flag(SIMPLIFY);
	const listed = await fetchVoices(call.client, call.requestOptions);
	call.hint(listed.hint);
	if (visibility !== 'all' && listed.entries.some((voice) => visibilityOf(voice) === undefined)) {
		call.hint(
			'The gateway does not say of all voices who may use them. Select All under Visibility to list these, too',
		);
	}
	const voices = listed.entries
		.filter((voice) => `${voice.name} ${voice.description ?? ''}`.toLowerCase().includes(part))
		.filter((voice) => visibility === 'all' || isPublic(voice) === (visibility === 'public'))
		.filter((voice) => visibility === 'all' || visibilityOf(voice) !== undefined)
		.slice(0, limit);
	const total = numberOf(listed.rest.total);
	const items = simplify
		? voices.map((voice) => simplifyVoice(voice, total))
		: rawItems(
				voices.map((voice) => listed.sent.get(voice)),
				listed.rest,
			);
	return items.map((json) => ({ json }));
}

/** @param total the number of voices before filters; undefined if the gateway does not count them */
function simplifyVoice(voice: Voice, total: number | undefined): IDataObject {
	const { name, description } = voice;
	return { name, public: visibilityOf(voice), description, total };
}
