import type { IBinaryData, IExecuteFunctions, ISupplyDataFunctions } from 'n8n-workflow';
import { answerFailure, storageFailure, unreadableFailure } from '../failure/words';
import type { GatewayFailure } from '../failure/failure';
import { ITEM_FILES_BYTES } from '../plain/budgets';
import { type ByteStream, explaining, peek, streamFrom } from '../answer/byteStream';
import type { Redactor } from '../answer/redactor';
import { withoutEnd } from '../plain/values';
import { mediaTypeOfFile } from './mediaTypes';

/** The store for the files of an item, with the secrets to remove from them. */
interface FileStore {
	context: IExecuteFunctions;
	redactor: Redactor;
	allowance: FileAllowance;
}

/** Counts how many more bytes one item may store in files. */
export class FileAllowance {
	constructor(private left = ITEM_FILES_BYTES) {}

	use(bytes: number): void {
		this.left -= bytes;
		if (this.left >= 0) return;
		throw answerFailure(`the files of the item are longer than ${ITEM_FILES_BYTES / 1e6} MB together`);
	}
}

/** The text to name a file after, and the name to use if nothing of that text remains. */
export interface FileName {
	about: string;
	fallback: string;
}

/**
 * Saves a file in n8n's binary store, without the key, and without ever holding all of it in memory. @throws
 * GatewayFailure (kind `storage`) for whatever n8n throws; the error of the content if that breaks off
 */
export async function storeFile(
	{ context, redactor, allowance }: FileStore,
	content: ByteStream | Buffer,
	contentType: string,
	{ about, fallback }: FileName,
): Promise<IBinaryData> {
	const { firstBytes, body } = Buffer.isBuffer(content)
		? { firstBytes: content, body: [content] }
		: await peek(content);
	const { mimeType, extension } = mediaTypeOfFile(redactor.text(contentType), firstBytes);
	let bytes = 0;
	async function* clean(): AsyncGenerator<Buffer> {
		for await (const chunk of redactor.bytes(body as AsyncIterable<Buffer> | Buffer[])) {
			allowance.use(chunk.length);
			bytes += chunk.length;
			yield chunk;
		}
	}
	let broken: { error: unknown } | undefined;
	const noted = (error: unknown) => {
		broken = { error };
		return error;
	};
	// The key is removed first: it could not be found any more in a name, which leaves out some characters.
	const name = fileNameFrom(redactor.text(about), fallback, extension);
	const stream = streamFrom(explaining(clean(), noted));
	try {
		const file = await context.helpers.prepareBinaryData(stream, name, mimeType);
		// Until version 2.6, n8n does not report the size of a file.
		return { bytes, ...file };
	} catch (error) {
		throw broken ? broken.error : storageFailure(reasonIn(error));
	}
}

/** Opens a file in n8n's binary store. @param failure thrown when n8n cannot read the file, or not to its end */
export async function openStored(
	{ helpers }: IExecuteFunctions | ISupplyDataFunctions,
	id: string,
	failure: () => GatewayFailure,
): Promise<ByteStream> {
	const content = await helpers.getBinaryStream(id).catch(() => {
		throw failure();
	});
	return streamFrom(explaining(content as AsyncIterable<Buffer>, failure));
}

/** Matches the errors of n8n's stores for a file that does not exist: on disk, in its database, and in S3 or Azure. */
const NOT_FOUND =
	/\b(ENOENT|FileNotFoundError|EntityNotFoundError|NoSuchKey|BlobNotFound|NotFound|file not found)\b/i;

/**
 * Tells whether n8n still has a file; it deletes the files of an execution together with the execution. @throws
 * GatewayFailure (kind `storage`) if that is unknown, because a file that seems to be deleted is paid for again
 */
export async function hasFile(
	{ helpers }: IExecuteFunctions | ISupplyDataFunctions,
	{ id }: IBinaryData,
): Promise<boolean> {
	// A file without an ID is in the item itself.
	if (!id) return true;
	try {
		(await helpers.getBinaryStream(id)).destroy();
		return true;
	} catch (error) {
		const { code, name, message, constructor } = Object(error) as Error & { code?: unknown };
		if (NOT_FOUND.test([code, name, constructor.name, message].join(' '))) return false;
		throw unreadableFailure(reasonIn(error));
	}
}

/** Matches the codes of disk errors. */
const DISK_CODES = /^(ENOSPC|EDQUOT|EROFS|EACCES|EPERM|ENOENT|EMFILE|ENFILE|EIO)$/;

/** Says why n8n could not save or read a file. */
function reasonIn(error: unknown): string {
	const { message, code } =
		error instanceof Error ? (error as Error & { code?: unknown }) : { message: String(error) };
	// Node's message: "ENOSPC: no space left on device, write". A path at its end would say nothing to the user.
	return DISK_CODES.test(String(code)) ? message.replace(/^\w+: |,.*/gs, '') : message;
}

const MAX_LENGTH = 80;
/** Most file systems allow 255 bytes, including the extension, which is added later. */
const MAX_BYTES = 240;
const SEARCHED_LENGTH = 2_000;

/** Makes a readable file name that is safe on every system. @param fallback used if nothing of the text remains */
export function fileNameFrom(text: string, fallback: string, extension: string): string {
	const readable = text
		.slice(0, SEARCHED_LENGTH)
		.normalize('NFC')
		.replace(/[^\p{L}\p{M}\p{N}_.,()-]+/gu, ' ')
		.replace(/\.{2,}/g, '.')
		.replace(/^[.\s-]+/, '');
	const short = withoutEnd(shortName(readable), '. ');
	// Windows reserves these names with any extension.
	const reserved = /^(con|prn|aux|nul|conin|conout|com[\d¹²³]|lpt[\d¹²³]) ?(\.|$)/i.test(short);
	return `${short && !reserved ? short : fallback}.${extension}`;
}

function shortName(text: string): string {
	let bytes = 0;
	const characters = [...text.slice(0, 2 * MAX_LENGTH)].slice(0, MAX_LENGTH);
	return characters.filter((character) => (bytes += Buffer.byteLength(character)) <= MAX_BYTES).join('');
}

/** Names a long text by its first words: at most eight words and 60 characters, without half of a surrogate pair. */
export function firstWords(text: string): string {
	const beginning = text
		.trim()
		.slice(0, 60)
		.replace(/\p{Surrogate}/gu, '');
	return beginning.split(/\s+/).slice(0, 8).join(' ');
}
