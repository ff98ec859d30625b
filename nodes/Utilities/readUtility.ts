import type { IDataObject } from 'n8n-workflow';
import { statusFailure, webPageFailure } from '../shared/gateway/advice';
import { checkAnswer } from '../shared/gateway/checkAnswer';
import { asRecord, looksLikeWebPage, requestIdOf } from '../shared/gateway/errorBody';
import { mediaTypeOf, readJson, readText, type Answer } from '../shared/gateway/readers';
import { utilityEnvelopeSchema } from '../shared/schemas/utilities';

/** How JSON answers become items. */
export interface UtilityOutput {
	/** The payload only, instead of the whole envelope. */
	simplify: boolean;
	splitOutLists: boolean;
}

/**
 * Reads an answer that is no file. JSON is taken out of its envelope, anything else becomes `{ text }`.
 * JSON is recognised whatever encoding was asked for, because failures always come as JSON.
 *
 * @param wanted the encoding that was asked for; undefined for an endpoint without encodings
 * @throws GatewayFailure for a failing `code` inside status 200 (interface, 4.13)
 */
export async function readUtility(
	answer: Answer,
	wanted: string | undefined,
	output: UtilityOutput,
): Promise<IDataObject[]> {
	if (answer.status === 204) return [{ text: '', empty: true }];
	if (mediaTypeOf(answer).endsWith('json')) {
		const body = await readJson(answer);
		throwIfFailingCode(body, answer);
		return toItems(checkAnswer(utilityEnvelopeSchema, body), output);
	}
	const text = await readText(answer);
	if (wanted !== 'html' && looksLikeWebPage(text)) {
		throw webPageFailure(answer.host, { status: answer.status, requestId: requestIdOf(answer.headers) });
	}
	return [{ text }];
}

function throwIfFailingCode(body: unknown, { headers }: Answer): void {
	const record = asRecord(body);
	if (typeof record?.code !== 'number' || (record.code >= 200 && record.code < 300)) return;
	const gatewayMessage = typeof record.message === 'string' ? record.message : undefined;
	throw statusFailure({
		status: record.code,
		code: String(record.code),
		gatewayMessage,
		requestId: requestIdOf(headers),
	});
}

/**
 * The items of a JSON answer.
 *
 * @param envelope `{ code, message, data }`
 */
export function toItems(
	envelope: { data?: unknown },
	{ simplify, splitOutLists }: UtilityOutput,
): IDataObject[] {
	if (!simplify) return [envelope as IDataObject];
	const { data } = envelope;
	const entries = splitOutLists ? listIn(data) : undefined;
	return (entries ?? [data]).map(toObject);
}

/** The list that an answer is about: the payload itself, or its longest list. */
function listIn(data: unknown): unknown[] | undefined {
	if (Array.isArray(data)) return data as unknown[];
	const lists = Object.values(asRecord(data) ?? {}).filter((value) => Array.isArray(value)) as unknown[][];
	return lists.sort((one, other) => other.length - one.length)[0];
}

function toObject(value: unknown): IDataObject {
	return (asRecord(value) as IDataObject | undefined) ?? ({ value } as IDataObject);
}
