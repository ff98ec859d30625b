import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** A file of a form. Its beginning is kept for inspection; the rest is only counted. */
export interface FormFile {
	field: string;
	fileName: string;
	contentType: string;
	bytes: number;
	/** The first bytes, at most 1 MiB. */
	start: Buffer;
}

/** A form, in the order in which its parts arrived. */
export interface MultipartForm {
	fields: Array<{ name: string; value: string }>;
	files: FormFile[];
	/** The reason why the form could not be read completely. */
	fault?: string;
}

const keptBytes = 1024 * 1024;

/** Reads a `multipart/form-data` body as it arrives and keeps only the beginning of each file. */
export async function readForm(headers: IncomingHttpHeaders, body: Readable): Promise<MultipartForm> {
	const form: MultipartForm = { fields: [], files: [] };
	try {
		const parser = new Busboy({ headers: headers as BusboyHeaders, preservePath: true });
		parser.on('field', (name, value) => form.fields.push({ name, value }));
		parser.on('file', (field, content, fileName, _encoding, contentType) => {
			const file: FormFile = { field, fileName, contentType, bytes: 0, start: Buffer.alloc(0) };
			const chunks: Buffer[] = [];
			form.files.push(file);
			content.on('data', (chunk: Buffer) => {
				if (file.bytes < keptBytes) chunks.push(Buffer.from(chunk.subarray(0, keptBytes - file.bytes)));
				file.bytes += chunk.length;
			});
			content.on('end', () => (file.start = Buffer.concat(chunks)));
			content.on('error', () => {});
		});
		await pipeline(body, parser);
	} catch (error) {
		form.fault = error instanceof Error ? error.message : String(error);
	}
	return form;
}
