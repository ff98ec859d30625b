import { inputFailure } from '../../shared/errors/errorMessages';
import { toFailure } from '../../shared/errors/gatewayFailure';
import type { Call } from '../../shared/run/call';
import { showHint } from '../../shared/run/exits';
import type { BatchOperation, LinkedResult } from '../../shared/run/operation';
import { formatOfFile } from '../audio/formats';
import { failed, notJoined } from '../episode/episodeResults';
import { type EpisodePlan, joinRecordings } from '../episode/joinRecordings';
import { readEpisode } from '../episode/episodeSettings';
import { type Recording, recordStories } from '../episode/recordStories';
import { storeEpisode } from '../episode/storeEpisode';
import { readStory, type Story } from '../episode/story';
import { joinItemsFields } from '../episode/fields';
import { FORMAT } from '../fields';

/** Speaks the items and joins them into one file, with chapters, tags, and subtitles. */
export const joinItems: BatchOperation = {
	value: 'joinItems',
	name: 'Join Items',
	action: 'Join items into one audio file',
	description: 'Turn the texts and audio files of all items into one audio file with chapters and subtitles',
	isTool: false,
	fields: joinItemsFields,
	async runAll(calls) {
		const [first] = calls;
		const settings = await readEpisode(first);
		const stories = await Promise.all(calls.map(readStory));
		await requireOneFormat(stories, settings);
		const stops = settings.ifFails === 'stop';
		if (stops && stories.some(({ failure }) => failure)) {
			return notJoined(stories.map((story) => ({ story, parts: [], failure: story.failure })));
		}
		const recordings = await recordStories(stories, stops);
		if (first.signal?.aborted) return notJoined(recordings);
		try {
			const episode = await joinRecordings(recordings, settings);
			if (!episode) return notJoined(recordings);
			const result = await storeEpisode(first, episode, recordings, settings);
			const joined = recordings.filter(({ failure }) => failure === undefined);
			const from = joined.map(({ story }) => story.call.itemIndex);
			return [{ from, result }, ...failuresBeside(first, recordings)];
		} catch (error) {
			recordings[0].failure = toFailure(error);
			return notJoined(recordings);
		}
	},
};

/** @throws GatewayFailure (kind `input`) for texts that would be spoken, and paid for, in another format than that of the files */
async function requireOneFormat(stories: Story[], { intro, outro }: EpisodePlan): Promise<void> {
	const spoken = stories.find((story) => story.settings)?.settings?.format;
	if (spoken === undefined) return;
	for (const file of [...stories.map((story) => story.file), intro, outro]) {
		const format = file && (await formatOfFile(file));
		if (format === undefined || format === spoken) continue;
		throw inputFailure(
			FORMAT,
			`is “${spoken}”, but an audio file of the input has the format “${format}”`,
			'Choose the format of the files, or convert them. Nothing was sent.',
		);
	}
}

/** Items that failed and do not stop the others. They are failures only if the node continues on failure. */
function failuresBeside(call: Call, recordings: Recording[]): LinkedResult[] {
	const missing = recordings.flatMap((recording) =>
		recording.failure ? [{ recording, failure: recording.failure }] : [],
	);
	if (call.context.continueOnFail())
		return missing.map(({ recording, failure }) => failed(recording, failure));
	for (const { recording, failure } of missing) {
		showHint(call, `Item ${recording.story.call.itemIndex} is missing: ${failure.message}`);
	}
	return [];
}
