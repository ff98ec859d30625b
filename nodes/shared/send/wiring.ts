import type { INodeProperties } from 'n8n-workflow';
import { settingsFailure } from '../failure/words';
import { textOr } from '../plain/values';
import { hasDotSegment, spellingsOf } from './pathSegment';

export const TASK_ID = '{task_id}';

/** Settles what the interface document gives in two ways, or not at all. Most gateways have the first of them. */
const DEFAULTS = {
	musicSubmitPath: '/v1/music/generations',
	musicQueryPath: `/v1/music/tasks/${TASK_ID}`,
	musicStyleField: 'style',
	musicTitleField: 'title',
	voiceCreatePath: '/v1/voice/model',
	voiceFileField: 'audio_files',
	voiceTranscriptField: 'reference_texts',
};

export type Wiring = typeof DEFAULTS;

function field(
	name: keyof Wiring,
	displayName: string,
	other: string,
	description: string,
): INodeProperties & { name: keyof Wiring } {
	const preset = DEFAULTS[name];
	const placeholder = `e.g. ${other}`;
	return { displayName, name, type: 'string', default: preset, placeholder, description };
}

/** The fields of the credential for what gateways have in different ways. */
export const WIRING_FIELDS = [
	field('musicSubmitPath', 'Music Submit Path', '/v1/music/generate', 'Where to submit songs'),
	field(
		'musicQueryPath',
		'Music Query Path',
		`/v1/music/query?task_id=${TASK_ID}`,
		`Where to ask for the state of a song, with ${TASK_ID} in the place of its ID`,
	),
	field('musicStyleField', 'Music Style Field', 'tags', 'Name of the request field for the style of a song'),
	field('musicTitleField', 'Music Title Field', 'song_title', 'Name of the request field for its title'),
	field('voiceCreatePath', 'Voice Create Path', '/v1/voice-clone/create-model', 'Where to create voices'),
	field('voiceFileField', 'Voice File Field', 'audio_files[]', 'Name of the form field for each recording'),
	field(
		'voiceTranscriptField',
		'Voice Transcript Field',
		'reference_texts[]',
		'Name of the form field for each transcript',
	),
];

/** The paths and names of a credential; defaults for what is empty. */
export function wiringOf(credential: Partial<Wiring>): Wiring {
	const wiring = { ...DEFAULTS };
	for (const { name, displayName } of WIRING_FIELDS) {
		const value = textOr(credential[name]).trim() || DEFAULTS[name];
		if (name.endsWith('Path')) requirePath(displayName, value, name === 'musicQueryPath');
		wiring[name] = value;
	}
	return wiring;
}

function requirePath(label: string, path: string, hasId: boolean): void {
	const isPath = /^\/[\w\-.~%/?=&{}]*$/.test(path) && !spellingsOf(path).some(hasDotSegment);
	if (isPath && path.includes(TASK_ID) === hasId) return;
	throw settingsFailure(
		`${label} in the credential cannot be "${path.slice(0, 100)}"`,
		`Enter a path that starts with a slash${hasId ? ` and contains ${TASK_ID} once` : ''}, or leave the field empty.`,
	);
}
