import { LIST_ENTRIES } from '../../shared/plain/budgets';
import { asRecord, numberOf, timeOf } from '../../shared/plain/values';

export type Fields = Record<string, unknown>;

/** One finished song (interface, 2.9). What the gateway does not send, or sends without a value, is undefined. */
export interface Track {
	id: string | undefined;
	title: string | undefined;
	audioUrl: string | undefined;
	streamAudioUrl: string | undefined;
	imageUrl: string | undefined;
	tags: string | undefined;
	model: string | undefined;
	/** ISO 8601. */
	createdAt: string | undefined;
	durationSeconds: number | undefined;
	raw: Fields;
}

/** The tracks of a task: in `data`, or where Suno API has them. */
export function tracksIn({ data, response }: Fields): { tracks: Track[]; unreadable: number } {
	const list = Array.isArray(data) ? (data as unknown[]) : asRecord(response)?.sunoData;
	if (!Array.isArray(list)) return { tracks: [], unreadable: 0 };
	const all = list.slice(0, LIST_ENTRIES).flatMap((entry: unknown) => {
		const fields = asRecord(entry);
		return fields && Object.keys(fields).length > 0 ? readTrack(fields) : [];
	});
	const audible = all.filter(hasAudio);
	const tracks = audible.length > 0 ? audible : all;
	return { tracks, unreadable: list.length - tracks.length };
}

/** Whether a track can be listened to. */
export function hasAudio({ audioUrl, streamAudioUrl }: Track): boolean {
	return audioUrl !== undefined || streamAudioUrl !== undefined;
}

/** Each field under its name in camel case or snake case, because the interface does not show all of them. */
function readTrack(raw: Fields): Track {
	return {
		id: text(raw, 'id'),
		title: text(raw, 'title'),
		audioUrl: text(raw, 'audioUrl', 'audio_url'),
		streamAudioUrl: text(raw, 'streamAudioUrl', 'stream_audio_url'),
		imageUrl: text(raw, 'imageUrl', 'image_url'),
		tags: Array.isArray(raw.tags) ? raw.tags.filter(isIdentifier).join(', ') || undefined : text(raw, 'tags'),
		model: text(raw, 'modelName', 'model_name'),
		createdAt: timeOf(raw.createTime ?? raw.create_time ?? raw.created_at),
		durationSeconds: numberOf(raw.duration),
		raw,
	};
}

/** The first text or number under these names, as text; undefined for none. */
export function text(source: Fields, ...names: string[]): string | undefined {
	const value = names.map((name) => source[name]).find(isIdentifier);
	return value === undefined ? undefined : String(value);
}

/** Whether a value may be an ID or a name. */
export function isIdentifier(value: unknown): value is string | number {
	return (typeof value === 'string' && value.trim() !== '') || typeof value === 'number';
}
