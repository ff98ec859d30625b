import { BaseError, type IBinaryData, type IExecuteFunctions } from 'n8n-workflow';
import { storageFailure } from '../errors/errorMessages';
import { peekBytes, type ByteStream } from '../http/byteStream';
import { mediaTypeOfFile } from './mediaTypes';

/**
 * Puts a file into n8n's binary store; a stream goes there without being held in memory.
 *
 * @param contentType media type of the answer that the file came with
 * @param nameFor gives the file's name for its extension
 * @throws GatewayFailure (kind `storage`) when the store does not take it; whatever the stream throws when it breaks
 */
export async function storeFile(
	context: IExecuteFunctions,
	content: ByteStream | Buffer,
	contentType: string,
	nameFor: (extension: string) => string,
): Promise<IBinaryData> {
	const firstBytes = Buffer.isBuffer(content) ? content : await peekBytes(content);
	const { mimeType, extension } = mediaTypeOfFile(contentType, firstBytes);
	try {
		return await context.helpers.prepareBinaryData(content, nameFor(extension), mimeType);
	} catch (error) {
		throw explained(error);
	}
}

/** What disks answer with, never networks. */
const DISK_CODES: Record<string, string> = {
	ENOSPC: 'its disk is full',
	EDQUOT: 'its disk quota is used up',
	EROFS: 'its disk is read-only',
	EACCES: 'it may not write there',
	EPERM: 'it may not write there',
	ENOENT: 'its folder is gone',
	EMFILE: 'too many files are open',
	ENFILE: 'too many files are open',
	EIO: 'its disk does not work',
};

/** A broken disk as a failure of its own; anything else, such as a broken connection, as it is. */
function explained(error: unknown): unknown {
	if (error instanceof BaseError) return storageFailure(error.message);
	const code = error instanceof Error && 'code' in error ? String(error.code) : '';
	return code in DISK_CODES ? storageFailure(DISK_CODES[code]) : error;
}
