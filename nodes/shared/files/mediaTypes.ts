import { entryOf } from '../plain/values';
import { parseJson } from '../plain/json';
import { looksLikeWebPage, readErrorBody } from '../failure/errorBody';
import type { GatewayFailure } from '../failure/failure';
import { answerFailure } from '../failure/words';
import { keptAnswer } from '../answer/answerReaders';

const EXTENSIONS: Record<string, string> = {
	'audio/mpeg': 'mp3',
	'audio/wav': 'wav',
	'audio/ogg': 'ogg',
	'audio/opus': 'opus',
	'audio/flac': 'flac',
	'audio/aac': 'aac',
	'audio/mp4': 'm4a',
	'audio/webm': 'webm',
	'image/avif': 'avif',
	'image/png': 'png',
	'image/jpeg': 'jpg',
	'image/gif': 'gif',
	'image/webp': 'webp',
	'image/heic': 'heic',
	'image/svg+xml': 'svg',
	'application/json': 'json',
	'application/pdf': 'pdf',
	'application/xml': 'xml',
	'text/html': 'html',
	'text/plain': 'txt',
	'text/vtt': 'vtt',
	'application/x-subrip': 'srt',
};

const SAME_AS: Record<string, string> = {
	'audio/mp3': 'audio/mpeg',
	'audio/x-mpeg': 'audio/mpeg',
	'audio/x-wav': 'audio/wav',
	'audio/wave': 'audio/wav',
	'audio/vnd.wave': 'audio/wav',
	'audio/x-flac': 'audio/flac',
	'audio/x-m4a': 'audio/mp4',
	'application/ogg': 'audio/ogg',
	'image/jpg': 'image/jpeg',
	'text/xml': 'application/xml',
};

/** Matches text types, which some gateways and proxies declare for every response. The first bytes override them. */
const TEXTS = /^text\/|json|html/;

const VAGUE = ['', 'application/octet-stream', 'binary/octet-stream', 'application/binary'];

const SIGNATURES: Array<[RegExp, string]> = [
	[/^\x89PNG\r\n/, 'image/png'],
	[/^\xff\xd8\xff/, 'image/jpeg'],
	[/^GIF8[79]a/, 'image/gif'],
	[/^RIFF[\s\S]{4}WEBP/, 'image/webp'],
	[/^[\s\S]{4}ftypavi[fs]/, 'image/avif'],
	[/^%PDF-/, 'application/pdf'],
	[/^R(IFF|F64)[\s\S]{4}WAVE/, 'audio/wav'],
	[/^OggS/, 'audio/ogg'],
	[/^fLaC/, 'audio/flac'],
	[/^[\s\S]{4}ftyp(hei[cxms]|hev[cx]|mif1|msf1)/, 'image/heic'],
	[/^[\s\S]{4}ftyp/, 'audio/mp4'],
	[/^.E\xdf\xa3/, 'audio/webm'],
	[/^ID3/, 'audio/mpeg'],
	[/^\xff[\xf0\xf1\xf8\xf9]/, 'audio/aac'],
	[/^\xff[\xe2-\xe7\xf2-\xf7\xfa-\xfd]/, 'audio/mpeg'],
];

const IS_TYPE = /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/;

/** Tells the type of a file by its first bytes, unless the media type of the response is more precise. */
export function mediaTypeOfFile(
	contentType: string,
	firstBytes: Buffer,
): { mimeType: string; extension: string } {
	const type = contentType.split(';')[0].trim();
	const declared = entryOf(SAME_AS, type) ?? (IS_TYPE.test(type) ? type : '');
	const detected = isOverridable(declared) ? detectMediaType(firstBytes) : undefined;
	// Opus comes in Ogg files.
	const isSame = declared === 'audio/opus' && detected === 'audio/ogg';
	const mimeType = isSame ? declared : (detected ?? (declared || 'application/octet-stream'));
	return { mimeType, extension: extensionOf(mimeType) ?? 'bin' };
}

/** Gateways may send another audio or image format than they declare. Other types are more precise than the bytes. */
function isOverridable(declared: string): boolean {
	if (VAGUE.includes(declared) || TEXTS.test(declared)) return true;
	return declared === 'audio/opus' || SIGNATURES.some(([, type]) => type === declared);
}

/** Returns the file extension of a media type, without the dot; undefined for an unknown type. */
export function extensionOf(mimeType: string): string | undefined {
	return entryOf(EXTENSIONS, mimeType);
}

/** Returns the media type that the first bytes of a file indicate, if any. */
export function detectMediaType(firstBytes: Buffer): string | undefined {
	const start = firstBytes.subarray(0, 16).toString('latin1');
	return SIGNATURES.find(([signature]) => signature.test(start))?.[1];
}

/**
 * Returns the failure for a text that arrived in place of a file, with its words; undefined for anything else. The
 * bytes decide, because servers declare texts as images or songs, and files as texts. @param wanted "audio", "an image"
 */
export function textInstead(firstBytes: Buffer, wanted: string, status?: number): GatewayFailure | undefined {
	if (!isText(firstBytes)) return undefined;
	const text = firstBytes.toString('utf8');
	const isPage = looksLikeWebPage(text);
	const { gatewayMessage } = readErrorBody(parseJson(text)?.value ?? text);
	const facts = { status, gatewayMessage, ...keptAnswer(text) };
	return answerFailure(`it is ${isPage ? 'a web page' : 'text'} instead of ${wanted}`, facts);
}

const LENGTH_TO_CHECK = 400;

/** Tells whether a file begins like a text, which no sound or picture does. */
export function isText(firstBytes: Buffer): boolean {
	// The last character may be cut off.
	const text = firstBytes.toString('utf8', 0, LENGTH_TO_CHECK).replace(/\ufffd$/, '');
	return /[\p{L}{}[\]<>]/u.test(text) && !text.includes('\ufffd') && !/[^\P{Cc}\t\n\r]/u.test(text);
}
