import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';
import { peekBytes, type ByteStream } from '../gateway/byteStream';
import { mediaTypeOfFile } from './mediaTypes';

/**
 * Puts a file into n8n's binary store; a stream goes there without being held in memory.
 *
 * @param contentType media type of the answer that the file came with
 * @param nameFor gives the file's name for its extension
 */
export async function storeFile(
	context: IExecuteFunctions,
	content: ByteStream | Buffer,
	contentType: string,
	nameFor: (extension: string) => string,
): Promise<IBinaryData> {
	const firstBytes = Buffer.isBuffer(content) ? content : await peekBytes(content);
	const { mimeType, extension } = mediaTypeOfFile(contentType, firstBytes);
	return await context.helpers.prepareBinaryData(content, nameFor(extension), mimeType);
}
