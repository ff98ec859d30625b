import { randomUUID } from 'crypto';
import { streamFrom } from '../shared/http/byteStream';
import { chunksOf, totalLength, type FileSource, type RequestBody } from '../shared/http/requestBody';

/** A part of a form: a text, or a file that is read while the form is sent. */
export type FormPart = { field: string; text: string } | FormFile;

/** A file in a form. */
export interface FormFile {
	field: string;
	fileName: string;
	contentType: string;
	source: FileSource;
}

/**
 * A `multipart/form-data` body (RFC 7578) with its parts in the given order. Files are streamed. The length is known
 * when the sizes of all files are.
 */
export function multipartBody(parts: FormPart[]): RequestBody {
	// Random, so that no file can contain it.
	const boundary = `form-${randomUUID()}`;
	const heads = parts.map((part) => `--${boundary}\r\n${headersOf(part)}\r\n\r\n`);
	const end = `--${boundary}--\r\n`;
	const lengths = parts.map((part, index) => [
		Buffer.byteLength(heads[index]),
		'text' in part ? Buffer.byteLength(part.text) : part.source.size,
		2,
	]);
	return {
		contentType: `multipart/form-data; boundary=${boundary}`,
		length: totalLength([...lengths.flat(), end.length]),
		open: () => streamFrom(chunks(parts, heads, end)),
	};
}

async function* chunks(parts: FormPart[], heads: string[], end: string): AsyncGenerator<Buffer | string> {
	for (const [index, part] of parts.entries()) {
		yield heads[index];
		if ('text' in part) yield part.text;
		else yield* chunksOf(part.source);
		yield '\r\n';
	}
	yield end;
}

function headersOf(part: FormPart): string {
	const disposition = `content-disposition: form-data; name="${escaped(part.field)}"`;
	if ('text' in part) return disposition;
	return `${disposition}; filename="${escaped(part.fileName)}"\r\ncontent-type: ${part.contentType}`;
}

/** Escapes quotation marks and line breaks, which would break the header, as browsers do. */
function escaped(text: string): string {
	return text.replace(/"/g, '%22').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
}
