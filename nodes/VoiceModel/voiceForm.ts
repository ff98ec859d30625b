import { withLongIntegers } from '../shared/plain/json';
import { hashOf } from '../shared/plain/values';
import type { InputFile } from '../shared/files/sentFiles';
import { fileNameFrom } from '../shared/files/storeFile';
import { streamFrom } from '../shared/answer/byteStream';
import { chunksOf, type FileSource, type RequestBody, totalLength } from '../shared/send/requestBody';

/** Writes the form of a voice (interface, 4.7): texts, then recordings. A list becomes fields with the same name. */
export function voiceForm(
	{ texts, fileField }: { texts: Record<string, unknown>; fileField: string },
	samples: Array<{ file: InputFile }>,
): RequestBody {
	const parts = Object.entries(texts).flatMap(([field, value]) =>
		// A form has no null.
		[value ?? []].flat().map((one) => ({ field, text: formText(one) })),
	);
	const files = samples.map(({ file }, index) => ({
		field: fileField,
		fileName: wavName(file.fileName, index + 1),
		contentType: 'audio/wav',
		source: file,
	}));
	return multipartBody([...parts, ...files]);
}

/** Returns a text as it is, and anything else as JSON. */
function formText(value: unknown): string {
	const json = withLongIntegers(JSON.stringify(value));
	return typeof value === 'string' && json.startsWith('"') ? value : json;
}

/** Gives a recording the extension that gateways check. It is WAV, whatever its file is called. */
function wavName(fileName = '', number: number): string {
	return fileNameFrom(fileName.replace(/\.[^.]*$/, ''), `sample-${number}`, 'wav');
}

/** A part of a form: a text, or a file that is read while the form is sent. */
export type FormPart = { field: string; text: string } | FormFile;

interface FormFile {
	field: string;
	fileName: string;
	contentType: string;
	source: FileSource;
}

/** Returns a `multipart/form-data` body (RFC 7578). Files are streamed; the length is known if their sizes are. */
export function multipartBody(parts: FormPart[]): RequestBody {
	const identity = JSON.stringify(
		parts.map((part) =>
			'text' in part ? [part.field, part.text] : [part.field, part.fileName, part.source.identity],
		),
	);
	// No part can contain the hash of all parts, and a retry sends the same body, which a gateway may compare.
	const boundary = `form-${hashOf(identity)}`;
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
		identity: () => identity,
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
