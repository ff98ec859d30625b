import type { IBinaryData, IDataObject } from 'n8n-workflow';
import { GatewayFailure } from '../../shared/errors/gatewayFailure';
import { OUTPUT_FILE } from '../../shared/fields/options';
import type { LinkedResult, OperationFailure } from '../../shared/run/operation';
import { roundedSeconds } from '../audio/joiner';
import type { PlacedStory } from './joinRecordings';
import type { Recording } from './recordStories';

/** The stories when nothing was joined: each of them is a failure, with what has been spoken. */
export function notJoined(recordings: Recording[]): LinkedResult[] {
	const culprit = recordings.find(({ failure }) => failure !== undefined && failure.kind !== 'cancelled');
	return recordings.map((recording) => {
		const isCulprit = recording.failure !== undefined && recording.failure.kind !== 'cancelled';
		const own = isCulprit || !culprit ? recording.failure : undefined;
		return failed(recording, own ?? notJoinedFailure(culprit, recording));
	});
}

/** A story that has failed, with what has been spoken of it. */
export function failed(recording: Recording, failure: GatewayFailure): LinkedResult {
	return { from: recording.story.call.itemIndex, ...withParts(recording, failure) };
}

/** A failure with the parts that have been spoken, so that nothing that was paid for is lost. */
export function withParts(recording: Recording, failure: GatewayFailure): OperationFailure {
	const { story, parts } = recording;
	const finishedParts = parts.map(({ number }) => number);
	const missingParts = story.texts
		.map((_, index) => index + 1)
		.filter((part) => !finishedParts.includes(part));
	const partial = { ...failure.facts.partial, ...(parts.length > 0 ? { finishedParts, missingParts } : {}) };
	return { failure: failure.with({ partial }), files: filesOf(recording) };
}

function notJoinedFailure(culprit: Recording | undefined, { parts }: Recording): GatewayFailure {
	const reason = culprit ? `Item ${culprit.story.call.itemIndex} failed` : 'The execution was stopped';
	const spoken = parts.some(({ audio }) => audio)
		? 'What has been spoken of this item is attached, and a retry takes it over.'
		: 'Nothing of this item has been spoken.';
	return new GatewayFailure(
		'cancelled',
		`${reason}, so the items were not joined`,
		`${spoken} To join the other items without one that fails, change If an Item Fails.`,
	);
}

/**
 * The files of the parts that have been spoken, by the names of their output fields.
 *
 * @param prefix before the number of a part; a story that is one part has no number
 */
export function filesOf(
	{ story, parts }: Recording,
	prefix = story.call.text(OUTPUT_FILE).trim() || OUTPUT_FILE.default,
): Record<string, IBinaryData> {
	const isWhole = parts.length === 1 && story.texts.length === 1;
	return Object.fromEntries(
		parts.flatMap(({ audio, number }) =>
			audio ? [[isWhole ? prefix : `${prefix}_${number}`, audio.file]] : [],
		),
	);
}

/** Where a story is in the episode, for its item. */
export function placeOf({
	recording: { story, failure },
	startSeconds,
	endSeconds,
}: PlacedStory): IDataObject {
	return {
		item: story.call.itemIndex,
		title: story.title === '' ? undefined : story.title,
		startSeconds: roundedSeconds(startSeconds),
		endSeconds: roundedSeconds(endSeconds),
		failed: failure === undefined ? undefined : true,
	};
}

/** Which item is missing, why, and what it has that was paid for. */
export function failedItem({ story, failure }: Recording): IDataObject {
	return { item: story.call.itemIndex, ...failure?.toErrorItem() };
}
