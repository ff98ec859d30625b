import { z } from 'zod';
import { statusFailure } from '../shared/errors/errorMessages';
import { asRecord } from '../shared/values';
import type { GatewayFailure } from '../shared/errors/gatewayFailure';

/**
 * The uniform JSON envelope of the utility endpoints (interface, 4.13, rule 2). The interface does not show its field
 * names; these are what comparable services send. A number in `code` tells success from failure.
 */
const envelopeSchema = z.union([
	z.object({ data: z.unknown().refine((data) => data !== undefined) }).passthrough(),
	z.object({ code: z.number(), message: z.string() }).passthrough(),
]);

/** A JSON response and its payload. */
export interface JsonContent {
	/** The whole response. */
	body: unknown;
	/** The envelope's `data`, or the whole response when there is no envelope. */
	data: unknown;
	enveloped: boolean;
}

/** The payload of a response without its envelope (interface, 4.13, rule 2). */
export function openEnvelope(body: unknown): JsonContent {
	const enveloped = envelopeSchema.safeParse(body).success;
	return { body, data: enveloped ? asRecord(body)?.data : body, enveloped };
}

/**
 * The failure that a response reports despite its HTTP status 200: a `code` that is not a success, or `success: false`.
 *
 * @param requestId the gateway's ID of the request
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
	// The message may be the one for a success while the data says what went wrong (observed for weather).
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

/** Services that do not use HTTP codes in the envelope return 0 for success. */
function isSuccess(code: number): boolean {
	return code === 0 || (code >= 200 && code < 300);
}

function numberOf(value: unknown): number | undefined {
	if (typeof value === 'number') return value;
	return typeof value === 'string' && /^-?\d{1,6}$/.test(value) ? Number(value) : undefined;
}
