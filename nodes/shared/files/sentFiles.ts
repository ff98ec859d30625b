import type { IDataObject, IExecuteFunctions, IBinaryData } from 'n8n-workflow';
import { choiceFailure, emptyFailure, inputFailure, labelOf, type NamedParameter } from '../failure/words';
import { EmbeddedFile, type FileSource } from '../send/requestBody';
import { fileOfText, isDataUri } from '../plain/fileText';
import { textOr, toText } from '../plain/values';
import { detectMediaType } from './mediaTypes';
import { createHash } from 'crypto';
import type { GatewayFailure } from '../failure/failure';
import { peek } from '../answer/byteStream';
import { openStored } from './storeFile';

export type SentFile =
	| { kind: 'address'; url: string }
	| { kind: 'base64'; mimeType: string; base64: string }
	| { kind: 'file'; mimeType: string; file: InputFile };

export interface FileOfEntry {
	sent: SentFile;
	entry: IDataObject;
	/** Names the entry in a failure. */
	label: string;
}

/** Returns the files of a `filesField`. An entry may name several binary fields or addresses; an empty list stands for no file. */
export async function filesOf(
	context: IExecuteFunctions,
	itemIndex: number,
	entries: IDataObject[],
	parameter: NamedParameter,
): Promise<FileOfEntry[]> {
	const files = entries.map(async (entry, index) => {
		const label = entries.length > 1 ? `${labelOf(parameter)} (entry ${index + 1})` : labelOf(parameter);
		if (isFromUrl(entry.source, label)) {
			return [entry.url].flat().map((url) => ({ sent: sentFileOf(url, label), entry, label }));
		}
		const fields = fieldNames(entry.binaryPropertyName, label);
		return await Promise.all(
			fields.map(async (field) => {
				const file = await inputFile(context, itemIndex, field, label);
				const sent = { kind: 'file' as const, mimeType: typeOf(file), file };
				return { sent, entry, label: `${label}, binary field "${field}",` };
			}),
		);
	});
	return (await Promise.all(files)).flat();
}

/** Tells whether an entry has a URL, not a binary field. @throws GatewayFailure (kind `input`) for another source */
function isFromUrl(source: unknown, label: string): boolean {
	const wanted = toText(source).trim().toLowerCase();
	if (['url', 'url or data uri'].includes(wanted)) return true;
	if (['', 'binary', 'input data field'].includes(wanted)) return false;
	throw choiceFailure(`${label}: Source`, wanted, 'Select Input Data Field or URL or Data URI.');
}

/** Tells whether a media type is that of an image. */
export function isImage(mimeType: string): boolean {
	return /^image\/[\w.+-]+$/.test(mimeType);
}

/** Returns the file that a text refers to: a web address, or a data URI, which contains it. */
export function sentFileOf(value: unknown, parameter: NamedParameter): SentFile {
	const text = toText(value).trim();
	if (text === '') throw emptyFailure(parameter, 'Enter a web address.');
	if (/^https?:\/\/\S+$/i.test(text) && URL.canParse(text)) return { kind: 'address', url: text };
	const file = isDataUri(text) ? fileOfText(text) : undefined;
	if (file && file.mimeType !== '') {
		const [declared] = file.mimeType.split(';');
		const mimeType = typeOf({ firstBytes: file.bytes, mimeType: declared });
		// Not all gateways accept the line breaks and the URL-safe letters that Base64 may have.
		return { kind: 'base64', mimeType, base64: file.bytes.toString('base64') };
	}
	throw inputFailure(
		parameter,
		`is neither a web address nor a data URI ("${text.slice(0, 40)}")`,
		'Enter one address that starts with https:// and has no spaces, or a data URI such as "data:image/png;base64,…". For several, let an expression return a list. For a file of the item, select Input Data Field.',
	);
}

/** Returns a file in the form of an address: its web address, or a data URI. */
export function addressOf(sent: SentFile): string | EmbeddedFile {
	if (sent.kind === 'address') return sent.url;
	const prefix = `data:${sent.mimeType};base64,`;
	return sent.kind === 'base64' ? prefix + sent.base64 : new EmbeddedFile(sent.file, prefix);
}

