import type { IBinaryData } from 'n8n-workflow';
import { GatewayFailure } from '../../shared/failure/failure';
import { EPISODE_FIELD } from './fields';
import type { LinkedResult, OperationFailure } from '../../shared/run/operation';
import type { Story } from './story';

/** The stories when nothing was joined: each of them is a failure, with what has been spoken. */
export function notJoined(stories: Story[]): LinkedResult[] {
	const isCulprit = ({ failure }: Story) => failure !== undefined && failure.kind !== 'cancelled';
	const culprit = stories.find(isCulprit);
	return stories.map((story) => {
		const own = isCulprit(story) || !culprit ? story.failure : undefined;
		return failed(story, own ?? notJoinedFailure(culprit, story));
	});
}

/** A story that has failed, with what has been spoken of it. */
export function failed(story: Story, failure: GatewayFailure): LinkedResult {
	return { from: story.call.itemIndex, ...withParts(story, failure) };
}

/** A failure with the parts that have been spoken, so that nothing that was paid for is lost. */
export function withParts(story: Story, failure: GatewayFailure): OperationFailure {
	const finishedParts = story.parts.map(({ number }) => number);
	const missingParts = story.texts
		.map((_, index) => index + 1)
		.filter((part) => !finishedParts.includes(part));
	const finished = finishedParts.length > 0 ? { finishedParts, missingParts } : {};
	return {
		failure: failure.with({ partial: { ...failure.facts.partial, ...finished } }),
		files: filesOf(story, story.call.options.textOrDefault(EPISODE_FIELD)),
	};
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

/** The files of the parts that have been spoken; a story that is one part has no number after the prefix. */
export function filesOf({ parts, texts }: Story, prefix: string): Record<string, IBinaryData> {
	return Object.fromEntries(
		parts.flatMap(({ audio, number }) =>
			audio ? [[texts.length === 1 ? prefix : `${prefix}_${number}`, audio.file]] : [],
		),
	);
}
