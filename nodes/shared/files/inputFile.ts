import { createHash } from 'crypto';
import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';
import { inputFailure, type NamedParameter } from '../failure/words';
import type { GatewayFailure } from '../failure/failure';
import { peek } from '../answer/byteStream';
import type { FileSource } from '../send/requestBody';
import { openStored } from './storeFile';

export interface InputFile extends FileSource {
	/** As declared by the item; may be wrong. */
	mimeType: string;
	fileName: string | undefined;
	/** The beginning of the file, at least one byte. */
	firstBytes: Buffer;
}

/** A readable file of an input item. @param field its binary field; a dotted path in n8n's combined binary mode */
export async function inputFile(
	context: IExecuteFunctions,
	itemIndex: number,
	field: string,
	parameter: NamedParameter,
): Promise<InputFile> {
	let file: IBinaryData;
	try {
		file = context.helpers.assertBinaryData(itemIndex, field);
	} catch {
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
	const firstBytes = await beginningOf(source);
	if (firstBytes.length > 0) return { ...source, mimeType, fileName, firstBytes };
	throw failure('is empty');
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
	// At the end of an execution, n8n may move a file to another folder.
	const identity = id.slice(id.lastIndexOf('/') + 1);
	return { size: fileSize, identity, open: async () => await openStored(context, id, unreadable) };
}

async function beginningOf(source: FileSource): Promise<Buffer> {
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