/** Trusts the first bytes more than the item, except that recordings and videos may be in the same kind of file. */
function typeOf({ firstBytes, mimeType }: Pick<InputFile, 'firstBytes' | 'mimeType'>): string {
	const detected = detectMediaType(firstBytes) ?? mimeType;
	const isContainer = ['audio/mp4', 'audio/webm'].includes(detected);
	return isContainer && /^(video|image)\//.test(mimeType) ? mimeType : detected;
}

function fieldNames(value: unknown, label: string): string[] {
	const names = (Array.isArray(value) ? value.map(toText) : textOr(value).split(/[,，]/))
		.map((name) => name.trim())
		.filter((name) => name !== '');
	// An empty list is what an expression returns for an item without files, as of addresses.
	if (names.length === 0 && !Array.isArray(value)) {
		throw inputFailure(
			label,
			'has no field name',
			'Enter the name of the binary field with the file, or {{ Object.keys($binary) }} for all files that an item has.',
		);
	}
	return names;
}

export interface InputFile extends FileSource {
	/** The type that the item declares, which may be wrong. */
	mimeType: string;
	fileName: string | undefined;
	/** The beginning of the file, at least one byte. */
	firstBytes: Buffer;
}

/** Opens a file of an input item. @param field its binary field; a dotted path in n8n's combined binary mode */
export async function inputFile(
	context: IExecuteFunctions,
	itemIndex: number,
	field: string,
	parameter: NamedParameter,
): Promise<InputFile> {
	const file = fileOfItem(context, itemIndex, field);
	if (!file) {
		throw inputFailure(
			parameter,
			`refers to the binary field "${field}", which this item does not have`,
			adviceOf(Object.keys(context.getInputData().at(itemIndex)?.binary ?? {})),
		);
	}
	const { mimeType, fileName } = file;
	const failure = (problem: string) =>
		inputFailure(
			parameter,
			`refers to the binary field "${field}", whose file ${problem}`,
			'Run the node that created the file again, and check its output.',
		);
	const unreadable = () => failure('cannot be read');
	const source = await sourceOf(context, itemIndex, field, file, unreadable).catch(() => {
		throw unreadable();
	});
	const firstBytes = await firstBytesOf(source);
	if (firstBytes.length > 0) return { ...source, mimeType, fileName, firstBytes };
	throw failure('is empty');
}

/** Returns what n8n knows about a file of an input item, if the item has it. @param field as of {@link inputFile} */
export function fileOfItem(
	context: IExecuteFunctions,
	itemIndex: number,
	field: string,
): IBinaryData | undefined {
	try {
		return context.helpers.assertBinaryData(itemIndex, field);
	} catch {
		return undefined;
	}
}

async function sourceOf(
	context: IExecuteFunctions,
	itemIndex: number,
	field: string,
	{ id }: IBinaryData,
	unreadable: () => GatewayFailure,
): Promise<FileSource> {
	const { helpers } = context;
	if (!id) {
		// The bytes are in the item itself.
		const bytes = await helpers.getBinaryDataBuffer(itemIndex, field);
		const identity = createHash('sha256').update(bytes).digest('base64url');
		return { size: bytes.length, identity, open: async () => bytes };
	}
	const { fileSize } = await helpers.getBinaryMetadata(id);
	// Only the last part identifies a file: n8n may move it to another folder when the execution ends.
	const identity = id.slice(id.lastIndexOf('/') + 1);
	return { size: fileSize, identity, open: async () => await openStored(context, id, unreadable) };
}

async function firstBytesOf(source: FileSource): Promise<Buffer> {
	const content = await source.open();
	if (Buffer.isBuffer(content)) return content;
	try {
		return (await peek(content)).firstBytes;
	} finally {
		content.destroy();
	}
}

function adviceOf(fields: string[]): string {
	if (fields.length === 0) {
		return 'This item has no files. Connect a node that outputs the file, for example Read/Write Files from Disk, or HTTP Request with the response format File.';
	}
	const names = fields.slice(0, MAX_NAMED_FIELDS).map((name) => `"${name}"`);
	return `Enter the name of a binary field of this item: ${names.join(', ')}.`;
}

const MAX_NAMED_FIELDS = 5;
