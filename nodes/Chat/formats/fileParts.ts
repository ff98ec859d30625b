import { isImage, type SentFile } from '../../shared/files/sentFiles';
import { extensionOf } from '../../shared/files/mediaTypes';
import { entryOf } from '../../shared/plain/values';
import { EmbeddedFile } from '../../shared/send/requestBody';
import type { InputSettings } from './chatFormat';
import type { FileKind, FilePart } from './conversation';

/** Tells whether a format has a part for a file. Text files need none, because their content becomes text. */
export function takesFile(
	{ files }: InputSettings,
	{ kind, sent }: Pick<FilePart, 'kind' | 'sent'>,
): boolean {
	const how = files[kind];
	return how === 'any' || (how === 'content' && sent.kind !== 'address');
}

/** Returns the kind of a file; undefined if no format has parts for it. @param declared the media type of an address */
export function fileKindOf(sent: SentFile, declared = ''): FileKind | undefined {
	if (sent.kind !== 'address') return kindOfType(sent.mimeType);
	// Most addresses in prompts are those of images.
	return kindOfType(declared) ?? kindOfType(typeOfAddress(sent.url)) ?? 'image';
}

function kindOfType(mimeType: string): FileKind | undefined {
	const [type] = mimeType.split(';');
	if (isImage(type)) return 'image';
	if (type === 'application/pdf') return 'pdf';
	if (type.startsWith('audio/')) return 'audio';
	if (type.startsWith('video/')) return 'video';
	const isText =
		type.startsWith('text/') || /^application\/([\w.]+[+])?(json|xml|yaml|x-yaml|csv)$/.test(type);
	return isText ? 'text' : undefined;
}

const TYPES_BY_EXTENSION: Record<string, string> = {
	...{ pdf: 'application/pdf', txt: 'text/plain', md: 'text/plain', csv: 'text/plain' },
	...{ mp3: 'audio/mpeg', wav: 'audio/wav', ogg: 'audio/ogg', opus: 'audio/opus', flac: 'audio/flac' },
	...{ m4a: 'audio/mp4', aac: 'audio/aac' },
	...{ mp4: 'video/mp4', mov: 'video/quicktime', mpeg: 'video/mpeg', webm: 'video/webm' },
};

/** Guesses the media type of a file at a web address from the end of its path; empty if that is unknown. */
export function typeOfAddress(url: string): string {
	const extension = /\.(\w+)$/.exec(new URL(url).pathname)?.[1] ?? '';
	return entryOf(TYPES_BY_EXTENSION, extension.toLowerCase()) ?? '';
}

/** Returns the name of a file, or makes one up. @param known the name that the sender gave it; empty for none */
export function nameOfFile(sent: SentFile, known = ''): string {
	if (known !== '') return known;
	if (sent.kind === 'address') return new URL(sent.url).pathname.split('/').at(-1) || 'file';
	const name = sent.kind === 'file' ? sent.file.fileName : undefined;
	return name || `file.${extensionOf(sent.mimeType) ?? 'bin'}`;
}

/** Writes a document as a text with its name, for formats without a part for text files. */
export function namedText({ name, text }: { name: string; text: string }): string {
	return `[${name}]\n${text}`;
}

/** Returns the content of a file as Base64 text, or as a file that is encoded while it is sent. */
export function base64Of(sent: Exclude<SentFile, { kind: 'address' }>): string | EmbeddedFile {
	return sent.kind === 'base64' ? sent.base64 : new EmbeddedFile(sent.file);
}
