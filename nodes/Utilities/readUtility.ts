import { looksLikeWebPage, readErrorBody } from '../shared/errors/errorBody';
import { errorInside, hasOnlyWords } from '../shared/errors/errorInside';
import { answerFailure } from '../shared/errors/errorMessages';
import { statusFailure, webPageFailure } from '../shared/errors/statusFailure';
import type { FailureFacts, GatewayFailure } from '../shared/errors/gatewayFailure';
import { detectMediaType } from '../shared/files/mediaTypes';
import { type Answer, readText } from '../shared/answer/answerReaders';
import { readJsonText } from '../shared/plain/json';
import { peekBytes } from '../shared/answer/byteStream';
import { mediaTypeOf, requestIdOf } from '../shared/answer/headers';
import { asRecord, numberOf } from '../shared/plain/values';

/** A JSON response and its payload. */
export interface JsonContent {
	/** The whole response. */
	body: unknown;
	/** The envelope's `data`, or the whole response when there is no envelope. */
	data: unknown;
	enveloped: boolean;
}

/**
 * The payload of a response without the uniform envelope of the utility endpoints (interface, 4.13, rule 2). The interface
 * does not show its field names; these are what comparable services send. A number in `code` tells success from failure.
 */
export function openEnvelope(body: unknown): JsonContent {
	const { data, code, message } = asRecord(body) ?? {};
	const hasStatus = typeof code === 'number' && typeof message === 'string';
	const enveloped = data !== undefined || hasStatus;
	return { body, data: enveloped ? data : body, enveloped };
}

/**
 * The failure that a response reports despite its HTTP status 200: a `code` in the envelope that is not a success,
 * `success: false`, an error where the data should be, or only a message from an endpoint that has a list. Data with
 * content may have fields of any name.
 *
 * @param requestId the gateway's ID of the request
 */
export function failureInUtility(
	{ body, data, enveloped }: JsonContent,
	{ ownFields = [], hasList = false }: Pick<ExpectedContent, 'ownFields' | 'hasList'>,
	requestId: string | undefined,
): GatewayFailure | undefined {
	const onlyWords = hasList && data !== null && hasOnlyWords(data ?? body);
	const {
		code,
		gatewayMessage,
		status = 200,
	} = (enveloped && failureInEnvelope(asRecord(body) ?? {}, data)) ||
	errorAlone(body, data, ownFields) ||
	(onlyWords && readErrorBody(data ?? body)) ||
	{};
	if (code === undefined && gatewayMessage === undefined) return undefined;
	return statusFailure({ status, code, gatewayMessage, requestId });
}

/** What an envelope says about a failure; undefined for a success. */
function failureInEnvelope(envelope: Record<string, unknown>, data: unknown): FailureFacts | undefined {
	const code = numberOf(envelope.code);
	const failing = (code !== undefined && isFailing(code, data)) || envelope.success === false;
	if (!failing) return undefined;
	// The message may be the one for a success while the data says what went wrong (observed for weather).
	const { gatewayMessage } = readErrorBody(asRecord(data)?.error ? data : envelope);
	return {
		status: code !== undefined && code >= 400 && code < 600 ? code : undefined,
		code: code === undefined ? '' : String(code),
		gatewayMessage,
	};
}

/** An error that is all of a response, or all of its data; the data must have words, because it may have any field. */
function errorAlone(body: unknown, data: unknown, ownFields: string[]): FailureFacts | undefined {
	const whole = errorInside(body, ownFields);
	if (whole?.hasContent === false) return whole.facts;
	const inData = errorInside(data, ownFields);
	return inData?.hasContent === false && inData.facts.gatewayMessage !== undefined ? inData.facts : undefined;
}

/** Services that do not use HTTP codes in the envelope have codes of their own for a success, which then has data. */
function isFailing(code: number, data: unknown): boolean {
	if (code < 0 || (code >= 400 && code < 600)) return true;
	const isGood = code === 0 || code === 1 || (code >= 200 && code < 300);
	return !isGood && (data === undefined || data === null || data === '');
}

/** What is known about the content of a response. */
export interface ExpectedContent {
	/** Whether HTML is expected; otherwise it is a console or a sign-in page. */
	mayBeWebPage: boolean;
	/** Names of fields in its data that other services use for errors. */
	ownFields?: string[];
	/** Whether its data has a list. */
	hasList?: boolean;
}

/** The content of a response, which may differ from the encoding that was asked for. */
export type UtilityContent =
	{ kind: 'file' } | { kind: 'empty' } | ({ kind: 'json' } & JsonContent) | { kind: 'text'; text: string };

/**
 * Determines the kind of a response, and reads it unless it is a file. The encoding that was asked for is not reliable:
 * rejections are always JSON, and a gateway that does not know an encoding uses its default instead (observed).
 *
 * @throws GatewayFailure for a failure despite status 200, and for truncated JSON
 */
export async function readUtility(answer: Answer, expected: ExpectedContent): Promise<UtilityContent> {
	if (answer.status === 204) {
		answer.body.destroy();
		return { kind: 'empty' };
	}
	const mediaType = mediaTypeOf(answer);
	if (await isFile(mediaType, answer)) return { kind: 'file' };

	const text = await readText(answer);
	if (text === '') return { kind: 'empty' };
	const requestId = requestIdOf(answer.headers);
	const declaredJson = /[/+]json$/.test(mediaType);
	const parsed = declaredJson || beginsLikeJson(text) ? await readJsonText(text) : undefined;
	const content = parsed && 'value' in parsed ? openEnvelope(parsed.value) : undefined;
	const failure = content && failureInUtility(content, expected, requestId);
	if (failure) throw failure;
	if (content && (declaredJson || content.enveloped)) return { kind: 'json', ...content };
	const facts = { status: answer.status, requestId };
	if (!expected.mayBeWebPage && looksLikeWebPage(text)) throw webPageFailure(answer.url, facts);
	if (declaredJson && parsed && 'problem' in parsed) throw answerFailure(parsed.problem, facts);
	return { kind: 'text', text };
}

function beginsLikeJson(text: string): boolean {
	return /^[{[]/.test(text.slice(0, 1000).trimStart());
}

/** A data URI, or Base64 from the first byte on. */
const WRITTEN_OUT = /^\s{0,100}(data:image\/|[A-Za-z0-9+/_-]{44}[\w+/=\s-]*$)/i;

/** Whether a picture came as text. No picture begins with as many letters. */
function isWrittenOut(start: Buffer): boolean {
	return WRITTEN_OUT.test(start.toString('latin1', 0, 200));
}

/** Types that gateways use for any content. */
const VAGUE_TYPES = ['', 'application/octet-stream', 'text/plain'];

/** Types of text; everything else is a file. */
const TEXT_TYPE = /^(text\/.*|.*[/+](json|xml)|application\/(javascript|yaml|x-yaml|markdown))$/;

async function isFile(mediaType: string, answer: Answer): Promise<boolean> {
	if (/^image\//.test(mediaType) && isWrittenOut(await peekBytes(answer.body))) return false;
	if (/^(image|audio|video)\//.test(mediaType)) return true;
	if (!VAGUE_TYPES.includes(mediaType)) return !TEXT_TYPE.test(mediaType);
	// A text can start with the same bytes as an audio file, but hardly as an image.
	return detectMediaType(await peekBytes(answer.body))?.startsWith('image/') ?? false;
}
