import { LIST_ENTRIES } from '../../shared/http/budgets';
import { asRecord, numberOf, timeOf } from '../../shared/values';

/** An object of a response. */
export type Fields = Record<string, unknown>;

/** One finished song (interface, 2.9). */
export interface Track {
	id: string;
	title: string;
	/** URL of the MP3; empty when there is none. */
	audioUrl: string;
	streamAudioUrl: string;
	/** URL of the cover; empty when there is none. */
	imageUrl: string;
	tags: string;
	model: string;
	/** ISO 8601; empty when it is unknown. */
	createdAt: string;
	durationSeconds: number | undefined;
	/** The track as the gateway returned it. */
	raw: Fields;
}

const LISTS = [
	'data',
	'tracks',
	'clips',
	'songs',
	'audios',
	'audio_urls',
	'sunoData',
	'response',
	'result',
	'output',
];

/** The tracks of a task: a list, an object that contains one, or a single track. */
export function tracksIn(raw: Fields): { tracks: Track[]; unreadable: number } {
	for (const name of LISTS) {
		const value = raw[name];
		const inner = asRecord(value);
		const list = inner ? listIn(inner) : value;
		if (!Array.isArray(list) || list.length === 0) continue;
		const all = list.slice(0, LIST_ENTRIES).flatMap((entry: unknown) => {
			const fields = isAddress(entry) ? { audioUrl: entry } : asRecord(entry);
			return fields && Object.keys(fields).length > 0 ? readTrack(fields) : [];
		});
		const audible = all.filter(hasAudio);
		const tracks = audible.length > 0 ? audible : all;
		return { tracks, unreadable: list.length - tracks.length };
	}
	return { tracks: [], unreadable: 0 };
}

function isAddress(value: unknown): value is string {
	return typeof value === 'string' && /^https?:\/\//i.test(value);
}

const MAX_DEPTH = 2;

/** A list in an object, a single track, or tracks by their ID. */
function listIn(fields: Fields, depth = 0): unknown[] {
	const values = Object.values(fields);
	const list = values.find(Array.isArray) as unknown[] | undefined;
	if (list) return list;
	const wrapped = asRecord(fields.response) ?? asRecord(fields.result);
	if (wrapped && depth < MAX_DEPTH) return listIn(wrapped, depth + 1);
	return text(fields, ...AUDIO_URL) === '' ? values.filter((value) => asRecord(value)) : [fields];
}

/** Whether a track can be listened to. */
export function hasAudio({ audioUrl, streamAudioUrl }: Track): boolean {
	return audioUrl !== '' || streamAudioUrl !== '';
}

function readTrack(raw: Fields): Track {
	const tags = first(raw, ...TAGS);
	return {
		id: text(raw, 'id', 'track_id', 'trackId'),
		title: text(raw, 'title'),
		audioUrl: text(raw, ...AUDIO_URL) || text(asRecord(raw.audio) ?? {}, 'url'),
		streamAudioUrl: text(raw, 'streamAudioUrl', 'stream_audio_url', 'streamUrl', 'stream_url'),
		imageUrl: text(
			raw,
			'imageUrl',
			'image_url',
			'coverUrl',
			'cover_url',
			'coverImageUrl',
			'cover_image_url',
			'cover',
			'image',
		),
		tags: Array.isArray(tags) ? tags.filter(isIdentifier).join(', ') : text(raw, ...TAGS),
		model: text(raw, 'modelName', 'model_name', 'model'),
		createdAt: timeOf(first(raw, 'createTime', 'create_time', 'createdAt', 'created_at')) ?? '',
		durationSeconds: numberOf(first(raw, 'duration')),
		raw,
	};
}

const TAGS = ['tags', 'style', 'styles', 'genre', 'genres'];
const AUDIO_URL = ['audioUrl', 'audio_url', 'url', 'audio', 'song_url', 'mp3_url'];

/** The first value under these names that is not empty. */
export function first(source: Fields, ...names: string[]): unknown {
	return names.map((name) => source[name]).find((value) => ![undefined, null, ''].includes(value as null));
}

/** The first text or number under these names, as text; empty for none. */
export function text(source: Fields, ...names: string[]): string {
	const value = names.map((name) => source[name]).find(isIdentifier);
	return value === undefined ? '' : String(value);
}

/** Whether a value may be an ID or a name. */
export function isIdentifier(value: unknown): value is string | number {
	return (typeof value === 'string' && value.trim() !== '') || typeof value === 'number';
}
