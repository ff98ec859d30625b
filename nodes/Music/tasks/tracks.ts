import type { IDataObject } from 'n8n-workflow';
import { LIST_ENTRIES } from '../../shared/plain/budgets';
import {
	type Fields,
	asRecord,
	firstTextIn,
	isIdentifier,
	numberOf,
	timeOf,
} from '../../shared/plain/values';

/** One finished song (interface, 2.9). */
export type Track = ReturnType<typeof readTrack>;

/** Returns the tracks of a task, from `data` or from where Suno API and APIMart have them. */
export function tracksIn({ data, response, result }: Fields): { tracks: Track[]; unreadable: number } {
	const list = [data, asRecord(response)?.sunoData, asRecord(result)?.music].find(isList);
	if (!list) return { tracks: [], unreadable: 0 };
	const all = list.slice(0, LIST_ENTRIES).flatMap((entry) => {
		const fields = asRecord(entry);
		return fields && Object.keys(fields).length > 0 ? readTrack(fields) : [];
	});
	const audible = all.filter(hasAudio);
	const tracks = audible.length > 0 ? audible : all;
	return { tracks, unreadable: list.length - tracks.length };
}

function isList(value: unknown): value is unknown[] {
	return Array.isArray(value);
}

/** Tells whether a track can be listened to. */
export function hasAudio({ fields }: Track): boolean {
	return fields.audioUrl !== undefined;
}

/** Returns names in camel case and in snake case, because the interface does not show all of them. */
const inBothStyles = (...names: string[]) =>
	names.flatMap((name) => [name, name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)]);

/** The names of fields: those of the interface and Suno API, then those of gcui-art/suno-api and Ace Data Cloud. */
const NAMES = {
	id: inBothStyles('id', 'trackId'),
	title: ['title'],
	audioUrl: inBothStyles('audioUrl'),
	streamAudioUrl: inBothStyles('streamAudioUrl'),
	imageUrl: inBothStyles('imageUrl'),
	tags: ['tags', 'style'],
	model: inBothStyles('modelName', 'model'),
	createdAt: inBothStyles('createTime', 'createdAt'),
	duration: ['duration'],
};
const ALL_NAMES = new Set(Object.values(NAMES).flat());

/** Reads a track. Fields that the gateway does not send, or sends empty, are undefined. */
function readTrack(raw: Fields) {
	const valueOf = (field: keyof typeof NAMES) =>
		NAMES[field]
			.map((name) => raw[name])
			.find((value) => value !== undefined && value !== null && value !== '');
	const textOf = (field: keyof typeof NAMES) => firstTextIn(raw, NAMES[field]);
	const streamAudioUrl = textOf('streamAudioUrl');
	const others = Object.entries(raw).filter(([name]) => !ALL_NAMES.has(name));
	/** The fields, in the order of the output. */
	const fields = {
		title: textOf('title'),
		durationSeconds: numberOf(valueOf('duration')),
		tags: [valueOf('tags')].flat().filter(isIdentifier).join(', ') || undefined,
		model: textOf('model'),
		createdAt: timeOf(valueOf('createdAt')),
		trackId: textOf('id'),
		// The song, or its stream if there is no other address.
		audioUrl: textOf('audioUrl') ?? streamAudioUrl,
		streamAudioUrl,
		imageUrl: textOf('imageUrl'),
		otherFields: others.length > 0 ? (Object.fromEntries(others) as IDataObject) : undefined,
	};
	return { fields, raw };
}
