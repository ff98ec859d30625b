import { statusFailure, unknownTaskFailure } from '../../shared/errors/errorMessages';
import { checkAnswer } from '../../shared/http/checkAnswer';
import type { GatewayClient, RequestOptions } from '../../shared/gateway/client';
import { endpoints, musicTaskEndpoint } from '../../shared/gateway/endpoints';
import { readErrorBody } from '../../shared/errors/errorBody';
import { asRecord } from '../../shared/values';
import { type GatewayFailure, toFailure } from '../../shared/errors/gatewayFailure';
import { musicTaskSchema, type MusicTask } from './musicTask';

/** How the state of a task is asked for. */
export interface TaskQuery extends RequestOptions {
	/** Name of the query parameter for the id on the alternative path; undefined for the main path. */
	parameter?: string;
	/** Stops this request alone. */
	signal?: AbortSignal;
}

/**
 * Asks for the state of a task (interface, 4.9).
 *
 * @throws GatewayFailure with the task id
 */
export async function queryTask(
	client: GatewayClient,
	taskId: string,
	{ parameter, ...options }: TaskQuery,
): Promise<MusicTask> {
	try {
		const body = await client.json({
			...options,
			...(parameter === undefined
				? { endpoint: musicTaskEndpoint(taskId) }
				: { endpoint: endpoints.musicQuery, query: { [parameter]: taskId } }),
		});
		refuseFailingEnvelope(body);
		return checkAnswer(musicTaskSchema, body);
	} catch (error) {
		throw withTask(toFailure(error), taskId);
	}
}

/**
 * Some gateways report a failure with status 200 and a code in the envelope.
 *
 * @throws GatewayFailure for an envelope that says something else than success and holds nothing
 */
export function refuseFailingEnvelope(body: unknown): void {
	const envelope = asRecord(body);
	if (!envelope || (envelope.data !== null && envelope.data !== undefined && envelope.data !== '')) return;
	const { code, gatewayMessage } = readErrorBody(body);
	if (code === undefined || /^(success|200|0)$/i.test(code)) return;
	throw refusal(200, { code, gatewayMessage });
}

function refusal(
	status: number,
	facts: { code: string; gatewayMessage: string | undefined },
): GatewayFailure {
	return statusFailure({ status, ...facts });
}

function withTask(failure: GatewayFailure, taskId: string): GatewayFailure {
	const { status, code } = failure.facts;
	const unknown = status === 404 || code === 'task_not_exist';
	return unknown ? unknownTaskFailure({ ...failure.facts, taskId }) : failure.with({ taskId });
}
