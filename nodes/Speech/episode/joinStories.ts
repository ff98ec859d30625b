import { type GatewayFailure, toFailure } from '../../shared/errors/gatewayFailure';
import { chargedFailure } from '../../shared/errors/errorMessages';
import { formatOfMediaType, joinerFor } from '../audio/formats';
import type { AudioSource, Joiner, ReadAudio } from '../audio/joiner';
import type { EpisodeSettings } from './episodeSettings';
import type { Story, StoryPart } from './story';

/** Silence in the place of a story that has failed. */
const MISSING_STORY_SECONDS = 2;

/**
 * Joins stories, and tells them and their parts their place. A story whose audio does not fit the first one fails, too.
 *
 * @returns undefined when a story has failed and nothing is to be joined then, or when all have failed
 * @throws GatewayFailure for an intro or outro that does not fit
 */
export async function joinStories(stories: Story[], settings: EpisodeSettings): Promise<Joiner | undefined> {
	let joiner: Joiner | undefined;
	const read = async (source: AudioSource) => {
		const own = joiner ?? (await joinerFor(source));
		const audio = await own.read(source);
		// What cannot be read does not decide what the others must be.
		joiner = own;
		return audio;
	};
	const audio = new Map<StoryPart, ReadAudio>();
	for (const story of stories) {
		for (const part of story.parts) {
			if (story.failure) break;
			try {
				audio.set(part, await read(part.source));
			} catch (error) {
				story.failure = await unsuitable(part, toFailure(error), joiner);
			}
		}
	}
	const failed = stories.filter(({ failure }) => failure !== undefined);
	if (!joiner || failed.length === stories.length) return undefined;
	if (failed.length > 0 && settings.ifFails === 'stop') return undefined;
	const intro = settings.intro && (await read(settings.intro));
	const outro = settings.outro && (await read(settings.outro));

	const joined = settings.ifFails === 'skip' ? stories.filter(({ failure }) => !failure) : stories;
	intro?.append();
	for (const [index, story] of joined.entries()) {
		if (intro || index > 0) joiner.appendSilence(settings.pauseSeconds);
		if (story.failure) story.place = joiner.appendSilence(MISSING_STORY_SECONDS);
		else placeParts(story, audio);
	}
	if (outro) {
		joiner.appendSilence(settings.pauseSeconds);
		outro.append();
	}
	return joiner;
}

function placeParts(story: Story, audio: Map<StoryPart, ReadAudio>): void {
	for (const part of story.parts) {
		const place = audio.get(part)?.append();
		part.place = place;
		story.place = place && { ...place, startSeconds: story.place?.startSeconds ?? place.startSeconds };
	}
}

/**
 * Why a part cannot be joined. One that cannot be read, or has another file format, is discarded: n8n's Retry asks for it
 * again. One with another sound, such as that of another voice, would be the same again, and stays paid for.
 */
async function unsuitable(
	{ source, discard }: StoryPart,
	failure: GatewayFailure,
	joiner: Joiner | undefined,
): Promise<GatewayFailure> {
	const alone = await readableAlone(source);
	if (alone && (!joiner || alone.mimeType === joiner.mimeType)) return failure;
	const [own, first] = [alone, joiner].map((one) => one && formatOfMediaType(one.mimeType)?.toUpperCase());
	const reason = own
		? source.fail(`is in the format ${own}, but the first is in the format ${first}`)
		: failure;
	if (!discard) return reason;
	const charged = chargedFailure(reason);
	await discard(charged);
	return charged;
}

async function readableAlone(source: AudioSource): Promise<Joiner | undefined> {
	try {
		const alone = await joinerFor(source);
		await alone.read(source);
		return alone;
	} catch {
		return undefined;
	}
}
