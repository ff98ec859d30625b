import { cancelledFailure, answerFailure, DENIED } from '../../shared/errors/errorMessages';
import { toFailure } from '../../shared/errors/gatewayFailure';
import type { Call } from '../../shared/run/call';
import type { BatchOperation } from '../../shared/run/operation';
import { runPool } from '../../shared/run/pool';
import { toItem } from '../../shared/run/rawAnswer';
import { finishTasks, type TaskItem } from '../tasks/finishTasks';
import { generateFields, readSong } from './generate.fields';
import { deniesSuccess } from '../../shared/errors/errorInside';
import { sentenceIn, throwIfError, type Answer, unusable } from '../../shared/answer/answerReaders';
import { readJsonText } from '../../shared/plain/json';
import { requestIdOf } from '../../shared/answer/headers';
import { readSubmitted, type SubmittedTask } from '../tasks/musicTask';

/** A gateway may need a moment until it finds a task that was just submitted. */
const TOLERATED_REFUSALS = 2;

/** An item whose song was submitted, or could not be. */
interface Submission extends TaskItem {
	/** Whether an earlier try of the run submitted it. */
	isReused?: boolean;
}

/**
 * Submits the songs of all items and waits for them together (interface, 4.8 and 4.9). After a failure no further song
 * is submitted unless the node continues; the node waits for the songs that were, because they are paid for.
 */
export const generate: BatchOperation = {
	value: 'generate',
	name: 'Generate Music',
	action: 'Generate music',
	description: 'Generate songs from a description or from lyrics',
	fields: generateFields,
	async runAll(calls) {
		const [{ pool }] = calls;
		const { stopsAt } = pool;
		const submissions = await runPool(calls, submit, {
			...pool,
			stopsAt: stopsAt && (({ results }) => stopsAt(results)),
		});
		const items = calls.map((call, index) => submissions[index] ?? notSubmitted(call));
		return await finishTasks(items, {
			pollsImmediately: submissions.some((submission) => submission?.isReused),
			toleratedRefusals: TOLERATED_REFUSALS,
		});
	},
};

async function submit(call: Call): Promise<Submission> {
	try {
		// All parameters are read before anything is paid for.
		const { endpoint, body, simplify, wait } = readSong(call);
		const request = { ...call.requestOptions, endpoint, json: body };
		const { value, isReused, forget } = await call.pay(request, readSubmittedTask);
		const { taskId, status, answer } = value;
		const isRaw = !simplify && answer !== undefined;
		const json = isRaw ? { ...toItem(answer), taskId } : { taskId, status };
		return { call, results: [{ json }], taskId, wait, isReused, onFailed: forget };
	} catch (error) {
		return { call, results: [{ failure: toFailure(error) }] };
	}
}

/** An item that did not start: it has failed if the execution was stopped. */
function notSubmitted(call: Call): Submission {
	return { call, results: call.signal?.aborted ? [{ failure: cancelledFailure({ attempts: 0 }) }] : [] };
}

/** Maximum number of characters of an unreadable response that its failure keeps. */
const MAX_KEPT_LENGTH = 2000;
/** Maximum number of characters of a response that are read. */
const MAX_RESPONSE_LENGTH = 1_000_000;

/**
 * Reads the response to a submit (interface, 4.8), also one that was cut off after the ID.
 *
 * @throws GatewayFailure; it contains the response when that has no readable task ID
 */
export async function readSubmittedTask(answer: Answer): Promise<SubmittedTask> {
	const received = { text: '' };
	const reading = receive(answer, received);
	// A response that was cut off may still contain the task ID.
	await reading.catch(() => {});
	const { text } = received;
	const parsed = await readJsonText(text);
	const body = 'value' in parsed ? parsed.value : undefined;
	const submitted = readSubmitted(body);
	const { status, headers } = answer;
	const facts = { status, requestId: requestIdOf(headers), mayHaveBeenCarriedOut: true };
	if (deniesSuccess(body)) {
		throwIfError(body, answer);
		throw unusable(answerFailure(DENIED, { ...facts, taskId: submitted?.taskId }), body);
	}
	if (submitted) return { ...submitted, answer: body };
	const taskId = body === undefined ? taskIdIn(text) : undefined;
	if (taskId !== undefined) return { taskId, status: 'PENDING' };
	await reading;
	throwIfError(body, answer);
	const partial = { answer: text.slice(0, MAX_KEPT_LENGTH) };
	throw answerFailure('it has no task ID', { ...facts, ...sentenceIn(body ?? text), partial });
}

/** Reads the body into `received`, which keeps what arrived when this rejects. */
async function receive({ body }: Answer, received: { text: string }): Promise<void> {
	const decoder = new TextDecoder();
	for await (const chunk of body) {
		received.text += typeof chunk === 'string' ? chunk : decoder.decode(chunk as Buffer, { stream: true });
		if (received.text.length > MAX_RESPONSE_LENGTH) break;
	}
}

/** The task ID in JSON that was cut off. */
function taskIdIn(text: string): string | undefined {
	return /"(?:task_id|taskId)"\s{0,9}:\s{0,9}"([\w.:-]{1,200})"/.exec(text)?.[1];
}
