import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { LIMIT, optionsField, RETURN_ALL, SIMPLIFY } from '../fields/options';
import { endpoints } from '../gateway/endpoints';
import { fetchVoices, isPublic, type Voice } from '../gateway/lists';
import type { Call } from './call';
import type { OperationResult } from './operation';

const FILTER: INodeProperties = {
	displayName: 'Filter',
	name: 'filter',
	type: 'string',
	default: '',
	placeholder: 'e.g. calm',
	description: 'Text that the name or description of a voice must contain. Leave empty to list all voices.',
};

const VISIBILITY: INodeProperties = {
	displayName: 'Visibility',
	name: 'visibility',
	type: 'options',
	options: [
		{ name: 'All', value: 'all', description: 'Built-in voices and your own' },
		{ name: 'Private', value: 'private', description: 'Voices that only your account can use' },
		{ name: 'Public', value: 'public', description: 'Voices that everyone can use' },
	],
	default: 'all',
	description: 'Which voices to list',
};

/**
 * Parameters of an operation that lists voices.
 *
 * @param visibility the default of Visibility
 */
export function voiceListFields(visibility: 'all' | 'private'): INodeProperties[] {
	return [
		RETURN_ALL,
		LIMIT,
		FILTER,
		{ ...VISIBILITY, default: visibility },
		SIMPLIFY,
		optionsField({ timeoutSeconds: endpoints.voices.timeoutSeconds, body: false }),
	];
}

/** The `run` of an operation with {@link voiceListFields} (interface, 4.6): one item per voice. */
export async function listVoices(call: Call): Promise<OperationResult[]> {
	const filter = { text: call.text(FILTER), visibility: call.text(VISIBILITY) };
	const limit = call.flag(RETURN_ALL) ? Number.POSITIVE_INFINITY : call.number(LIMIT);
	const simplify = call.flag(SIMPLIFY);
	const { entries, hint } = await fetchVoices(call.client, call.requestOptions);
	call.hint(hint);
	const voices = filterVoices(entries, filter);
	return voices
		.slice(0, limit)
		.map((voice) => ({ json: (simplify ? simplifyVoice(voice) : voice) as IDataObject }));
}

/** Which voices to list. */
interface VoiceFilter {
	/** Part of the name or description, in any case; empty for all. */
	text: string;
	/** `all`, `public` or `private`. */
	visibility: string;
}

function filterVoices(voices: Voice[], { text, visibility }: VoiceFilter): Voice[] {
	const part = text.trim().toLowerCase();
	return voices.filter(
		(voice) =>
			`${voice.name} ${voice.description}`.toLowerCase().includes(part) &&
			(visibility === 'all' || isPublic(voice) === (visibility === 'public')),
	);
}

/** Whether a voice is public is null where the gateway does not say. */
function simplifyVoice(voice: Voice): { name: string; public: boolean | null; description: string } {
	const isKnown = voice.public !== undefined && voice.public !== null;
	return { name: voice.name, public: isKnown ? isPublic(voice) : null, description: voice.description };
}
