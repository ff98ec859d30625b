import { statusFailure } from '../shared/errors/errorMessages';
import { asRecord } from '../shared/values';
import type { GatewayFailure } from '../shared/errors/gatewayFailure';
import { utilityEnvelopeSchema } from './utilitySchemas';

/** A JSON answer and what it is about. */
export interface JsonContent {
	/** The whole answer. */
	body: unknown;
	/** The envelope's `data`, or the whole answer when there is no envelope. */
	data: unknown;
	enveloped: boolean;
}

/** Takes the payload out of its envelope (interface, 4.13, rule 2). */
export function openEnvelope(body: unknown): JsonContent {
	const enveloped = utilityEnvelopeSchema.safeParse(body).success;
	return { body, data: enveloped ? asRecord(body)?.data : body, enveloped };
}

/**
 * The failure that an answer reports in spite of its HTTP status 200: a `code` that is no success, or
 * `success: false`.
 *
 * @param requestId under which the gateway knows the request
 */
export function failureInEnvelope(
	{ body, data, enveloped }: JsonContent,
	requestId: string | undefined,
): GatewayFailure | undefined {
	const envelope = enveloped ? asRecord(body) : undefined;
	if (!envelope) return undefined;
	const code = numberOf(envelope.code);
	const failing = (code !== undefined && !isSuccess(code)) || envelope.success === false;
	if (!failing) return undefined;
	// The message may be that of a success; what went wrong then stands in the data (observed for weather).
	const gatewayMessage = [asRecord(data)?.error, envelope.message, envelope.msg].find(
		(text) => typeof text === 'string' && text !== '',
	) as string | undefined;
	const status = code !== undefined && code >= 400 && code < 600 ? code : 200;
	return statusFailure({
		status,
		code: code === undefined ? undefined : String(code),
		gatewayMessage,
		requestId,
	});
}

/** Services without HTTP codes in the envelope call success 0. */
function isSuccess(code: number): boolean {
	return code === 0 || (code >= 200 && code < 300);
}

function numberOf(value: unknown): number | undefined {
	if (typeof value === 'number') return value;
	return typeof value === 'string' && /^-?\d{1,6}$/.test(value) ? Number(value) : undefined;
}
