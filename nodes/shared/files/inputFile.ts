import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';
import { inputFailure } from '../errors/errorMessages';
import { peekBytes } from '../http/byteStream';
import type { FileSource } from '../http/requestBody';

/** A file of an input item. */
export interface InputFile extends FileSource {
	/** What the item says it is; may be wrong. */
	mimeType: string;
	fileName: string | undefined;
	/** The beginning of the file, at least one byte. */
	firstBytes: Buffer;
}

/**
 * Finds a file of an input item and makes sure that it can be read. In combined binary mode the field is a
 * dotted path.
 *
 * @param label what the editor calls the parameter that names the field
 * @throws GatewayFailure (kind `input`) when the item has no such field, or its file is empty or gone
 */
export async function inputFile(
	context: IExecuteFunctions,
	itemIndex: number,
	field: string,
	label: string,
): Promise<InputFile> {
	const file = findFile(context, itemIndex, field);
	if (!file) {
		throw inputFailure(
			label,
			`names the binary field "${field}", which this item does not have`,
			'Look at the Binary tab of the input and enter the name of the field that holds the file.',
		);
	}
	const { mimeType, fileName } = file;
	try {
		const source = await sourceOf(context, itemIndex, field, file);
		const firstBytes = await beginningOf(source);
		if (firstBytes.length > 0) return { ...source, mimeType, fileName, firstBytes };
	} catch {
		throw unreadable(label, field, 'cannot be read');
	}
	throw unreadable(label, field, 'is empty');
}

async function sourceOf(
	{ helpers }: IExecuteFunctions,
	itemIndex: number,
	field: string,
	{ id }: IBinaryData,
): Promise<FileSource> {
	if (!id) {
		// The item itself holds the bytes.
		const bytes = await helpers.getBinaryDataBuffer(itemIndex, field);
		return { size: bytes.length, open: async () => bytes };
	}
	const { fileSize } = await helpers.getBinaryMetadata(id);
	return { size: fileSize, open: async () => await helpers.getBinaryStream(id) };
}

async function beginningOf(source: FileSource): Promise<Buffer> {
	const content = await source.open();
	if (Buffer.isBuffer(content)) return content;
	try {
		return await peekBytes(content);
	} finally {
		content.destroy();
	}
}

function findFile(context: IExecuteFunctions, itemIndex: number, field: string): IBinaryData | undefined {
	try {
		return context.helpers.assertBinaryData(itemIndex, field);
	} catch {
		return undefined;
	}
}

function unreadable(label: string, field: string, what: string): Error {
	return inputFailure(
		label,
		`names the binary field "${field}", whose file ${what}`,
		'Run the node that made the file again, and check its output.',
	);
}
