import { type GatewayFailure, toFailure } from '../../shared/errors/gatewayFailure';
import { chargedFailure } from '../../shared/errors/errorMessages';
import { formatOfMediaType, joinerFor } from '../audio/formats';
import type { AudioSource, Joiner, Place, ReadAudio } from '../audio/joiner';
import type { RecordedPart, Recording } from './recordStories';

/** Silence in the place of a story that has failed. */
const MISSING_STORY_SECONDS = 2;

/** What an episode consists of, besides its stories. */
export interface EpisodePlan {
	intro: AudioSource | undefined;
	outro: AudioSource | undefined;
	pauseSeconds: number;
	/** What becomes of the place of a story that has failed. */
	ifFails: 'pause' | 'skip' | 'stop';
}

/** Where a story is in the episode. */
export interface PlacedStory extends Place {
	recording: Recording;
	/** Each of its parts; none for a story that has failed. */
	parts: Place[];
}

/** Stories that have been joined. */
export interface Episode {
	joiner: Joiner;
	/** In order, without those that are left out. */
	stories: PlacedStory[];
}

/** A story whose audio has been read; none when it has failed. */
interface ReadStory {
	recording: Recording;
	audio: ReadAudio[];
}

/**
 * Joins the stories that have been spoken. A story whose audio does not fit the first one fails, too: its recording then
 * has the failure.
 *
 * @returns undefined when a story has failed and nothing is to be joined then, or when all have failed
 * @throws GatewayFailure for an intro or outro that does not fit
 */
export async function joinRecordings(
	recordings: Recording[],
	plan: EpisodePlan,
): Promise<Episode | undefined> {
	let joiner: Joiner | undefined;
	const read = async (source: AudioSource) => {
		const own = joiner ?? (await joinerFor(source));
		const audio = await own.read(source);
		// What cannot be read does not decide what the others must be.
		joiner = own;
		return audio;
	};
	const readPart = async (part: RecordedPart) => {
		try {
			return await read(part.source);
		} catch (error) {
			throw await unsuitable(part, toFailure(error), joiner);
		}
	};
	const stories: ReadStory[] = [];
	for (const recording of recordings) {
		const audio: ReadAudio[] = [];
		try {
			if (recording.failure === undefined) {
				for (const part of recording.parts) audio.push(await readPart(part));
			}
		} catch (error) {
			recording.failure = toFailure(error);
		}
		stories.push({ recording, audio });
	}
	const failed = recordings.filter(({ failure }) => failure !== undefined);
	if (!joiner || failed.length === recordings.length) return undefined;
	if (failed.length > 0 && plan.ifFails === 'stop') return undefined;
	const intro = plan.intro && (await read(plan.intro));
	const outro = plan.outro && (await read(plan.outro));
	return { joiner, stories: placed(joiner, stories, { ...plan, intro, outro }) };
}

/**
 * Why a part cannot be joined. One that cannot be read, or has another file format, is useless: n8n's Retry asks for it
 * again. One with another sound, such as that of another voice, would be the same again, and stays paid for.
 */
async function unsuitable(
	{ source, useless }: RecordedPart,
	failure: GatewayFailure,
	joiner: Joiner | undefined,
): Promise<GatewayFailure> {
	const alone = await readableAlone(source);
	if (alone && (!joiner || alone.mimeType === joiner.mimeType)) return failure;
	const [own, first] = [alone, joiner].map((one) => one && formatOfMediaType(one.mimeType)?.toUpperCase());
	const reason = own
		? source.fail(`is in the format ${own}, but the first is in the format ${first}`)
		: failure;
	if (!useless) return reason;
	const charged = chargedFailure(reason);
	await useless(charged);
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

/** Puts everything in its place. */
function placed(
	joiner: Joiner,
	stories: ReadStory[],
	{
		intro,
		outro,
		pauseSeconds,
		ifFails,
	}: Pick<EpisodePlan, 'pauseSeconds' | 'ifFails'> & { intro?: ReadAudio; outro?: ReadAudio },
): PlacedStory[] {
	const pause = () => joiner.appendSilence(pauseSeconds);
	intro?.append();
	const result: PlacedStory[] = [];
	for (const { recording, audio } of stories) {
		const isMissing = recording.failure !== undefined;
		if (isMissing && ifFails === 'skip') continue;
		if (intro || result.length > 0) pause();
		const parts = isMissing ? [] : audio.map(({ append }) => append());
		const place = isMissing ? joiner.appendSilence(MISSING_STORY_SECONDS) : wholeOf(parts);
		result.push({ recording, parts, ...place });
	}
	if (outro) {
		pause();
		outro.append();
	}
	return result;
}

function wholeOf(parts: Place[]): Place {
	return { startSeconds: parts[0].startSeconds, endSeconds: parts[parts.length - 1].endSeconds };
}
