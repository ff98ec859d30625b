import { cancelledFailure } from '../../shared/errors/errorMessages';
import { type GatewayFailure, toFailure } from '../../shared/errors/gatewayFailure';
import {
	awaitTasks,
	logTasksLeft,
	readWaitSettings,
	type AwaitedItem,
	type WaitSettings,
} from '../tasks/awaitTasks';
import type { Call } from '../../shared/runtime/call';
import type { BatchOperation, LinkedResult } from '../../shared/runtime/operation';
import { runPool } from '../../shared/runtime/pool';
import type { SubmittedTask } from '../tasks/musicTask';
import { readSong, submitSong } from '../submit';
import { generateFields } from './generate.fields';

/** A gateway that has just taken a task may need a moment until it finds it. */
const REFUSALS_TOLERATED = 2;

type Submission =
	{ submitted: SubmittedTask; settings: WaitSettings | undefined } | { failure: GatewayFailure };

/** Submits the songs of all items and waits for them together (interface, 4.8 and 4.9). */
export const generate: BatchOperation = {
	value: 'generate',
	name: 'Generate',
	action: 'Generate music',
	description: 'Have songs made from a description or from lyrics',
	fields: generateFields,
	async runAll(calls) {
		const submissions = await submitAll(calls);
		const awaited = calls.flatMap((call): AwaitedItem[] => {
			const submission = submissions.get(call);
			if (!submission || 'failure' in submission || !submission.settings) return [];
			return [{ call, taskId: submission.submitted.taskId, settings: submission.settings }];
		});
		const results =
			awaited.length > 0
				? await awaitTasks(awaited, { lookAtOnce: false, refusalsTolerated: REFUSALS_TOLERATED })
				: new Map<AwaitedItem, LinkedResult[]>();
		logTasksLeft(calls[0], idsOf(submissions));
		const resultsOfCall = new Map([...results].map(([{ call }, linked]) => [call, linked]));
		return calls.flatMap((call) => resultsOfCall.get(call) ?? atOnce(call, submissions.get(call)));
	},
};

/**
 * Submits, at most Max Concurrency songs at a time. After a failure no further song is submitted unless the node
 * continues; the songs that were are waited for, because they are paid for.
 */
async function submitAll(calls: Call[]): Promise<Map<Call, Submission>> {
	const [{ context, maxConcurrency, signal }] = calls;
	const submissions = new Map<Call, Submission>();
	let stopped = false;
	await runPool(
		calls.length,
		maxConcurrency,
		async (index) => {
			const call = calls[index];
			const submission = await submit(call);
			submissions.set(call, submission);
			stopped ||= 'failure' in submission && !context.continueOnFail();
		},
		() => !stopped && !signal?.aborted,
	);
	return submissions;
}

async function submit(call: Call): Promise<Submission> {
	try {
		// Everything is read before anything is paid for.
		const body = { ...readSong(call), ...call.extraBodyFields };
		const settings = call.flag('waitForCompletion') ? readWaitSettings(call) : undefined;
		return { submitted: await submitSong(call, body), settings };
	} catch (error) {
		return { failure: toFailure(error) };
	}
}

/** What an item gives whose task is not waited for. */
function atOnce({ itemIndex, signal }: Call, submission: Submission | undefined): LinkedResult[] {
	const from = itemIndex;
	if (!submission) return signal?.aborted ? [{ from, failure: cancelledFailure({ attempts: 0 }) }] : [];
	if ('failure' in submission) return [{ from, failure: submission.failure }];
	const { taskId, status } = submission.submitted;
	return [{ from, result: { json: { taskId, status } } }];
}

function idsOf(submissions: Map<Call, Submission>): string[] {
	return [...submissions.values()].flatMap((submission) =>
		'submitted' in submission ? [submission.submitted.taskId] : [],
	);
}
