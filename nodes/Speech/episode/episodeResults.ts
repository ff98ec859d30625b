import type { IBinaryData, IDataObject } from 'n8n-workflow';
import { GatewayFailure } from '../../shared/errors/gatewayFailure';
import { OUTPUT_FILE } from '../../shared/fields/options';
import type { LinkedResult } from '../../shared/runtime/operation';
import { roundedSeconds } from '../audio/joiner';
import type { Episode } from './joinRecordings';
import type { Recording } from './recordStories';

/** The stories when nothing was joined: each of them is a failure, with what has been spoken. */
export function notJoined(recordings: Recording[]): LinkedResult[] {
	const index = recordings.findIndex(({ failure }) => failure !== undefined && failure.kind !== 'cancelled');
	const culprit = recordings[index]?.story.call.itemIndex;
	return recordings.map((recording) => {
		const { story, parts } = recording;
		const spoken = { finishedParts: parts.map(({ number }) => number), parts: story.texts.length };
		const failure = recording.failure ?? notJoinedFailure(culprit);
		const partial = { ...failure.facts.partial, ...(parts.length > 0 ? spoken : {}) };
		return { from: story.call.itemIndex, failure: failure.with({ partial }), files: filesOf(recording) };
	});
}

function notJoinedFailure(culprit: number | undefined): GatewayFailure {
	const reason = culprit === undefined ? 'The execution was stopped' : `Item ${culprit} failed`;
	return new GatewayFailure(
		'cancelled',
		`${reason}, so the items were not joined`,
		'The audio of this item is attached. A retry takes it over. To join the other items without the failed one, change If an Item Fails.',
	);
}

/** The files of the parts that have been spoken. */
function filesOf({ story, parts }: Recording): Record<string, IBinaryData> {
	const field = story.call.text(OUTPUT_FILE).trim() || OUTPUT_FILE.default;
	const isWhole = parts.length === 1 && story.texts.length === 1;
	return Object.fromEntries(
		parts.flatMap(({ file, number }) => (file ? [[isWhole ? field : `${field}_${number}`, file]] : [])),
	);
}

/** What the episode consists of, for its item. */
export function contentsOf({ stories, joiner }: Episode, recordings: Recording[]): IDataObject {
	const failed = recordings.filter(({ failure }) => failure !== undefined);
	return {
		durationSeconds: roundedSeconds(joiner.seconds),
		items: stories.length,
		stories: stories.map(({ recording: { story, failure }, startSeconds, endSeconds }) => ({
			item: story.call.itemIndex,
			title: story.title === '' ? undefined : story.title,
			startSeconds: roundedSeconds(startSeconds),
			endSeconds: roundedSeconds(endSeconds),
			failed: failure === undefined ? undefined : true,
		})),
		failedItems: failed.length === 0 ? undefined : failed.map(failedItem),
	};
}

function failedItem({ story, failure }: Recording): IDataObject {
	return { item: story.call.itemIndex, error: failure?.message };
}
