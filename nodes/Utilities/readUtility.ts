import { looksLikeWebPage, readErrorBody, errorInside, isContent } from '../shared/failure/errorBody';
import { answerFailure } from '../shared/failure/words';
import { reportedFailure } from '../shared/failure/verdict';
import type { FailureFacts } from '../shared/failure/evidence';
import type { GatewayFailure } from '../shared/failure/failure';
import { type Answer, keptAnswer, readText, WEB_PAGE } from '../shared/answer/answerReaders';
import { type ByteStream, peek } from '../shared/answer/byteStream';
import { readJsonText } from '../shared/plain/json';
import { mediaTypeOf, requestIdOf } from '../shared/plain/headers';
import { asRecord, numberOf } from '../shared/plain/values';

export interface JsonContent {
	body: unknown;
	/** The envelope's `data`, or the whole response if there is no envelope. */
	data: unknown;
	enveloped: boolean;
}

/**
 * Reads the payload of a response from its envelope (interface, 4.13, rule 2). The names of the fields are those of
 * comparable services. A number in `code` tells success from failure.
 */
export function openEnvelope(body: unknown): JsonContent {
	const { data, code, message } = asRecord(body) ?? {};
	const hasStatus = typeof code === 'number' && typeof message === 'string';
	const enveloped = data !== undefined || hasStatus;
	return { body, data: enveloped ? data : body, enveloped };
}

/** Returns the failure in a response with status 200: a failing `code`, an error instead of data, or only a message. */
export function failureInUtility(
	content: JsonContent,
	hasList: boolean,
	requestId: string | undefined,
): GatewayFailure | undefined {
	const { body, data = body } = content;
	const wordsAlone = hasList && hasOnlyWords(data) ? readErrorBody(data) : undefined;
	const facts = failureInEnvelope(content) ?? errorAlone(content) ?? wordsAlone;
	if (!facts) return undefined;
	const report = { status: facts.status ?? 200, hasErrorObject: true, isWebPage: false, hasResult: false };
	return reportedFailure(report, { ...facts, requestId });
}

function failureInEnvelope({ body, data, enveloped }: JsonContent): FailureFacts | undefined {
	const code = enveloped ? numberOf(asRecord(body)?.code) : undefined;
	if (code === undefined || code < 400 || code >= 600) return undefined;
	// The message may claim success while the data says what went wrong (observed for weather).
	const { gatewayMessage } = readErrorBody(asRecord(data)?.error ? data : body);
	return { status: code, code: String(code), gatewayMessage };
}

/** Finds an error that is a whole response, or its whole data, which must have a message: data may have any fields. */
function errorAlone({ body, data }: JsonContent): FailureFacts | undefined {
	const whole = errorInside(body);
	if (whole && !whole.hasResult) return whole.facts;
	const inData = errorInside(data);
	return inData?.facts.gatewayMessage !== undefined && !inData.hasResult ? inData.facts : undefined;
}

/** Tells whether a response consists only of a message about itself. */
export function hasOnlyWords(body: unknown): boolean {
	const fields = asRecord(body);
	return fields !== undefined && readErrorBody(fields).gatewayMessage !== undefined && !isContent(fields);
}

/** The content of a response, which may differ from the encoding that was asked for. */
export type UtilityContent =
	| { kind: 'file'; body: ByteStream }
	| { kind: 'empty' }
	| ({ kind: 'json' } & JsonContent)
	| { kind: 'text'; text: string };

/** Media types of text. Everything else is a file. */
const TEXT_TYPE = /^(|text\/.*|application\/(.*\+)?(json|xml))$/;

/**
 * Reads the content of a response. It may have another encoding than requested: rejections are always JSON, and for an
 * unknown encoding the default is sent (observed). @param expected `mayBeWebPage` is false where HTML is a console
 */
export async function readUtility(
	answer: Answer,
	{ mayBeWebPage, hasList }: { mayBeWebPage: boolean; hasList: boolean },
): Promise<UtilityContent> {
	const { firstBytes, body } = await peek(answer.body);
	if (firstBytes.length === 0) return { kind: 'empty' };
	const mediaType = mediaTypeOf(answer);
	if (!TEXT_TYPE.test(mediaType)) return { kind: 'file', body };

	const text = await readText({ ...answer, body });
	if (text === '') return { kind: 'empty' };
	const requestId = requestIdOf(answer.headers);
	const facts = { status: answer.status, requestId };
	if (!mayBeWebPage && looksLikeWebPage(text)) throw reportedFailure(WEB_PAGE, facts, { url: answer.url });
	const isJson = /[/+]json$/.test(mediaType);
	if (!isJson && mediaType !== '') return { kind: 'text', text };
	const parsed = await readJsonText(text);
	if ('problem' in parsed) {
		if (isJson) throw answerFailure(parsed.problem, { ...facts, ...keptAnswer(text) });
		return { kind: 'text', text };
	}
	const content = openEnvelope(parsed.value);
	const failure = failureInUtility(content, hasList, requestId);
	if (failure) throw failure;
	return { kind: 'json', ...content };
}
