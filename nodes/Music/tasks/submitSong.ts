import { answerFailure } from '../../shared/errors/errorMessages';
import type { Endpoint } from '../../shared/gateway/endpoints';
import { throwIfErrorObject, type Answer } from '../../shared/http/answerReaders';
import { requestIdOf } from '../../shared/http/headers';
import type { Call } from '../../shared/runtime/call';
import type { Paid } from '../../shared/runtime/payments';
import { parseJson } from '../../shared/values';
import { submittedTaskSchema, type SubmittedTask } from './musicTask';
import { throwIfFailingEnvelope } from './queryTask';

/** Maximum number of characters of an unreadable response that its failure keeps. */
const MAX_KEPT_LENGTH = 2000;
/** Maximum number of characters of a response that are read. */
const MAX_RESPONSE_LENGTH = 1_000_000;

/**
 * Submits a song (interface, 4.8), unless an earlier try of the run has done so.
 *
 * @throws GatewayFailure; it contains the response when that has no readable task ID
 */
export async function submitSong(
	call: Call,
	{ endpoint, body }: { endpoint: Endpoint; body: object },
): Promise<Paid<SubmittedTask>> {
	return await call.pay({ ...call.requestOptions, endpoint, json: body }, readSubmittedTask);
}

async function readSubmittedTask(answer: Answer): Promise<SubmittedTask> {
	const received = { text: '' };
	const reading = receive(answer, received);
	// A response that was cut off may still contain the task ID.
	await reading.catch(() => {});
	const { text } = received;
	const body = parseJson(text)?.value;
	const submitted = submittedTaskSchema.safeParse(body);
	if (submitted.success) return submitted.data;

	const taskId = body === undefined ? taskIdIn(text) : undefined;
	if (taskId !== undefined) return { taskId, status: 'PENDING' };
	await reading;
	throwIfErrorObject(body, answer);
	throwIfFailingEnvelope(body);
	throw answerFailure('it has no task ID', {
		status: answer.status,
		requestId: requestIdOf(answer.headers),
		mayHaveBeenCarriedOut: true,
		partial: { answer: text.slice(0, MAX_KEPT_LENGTH) },
	});
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
