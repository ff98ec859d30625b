import { addressOf, isImage, type SentFile } from '../../shared/files/sentFiles';
import { extensionOf } from '../../shared/files/mediaTypes';
import { entryOf } from '../../shared/plain/values';
import { EmbeddedFile } from '../../shared/send/requestBody';
import type { FileKind, FilePart } from './conversation';

export type ChatFormat = 'chatCompletion' | 'messages' | 'generateContent';

/** Which kinds of files a format has parts for: with the content of the file only, or with its web address as well. */
const KINDS: Record<ChatFormat, Partial<Record<FileKind, 'content' | 'any'>>> = {
	chatCompletion: { audio: 'content', image: 'any', pdf: 'any' },
	messages: { image: 'any', pdf: 'any' },
	generateContent: { audio: 'any', image: 'any', pdf: 'any', text: 'any', video: 'any' },
};

/** Whether a format has a part for a file. Text files need none, because their content becomes text. */
export function takesFile(format: ChatFormat, { kind, sent }: Pick<FilePart, 'kind' | 'sent'>): boolean {
	const how = KINDS[format][kind];
	return how === 'any' || (how === 'content' && sent.kind !== 'address');
}

/** The kind of file that a media type stands for; undefined for one that no format has parts for. */
export function kindOfFile(mimeType: string): FileKind | undefined {
	const [type] = mimeType.split(';');
	if (isImage(type)) return 'image';
	if (type === 'application/pdf') return 'pdf';
	if (type.startsWith('audio/')) return 'audio';
	if (type.startsWith('video/')) return 'video';
	const isText =
		type.startsWith('text/') || /^application\/([\w.]+[+])?(json|xml|yaml|x-yaml|csv)$/.test(type);
	return isText ? 'text' : undefined;
}

const KINDS_BY_EXTENSION: Record<string, FileKind> = {
	...{ pdf: 'pdf', txt: 'text', md: 'text', csv: 'text' },
	...{ mp3: 'audio', wav: 'audio', ogg: 'audio', opus: 'audio', flac: 'audio', m4a: 'audio', aac: 'audio' },
	...{ mp4: 'video', mov: 'video', mpeg: 'video', webm: 'video' },
};

/** The kind of file at a web address, from the end of its path. Most addresses in prompts are those of images. */
export function kindOfAddress(url: string): FileKind {
	const extension = /\.(\w+)$/.exec(new URL(url).pathname)?.[1] ?? '';
	return entryOf(KINDS_BY_EXTENSION, extension.toLowerCase()) ?? 'image';
}

/** The usual media types of files at web addresses; that of an image is not sent. */
const TYPES: Record<Exclude<FileKind, 'image'>, string> = {
	audio: 'audio/mpeg',
	pdf: 'application/pdf',
	text: 'text/plain',
	video: 'video/mp4',
};

/** The name of a file, or one that fits it. @param known what its sender calls it */
export function nameOfFile(sent: SentFile, known = ''): string {
	if (known !== '') return known;
	if (sent.kind === 'address') return new URL(sent.url).pathname.split('/').at(-1) || 'file';
	const name = sent.kind === 'file' ? sent.file.fileName : undefined;
	return name || `file.${extensionOf(sent.mimeType) ?? 'bin'}`;
}

/** A text as a document with its name, for formats without a part for text files. */
export function namedText({ name, text }: { name: string; text: string }): string {
	return `[${name}]\n${text}`;
}

/** A part of a chat completion (interface, 2.2; files and audio as comparable services expect them). */
export function chatCompletionFile({ kind, name, sent }: FilePart): object {
	if (kind === 'pdf') return { type: 'file', file: { filename: name, file_data: addressOf(sent) } };
	if (kind === 'audio' && sent.kind !== 'address') {
		const format = extensionOf(sent.mimeType) ?? sent.mimeType.replace('audio/', '');
		return { type: 'input_audio', input_audio: { data: base64Of(sent), format } };
	}
	return { type: 'image_url', image_url: { url: addressOf(sent) } };
}

/** A content block of the messages format (interface, 2.2; documents as comparable services expect them). */
export function messagesFile({ kind, name, sent }: FilePart): object {
	const source = messagesSource(sent);
	return kind === 'pdf' ? { type: 'document', source, title: name } : { type: 'image', source };
}

function messagesSource(sent: SentFile): object {
	if (sent.kind === 'address') return { type: 'url', url: sent.url };
	return { type: 'base64', media_type: sent.mimeType, data: base64Of(sent) };
}

/** A part of the generate-content format (interface, 4.3). */
export function generateContentFile({ kind, sent }: FilePart): object {
	if (sent.kind !== 'address') return { inlineData: { mimeType: sent.mimeType, data: base64Of(sent) } };
	return { fileData: { fileUri: sent.url, ...(kind === 'image' ? {} : { mimeType: TYPES[kind] }) } };
}

/** The content of a file as Base64 text. */
function base64Of(sent: Exclude<SentFile, { kind: 'address' }>): string | EmbeddedFile {
	return sent.kind === 'base64' ? sent.base64 : new EmbeddedFile(sent.file);
}
