import { deniesSuccess } from '../../shared/errors/errorInside';
import { answerFailure, DENIED } from '../../shared/errors/errorMessages';
import { sentenceIn, throwIfError, type Answer } from '../../shared/answer/answerReaders';
import { readJsonText } from '../../shared/plain/json';
import { requestIdOf } from '../../shared/answer/headers';
import { unusable } from '../../shared/answer/unusable';
import { readSubmitted, type SubmittedTask } from './musicTask';

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
