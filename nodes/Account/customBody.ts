import { inputFile } from '../shared/files/inputFile';
import { inputFailure } from '../shared/errors/errorMessages';
import { streamFrom } from '../shared/http/byteStream';
import { parseJson } from '../shared/values';
import { jsonBody, type FileSource, type RequestBody } from '../shared/http/requestBody';
import type { Call } from '../shared/runtime/call';

/**
 * The body of a custom request.
 *
 * @returns undefined for a request without one
 * @throws GatewayFailure (kind `input`) that names the parameter which cannot be used
 */
export async function readBody(call: Call): Promise<RequestBody | undefined> {
	switch (call.text('body')) {
		case 'json':
			return jsonBody(readJsonBody(call));
		case 'file':
			return await fileBody(call);
		default:
			return undefined;
	}
}

function readJsonBody(call: Call): unknown {
	const parsed = parseJson(call.text('jsonBody'));
	if (parsed) return parsed.value;
	throw inputFailure(
		'JSON Body',
		'is not JSON',
		'Check quotation marks, commas and brackets. A value from an expression needs {{ JSON.stringify(…) }}.',
	);
}

/** The file goes out as it is read from the store. */
async function fileBody(call: Call): Promise<RequestBody> {
	const label = 'Input Data Field Name';
	const field = call.requiredText('inputDataFieldName', label).trim();
	const file = await inputFile(call.context, call.itemIndex, field, label);
	return {
		contentType: contentTypeOf(call, file.mimeType),
		length: file.size,
		open: () => streamFrom(piecesOf(file)),
	};
}

async function* piecesOf(file: FileSource): AsyncGenerator<Buffer | string> {
	const content = await file.open();
	if (Buffer.isBuffer(content)) yield content;
	else yield* content as AsyncIterable<Buffer>;
}

function contentTypeOf(call: Call, ofFile: string): string {
	const set = call.options.contentType;
	const chosen = typeof set === 'string' ? set.trim() : '';
	if (chosen === '') return isMediaType(ofFile) ? ofFile : 'application/octet-stream';
	if (isMediaType(chosen)) return chosen;
	throw inputFailure('Content Type', `is "${chosen}"`, 'Enter a media type, for example image/png.');
}

/** Anything else cannot stand in a header. */
function isMediaType(text: string): boolean {
	return /^[\w.+-]+\/[\w.+-]+(;[ -~]*)?$/.test(text);
}
