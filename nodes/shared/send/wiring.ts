import type { INodeProperties } from 'n8n-workflow';
import { settingsFailure, inputFailure, type NamedParameter } from '../failure/words';
import { textOr } from '../plain/values';

export const TASK_ID = '{task_id}';

/** The paths and names that the interface document gives in two ways, or not at all. Most gateways have these. */
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

/** The fields of the credential for paths and names that differ between gateways. */
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

/** Reads the paths and names of a credential, with defaults for those that are empty. */
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
	const isPath = /^\/[\w\-.~%/?=&{}]*$/.test(path) && !decodingsOf(path).some(hasDotSegment);
	if (isPath && path.split(TASK_ID).length === (hasId ? 2 : 1)) return;
	throw settingsFailure(
		`${label} in the credential cannot be "${path.slice(0, 100)}"`,
		`Enter a path that starts with a slash${hasId ? ` and contains ${TASK_ID} once` : ''}, or leave the field empty.`,
	);
}

/** Encodes a text as a segment of a path. Rejects what a program on the way could read, or decode, as "." or "..". */
export function pathSegment(parameter: NamedParameter, text: string): string {
	if (!decodingsOf(text).some(hasDotSegment)) return encodeURIComponent(text.toWellFormed());
	throw inputFailure(
		parameter,
		`is "${text.slice(0, 40)}", but a "." or ".." segment cannot be part of a path`,
		'Select it from the list, or enter it as the gateway shows it.',
	);
}

/** The number of times that a text is decoded for checks. No program decodes it more often. */
const ENCODINGS = 4;

/** Returns a text, and what it means to programs that decode it once or several times. */
export function decodingsOf(text: string): string[] {
	const decodings = [text];
	for (let times = 0; times < ENCODINGS; times++) decodings.push(decoded(decodings[times]));
	return decodings;
}

/** Decodes only ASCII characters, because no other sequence can be a dot or a slash. */
function decoded(text: string): string {
	return text
		.normalize('NFKC')
		.replace(/%([0-7][0-9a-f])/gi, (_encoded, code: string) => String.fromCharCode(parseInt(code, 16)));
}

/** Tells whether a segment is "." or "..". Some servers read "..;" so, and URL parsers drop line breaks and tabs. */
export function hasDotSegment(text: string): boolean {
	const segments = text.replace(/[\p{Cc}\p{Cf}\s]/gu, '').split(/[/\\]/);
	return segments.some((segment) => /^\.{1,2}(;|$)/.test(segment));
}
