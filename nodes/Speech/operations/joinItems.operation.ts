import { toFailure } from '../../shared/errors/gatewayFailure';
import { fileNameFrom, firstWords, storeFile } from '../../shared/files/storeFile';
import { streamFrom } from '../../shared/http/byteStream';
import type { Call } from '../../shared/runtime/call';
import { showHint } from '../../shared/runtime/exits';
import type { BatchOperation, LinkedResult, OperationResult } from '../../shared/runtime/operation';
import { formatOfMediaType } from '../audio/formats';
import { contentsOf, notJoined } from '../episode/episodeResults';
import { type Episode, joinRecordings } from '../episode/joinRecordings';
import { type EpisodeSettings, readEpisode } from '../episode/episodeSettings';
import { type Recording, recordStories } from '../episode/recordStories';
import { readStory } from '../episode/story';
import type { AudioTags } from '../tags/audioTags';
import { joinItemsFields } from '../episode/fields';

/** Speaks the items and joins them into one file, with chapters, tags, and subtitles. */
export const joinItems: BatchOperation = {
	value: 'joinItems',
	name: 'Join Items',
	action: 'Join items into one audio file',
	description: 'Turn the texts and audio files of all items into one audio file with chapters and subtitles',
	fields: joinItemsFields,
	async runAll(calls) {
		const [first] = calls;
		const settings = await readEpisode(first);
		const stories = await Promise.all(calls.map(readStory));
		const stops = settings.ifFails === 'stop';
		if (stops && stories.some(({ failure }) => failure)) {
			return notJoined(stories.map((story) => ({ story, parts: [], failure: story.failure })));
		}
		const recordings = await recordStories(stories, stops);
		try {
			const episode = await joinRecordings(recordings, settings);
			if (!episode) return notJoined(recordings);
			const result = await resultOf(first, episode, recordings, settings);
			return [{ from: joinedItems(episode), result }, ...failuresBeside(first, recordings)];
		} catch (error) {
			recordings[0].failure = toFailure(error);
			return notJoined(recordings);
		}
	},
};

/** Stores the joined file. */
async function resultOf(
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
	return {
		json: {
			title: settings.title === '' ? undefined : settings.title,
			...contentsOf(episode, recordings),
			format: formatOfMediaType(mimeType),
			mimeType,
			bytes,
		},
		files: { [settings.field]: file },
	};
}

function joinedItems({ stories }: Episode): number[] {
	const joined = stories.filter(({ recording }) => recording.failure === undefined);
	return joined.map(({ recording }) => recording.story.call.itemIndex);
}

/** Items that failed and do not stop the others. They are failures only if the node continues on failure. */
function failuresBeside(call: Call, recordings: Recording[]): LinkedResult[] {
	const failed = recordings.flatMap(({ story, failure }) =>
		failure ? [{ from: story.call.itemIndex, failure }] : [],
	);
	if (call.context.continueOnFail()) return failed;
	for (const { from, failure } of failed) showHint(call, `Item ${from} is missing: ${failure.message}`);
	return [];
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
