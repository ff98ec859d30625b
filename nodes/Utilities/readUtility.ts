import { detectMediaType } from '../shared/files/mediaTypes';
import { answerFailure, webPageFailure } from '../shared/errors/errorMessages';
import { peekBytes } from '../shared/http/byteStream';
import { looksLikeWebPage } from '../shared/errors/errorBody';
import { readText, throwIfErrorObject, whyNoJson, type Answer } from '../shared/http/answerReaders';
import { mediaTypeOf, requestIdOf } from '../shared/http/headers';
import { parseJson } from '../shared/values';
import { failureInEnvelope, openEnvelope, type JsonContent } from './envelope';

/** The content of a response, which may differ from the encoding that was asked for. */
export type UtilityContent =
	{ kind: 'file' } | { kind: 'empty' } | ({ kind: 'json' } & JsonContent) | { kind: 'text'; text: string };

/**
 * Determines the kind of a response, and reads it unless it is a file. The encoding that was asked for is not reliable:
 * rejections are always JSON, and a gateway that does not know an encoding uses its default instead (observed).
 *
 * @param mayBeWebPage whether HTML is expected; otherwise it is a console or a sign-in page
 * @throws GatewayFailure for a failing `code` despite status 200, and for truncated JSON
 */
export async function readUtility(answer: Answer, mayBeWebPage: boolean): Promise<UtilityContent> {
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
	const parsed = declaredJson || /^\s*[{[]/.test(text) ? parseJson(text) : undefined;
	const content = parsed && openEnvelope(parsed.value);
	if (content && (declaredJson || content.enveloped)) {
		throwIfErrorObject(content.body, answer);
		const failure = failureInEnvelope(content, requestId);
		if (failure) throw failure;
		return { kind: 'json', ...content };
	}
	const facts = { status: answer.status, requestId };
	if (!mayBeWebPage && looksLikeWebPage(text)) throw webPageFailure(answer.url, facts);
	if (declaredJson) throw answerFailure(whyNoJson(text), facts);
	return { kind: 'text', text };
}

/** Types that gateways use for any content. */
const VAGUE_TYPES = ['', 'application/octet-stream', 'text/plain'];

/** Types of text; everything else is a file. */
const TEXT_TYPE = /^(text\/.*|.*[/+](json|xml)|application\/(javascript|yaml|x-yaml|markdown))$/;

async function isFile(mediaType: string, answer: Answer): Promise<boolean> {
	if (/^(image|audio|video)\//.test(mediaType)) return true;
	if (!VAGUE_TYPES.includes(mediaType)) return !TEXT_TYPE.test(mediaType);
	// A text can start with the same bytes as an audio file, but hardly as an image.
	return detectMediaType(await peekBytes(answer.body))?.startsWith('image/') ?? false;
}
