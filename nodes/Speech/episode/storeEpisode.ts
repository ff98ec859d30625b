import type { IBinaryData } from 'n8n-workflow';
import { fileNameFrom, firstWords, storeFile } from '../../shared/files/storeFile';
import { streamFrom } from '../../shared/answer/byteStream';
import { inTurns } from '../../shared/plain/turns';
import type { Call } from '../../shared/run/call';
import { showHint } from '../../shared/run/exits';
import type { OperationResult } from '../../shared/run/operation';
import { formatOfMediaType } from '../audio/formats';
import { cuesOf, type SpokenPart } from '../subtitles/cues';
import { SUBTITLE_FORMATS } from '../subtitles/subtitleFiles';
import type { AudioTags } from '../tags/audioTags';
import { roundedSeconds } from '../audio/joiner';
import { failedItem, filesOf, placeOf } from './episodeResults';
import type { EpisodeSettings } from './episodeSettings';
import type { Episode, PlacedStory } from './joinRecordings';
import type { Recording } from './recordStories';

/**
 * Stores the joined file, and its subtitles.
 *
 * @throws GatewayFailure when a file cannot be stored
 */
export async function storeEpisode(
	call: Call,
	episode: Episode,
	recordings: Recording[],
	settings: EpisodeSettings,
): Promise<OperationResult> {
	const { joiner, stories } = episode;
	const [firstText = ''] = stories
		.flatMap(({ recording: { story } }) => [story.title, ...story.texts])
		.filter(Boolean);
	const name = settings.title === '' ? firstWords(firstText) : settings.title;
	const nameFor = (extension: string) => fileNameFrom(name, 'speech', extension);
	const file = await storeFile(
		call,
		streamFrom(joiner.chunks(tagsOf(episode, settings))),
		joiner.mimeType,
		nameFor,
	);
	const { mimeType, bytes } = file;
	const format = formatOfMediaType(mimeType);
	const asked = recordings.find(({ story }) => story.settings)?.story.settings?.format;
	if (asked !== undefined && format !== asked) {
		showHint(call, `The gateway returned ${format ?? mimeType} although Format is "${asked}"`);
	}
	const missing = recordings.filter(({ failure }) => failure !== undefined);
	return {
		json: {
			title: settings.title === '' ? undefined : settings.title,
			durationSeconds: roundedSeconds(joiner.seconds),
			items: stories.length,
			format,
			mimeType,
			bytes,
			stories: stories.map(placeOf),
			failedItems: missing.length === 0 ? undefined : missing.map(failedItem),
		},
		files: {
			[settings.field]: file,
			...(await subtitleFiles(call, episode, settings, name)),
			...partsOfFailed(call, recordings, settings),
		},
	};
}

/** What has been spoken of stories that have failed, unless they are items of their own. */
function partsOfFailed(
	call: Call,
	recordings: Recording[],
	{ field }: EpisodeSettings,
): Record<string, IBinaryData> {
	if (call.context.continueOnFail()) return {};
	const missing = recordings.filter(({ failure }) => failure !== undefined);
	const files = missing.map((recording) =>
		filesOf(recording, `${field}_item${recording.story.call.itemIndex}`),
	);
	return Object.assign({}, ...files) as Record<string, IBinaryData>;
}

async function subtitleFiles(
	call: Call,
	{ stories }: Episode,
	{ field, subtitles }: EpisodeSettings,
	name: string,
): Promise<Record<string, IBinaryData>> {
	const cues = await inTurns(cuesOf(spokenParts(stories)));
	const files: Record<string, IBinaryData> = {};
	for (const format of SUBTITLE_FORMATS) {
		if (!subtitles.includes(format.extension)) continue;
		const nameFor = () => fileNameFrom(name, 'speech', format.extension);
		const text = Buffer.from(format.write(cues));
		files[`${field}_${format.extension}`] = await storeFile(call, text, format.mimeType, nameFor);
	}
	return files;
}

function spokenParts(stories: PlacedStory[]): SpokenPart[] {
	return stories.flatMap(({ recording, parts }) =>
		parts.map((place, index) => ({ ...place, text: recording.parts[index].text })),
	);
}

function tagsOf({ stories, joiner }: Episode, { tags }: EpisodeSettings): AudioTags | undefined {
	if (!tags) return undefined;
	const titled = stories.filter(({ recording }) => recording.story.title !== '');
	const chapters = titled.map(({ recording, startSeconds }, index) => ({
		title: recording.story.title,
		startSeconds,
		// A chapter ends where the next one begins, after the pause.
		endSeconds: titled[index + 1]?.startSeconds ?? joiner.seconds,
	}));
	return { ...tags, chapters };
}
