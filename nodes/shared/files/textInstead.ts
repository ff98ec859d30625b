import { looksLikeWebPage, readErrorBody } from '../failure/errorBody';
import type { GatewayFailure } from '../failure/failure';
import { answerFailure } from '../failure/words';
import { keptAnswer } from '../answer/answerReaders';
import { parseJson } from '../plain/values';

/**
 * The failure of a text in place of a file, with its words; undefined for anything else. The bytes decide: servers
 * declare texts as images and songs, and files as texts. @param wanted "audio", "an image"
 */
export function textInstead(firstBytes: Buffer, wanted: string, status?: number): GatewayFailure | undefined {
	if (!isText(firstBytes)) return undefined;
	const text = firstBytes.toString('utf8');
	const isPage = looksLikeWebPage(text);
	const { gatewayMessage } = readErrorBody(parseJson(text)?.value ?? text);
	const facts = { status, gatewayMessage, ...keptAnswer(text) };
	return answerFailure(`it is ${isPage ? 'a web page' : 'text'} instead of ${wanted}`, facts);
}

const LOOKED_AT = 400;

/** Tells whether a file begins like a text, as no sound, picture, or song does. */
export function isText(firstBytes: Buffer): boolean {
	// The last character may be cut off.
	const text = firstBytes.toString('utf8', 0, LOOKED_AT).replace(/\ufffd$/, '');
	return /[\p{L}{}[\]<>]/u.test(text) && !text.includes('\ufffd') && !/[^\P{Cc}\t\n\r]/u.test(text);
}
