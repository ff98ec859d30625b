import { inputFailure } from '../../shared/failure/words';
import { GatewayFailure, toFailure } from '../../shared/failure/failure';
import type { Call } from '../../shared/run/call';
import { showHint } from '../../shared/run/exits';
import type { BatchOperation, LinkedResult } from '../../shared/run/operation';
import { canBeJoined, FORMAT_NAMES, formatOfFile } from '../../audio/formats';
import { joinItemsFields, readEpisode, readStory } from '../episode/episodeSettings';
import { storeEpisode } from '../episode/storeEpisode';
import { joinStories, recordStories, type Story, withParts } from '../episode/story';
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
		const stories = await Promise.all(calls.map((call) => readStory(call, settings.format)));
		await requireOneFormat(stories);
		const failedBeside = () => stories.filter(({ failure }) => failure !== undefined);
		if (settings.stops && failedBeside().length > 0) return notJoined(stories);
		await recordStories(stories, settings.stops);
		if (first.signal?.aborted) return notJoined(stories);
		try {
			const joiner = await joinStories(stories, settings.pauseSeconds);
			const count = failedBeside().length;
			if (count === stories.length || (settings.stops && count > 0)) return notJoined(stories);
			const result = await storeEpisode(first, joiner, stories, settings);
			const joined = stories.filter(({ failure }) => failure === undefined);
			return [
				{ from: joined.map(({ call }) => call.itemIndex), ...result },
				...failuresBeside(first, stories),
			];
		} catch (error) {
			stories[0].failure = toFailure(error);
			return notJoined(stories);
		}
	},
};

/** Checks that all audio can be joined, before texts are paid for. @throws GatewayFailure (kind `input`) if not */
async function requireOneFormat(stories: Story[]): Promise<void> {
	const [spoken, other] = new Set(stories.flatMap(({ settings }) => settings?.format ?? []));
	if (spoken === undefined) return;
	if (!canBeJoined(spoken)) {
		const advice = `Choose ${FORMAT_NAMES}.`;
		throw inputFailure(FORMAT, `is “${spoken}”, which cannot be joined`, advice);
	}
	if (other !== undefined) {
		const advice = 'Choose the same format for all items.';
		throw inputFailure(FORMAT, `is “${spoken}” and “${other}” in different items`, advice);
	}
	for (const { source } of stories.flatMap(({ parts }) => parts)) {
		const format = (await formatOfFile(source))?.value;
		if (format === undefined || format === spoken) continue;
		throw inputFailure(
			FORMAT,
			`is “${spoken}”, but an audio file of the input has the format “${format}”`,
			'Choose the format of the files, or convert them.',
		);
	}
}

/** Returns items that failed without stopping the others. They are failures only if the node continues on failure. */
function failuresBeside(call: Call, stories: Story[]): LinkedResult[] {
	return stories.flatMap((story) => {
		if (!story.failure) return [];
		if (call.context.continueOnFail()) return [failed(story, story.failure)];
		showHint(call, `Row ${story.call.itemIndex + 1} is missing: ${story.failure.message}`);
		return [];
	});
}

/** Returns all stories as failures, with the parts that have been spoken, because nothing was joined. */
function notJoined(stories: Story[]): LinkedResult[] {
	const isCulprit = ({ failure }: Story) => failure !== undefined && failure.kind !== 'cancelled';
	const culprit = stories.find(isCulprit);
	return stories.map((story) => {
		const own = isCulprit(story) || !culprit ? story.failure : undefined;
		return failed(story, own ?? notJoinedFailure(culprit, story));
	});
}

function failed(story: Story, failure: GatewayFailure): LinkedResult {
	return { from: story.call.itemIndex, ...withParts(story, failure) };
}

function notJoinedFailure(culprit: Story | undefined, { parts }: Story): GatewayFailure {
	const reason = culprit ? `Row ${culprit.call.itemIndex + 1} failed` : 'The execution was stopped';
	const spoken = parts.some(({ audio }) => audio)
		? 'What has been spoken of this item is attached, and a retry takes it over.'
		: 'Nothing of this item has been spoken.';
	return new GatewayFailure(
		'cancelled',
		`${reason}, so the items were not joined`,
		`${spoken} To join the other items without one that fails, change If an Item Fails.`,
	);
}
