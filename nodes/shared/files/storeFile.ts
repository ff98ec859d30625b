import { BaseError, type IBinaryData, type IExecuteFunctions } from 'n8n-workflow';
import { storageFailure } from '../errors/errorMessages';
import { peekBytes, type ByteStream } from '../http/byteStream';
import { mediaTypeOfFile } from './mediaTypes';

/**
 * Saves a file in n8n's binary store. A stream is never in memory as a whole.
 *
 * @param contentType media type of the response with the file
 * @param nameFor returns the file name for an extension
 * @throws GatewayFailure (kind `storage`) when the store rejects the file; the stream's own error when it breaks
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

/** Error codes that come from disks, never from networks. */
const DISK_CODES: Record<string, string> = {
	ENOSPC: 'its disk is full',
	EDQUOT: 'its disk quota is exceeded',
	EROFS: 'its disk is read-only',
	EACCES: 'it has no permission to write there',
	EPERM: 'it has no permission to write there',
	ENOENT: 'its folder does not exist',
	EMFILE: 'too many files are open',
	ENFILE: 'too many files are open',
	EIO: 'its disk does not work properly',
};

/** A disk error as a storage failure; any other error, such as a lost connection, unchanged. */
function explained(error: unknown): unknown {
	if (error instanceof BaseError) return storageFailure(error.message);
	const code = error instanceof Error && 'code' in error ? String(error.code) : '';
	return code in DISK_CODES ? storageFailure(DISK_CODES[code]) : error;
}
