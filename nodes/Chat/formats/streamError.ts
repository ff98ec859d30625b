import { readErrorBody } from '../../shared/errors/errorBody';
import { answerFailure, statusFailure } from '../../shared/errors/errorMessages';
import type { FailureFacts, GatewayFailure } from '../../shared/errors/gatewayFailure';
import { KEPT_ANSWER_LENGTH } from '../../shared/http/budgets';
import { asRecord, shortened, toText } from '../../shared/values';
import { type Fields, isProgress } from './assembler';

/** The statuses of errors (interface, section 7), and of those that comparable services name, by their code and type. */
const STATUSES: Array<[RegExp, number]> = [
	[/rate_limit/, 429],
	[/overloaded/, 529],
	[/timeout/, 504],
	[/(server|api|internal)_error/, 500],
	[/api_key|authentication/, 401],
	[/billing|quota/, 402],
	[/permission/, 403],
	[/not_found/, 404],
	[/too_large/, 413],
	[/invalid_request/, 400],
];

/**
 * The failure that an event of a stream stands for, or undefined for none. It keeps an event that also continues the
 * answer.
 *
 * @param data the JSON object of the event, or its text
 * @param name its `event:` field
 */
export function errorIn(data: Fields | string, name?: string): GatewayFailure | undefined {
	const body = asRecord(data);
	if (name !== 'error' && !saysError(body?.error)) return undefined;
	const facts: FailureFacts = { ...readErrorBody(data), mayHaveBeenCarriedOut: true };
	if (body && isProgress(body)) facts.partial = { event: toText(shortened(body, KEPT_ANSWER_LENGTH)) };
	const status = statusOf(facts);
	return status === undefined
		? answerFailure('the gateway ended it with an error message', facts)
		: statusFailure({ status, ...facts });
}

/** Some gateways send the field with every event. */
function saysError(error: unknown): boolean {
	return !['', '{}', '[]', 'false', '0'].includes(toText(error).trim());
}

function statusOf({ code = '', type = '' }: FailureFacts): number | undefined {
	if (/^[45]\d\d$/.test(code)) return Number(code);
	return STATUSES.find(([pattern]) => pattern.test(`${code} ${type}`))?.[1];
}
