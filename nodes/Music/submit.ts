import { answerFailure } from '../shared/errors/errorMessages';
import { endpoints } from '../shared/gateway/endpoints';
import { requestIdOf } from '../shared/http/headers';
import { throwIfErrorObject, type Answer } from '../shared/http/answerReaders';
import { parseJson } from '../shared/values';
import { refuseFailingEnvelope } from './tasks/queryTask';
import type { Call } from '../shared/runtime/call';
import { submittedTaskSchema, type SubmittedTask } from './tasks/musicTask';

/** Longest part of an unreadable answer that is kept. */
const MAX_KEPT_LENGTH = 2000;
const MAX_ANSWER_LENGTH = 1_000_000;

/** The request of interface 4.8. */
export interface SongRequest {
	prompt: string;
	model: string;
	custom_mode: boolean;
	style?: string;
	title?: string;
	instrumental: boolean;
	vocal_gender?: string;
}

/**
 * Reads the song that an item asks for. Style and title belong to the custom mode, the vocal gender to songs that
 * are sung.
 *
 * @throws GatewayFailure (kind `input`) for what is missing
 */
export function readSong(call: Call): SongRequest {
	const custom = call.flag('customMode');
	const instrumental = call.flag('instrumental');
	const vocalGender = instrumental ? '' : call.text('vocalGender');
	return {
		prompt: custom ? call.requiredText('lyrics', 'Lyrics') : call.requiredText('prompt', 'Prompt'),
		model: call.picked('model', 'Model'),
		custom_mode: custom,
		...(custom
			? { style: call.requiredText('style', 'Style'), title: call.requiredText('title', 'Title') }
			: {}),
		instrumental,
		...(vocalGender === 'm' || vocalGender === 'f' ? { vocal_gender: vocalGender } : {}),
	};
}

/**
 * Submits a song. It is never sent again once it may have arrived.
 *
 * @param body the song with the extra fields of the item
 * @throws GatewayFailure; what the gateway answered is kept in it when no task id can be read
 */
export async function submitSong(call: Call, body: object): Promise<SubmittedTask> {
	const endpoint =
		call.options.submitPath === 'generate' ? endpoints.musicSubmitAlternative : endpoints.musicSubmit;
	return await call.client.send({ ...call.requestOptions, endpoint, json: body }, readSubmitted);
}

async function readSubmitted(answer: Answer): Promise<SubmittedTask> {
	const { text, broken } = await arrived(answer);
	const body = parseJson(text)?.value;
	const submitted = submittedTaskSchema.safeParse(body);
	if (submitted.success) return submitted.data;

	const taskId = body === undefined ? idIn(text) : undefined;
	if (taskId !== undefined) return { taskId, status: 'PENDING' };
	if (broken !== undefined) throw asItIs(broken);
	throwIfErrorObject(body, answer);
	refuseFailingEnvelope(body);
	throw answerFailure('it holds no task id', {
		status: answer.status,
		requestId: requestIdOf(answer.headers),
		mayHaveBeenCarriedOut: true,
		partial: { answer: text.slice(0, MAX_KEPT_LENGTH) },
	});
}

/** What arrived of an answer, even if it broke off: the task id may be in it. */
async function arrived({ body, redact }: Answer): Promise<{ text: string; broken?: unknown }> {
	const decoder = new TextDecoder();
	let text = '';
	try {
		for await (const chunk of body) {
			text += typeof chunk === 'string' ? chunk : decoder.decode(chunk as Buffer, { stream: true });
			if (text.length > MAX_ANSWER_LENGTH) break;
		}
		return { text: redact(text) };
	} catch (broken) {
		return { text: redact(text), broken };
	}
}

/** The task id in an answer that is cut off. */
function idIn(text: string): string | undefined {
	return /"(?:task_id|taskId)"\s{0,9}:\s{0,9}"([\w.:-]{1,200})"/.exec(text)?.[1];
}

function asItIs(thrown: unknown): unknown {
	return thrown;
}
