import type { IExecuteFunctions } from 'n8n-workflow';
import { inputFailure } from '../gateway/advice';
import type { ByteStream } from '../gateway/byteStream';

/** A file of an input item, ready to be read. */
export interface InputFile {
	/** A stream when the file lies in n8n's binary store, bytes when the item itself holds it. */
	content: ByteStream | Buffer;
	mimeType: string;
	fileName: string | undefined;
}

/**
 * Opens a binary field of an input item. In combined binary mode the field is a dotted path.
 *
 * @param label what the editor calls the parameter that names the field
 * @throws GatewayFailure (kind `input`) when the item has no such field
 */
export async function openFile(
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
	const content = file.id
		? await context.helpers.getBinaryStream(file.id)
		: await context.helpers.getBinaryDataBuffer(itemIndex, field);
	return { content, mimeType: file.mimeType, fileName: file.fileName };
}

function findFile(context: IExecuteFunctions, itemIndex: number, field: string) {
	try {
		return context.helpers.assertBinaryData(itemIndex, field);
	} catch {
		return undefined;
	}
}
