import type { INodeProperties } from 'n8n-workflow';
import { inputFailure } from '../../shared/errors/errorMessages';
import { inputFile } from '../../shared/files/inputFile';
import { streamFrom } from '../../shared/http/byteStream';
import { chunksOf, jsonBody, type RequestBody } from '../../shared/http/requestBody';
import type { Call } from '../../shared/runtime/call';
import { parseJson } from '../../shared/values';

const WITH_BODY = { method: ['DELETE', 'PATCH', 'POST', 'PUT'] };

const BODY: INodeProperties = {
	displayName: 'Body',
	name: 'body',
	type: 'options',
	options: [
		{ name: 'File', value: 'file', description: 'A file of the input item, unchanged' },
		{ name: 'JSON', value: 'json', description: 'A JSON value' },
		{ name: 'None', value: 'none', description: 'No body' },
	],
	default: 'json',
	displayOptions: { show: WITH_BODY },
	description: 'What to send with the request',
};

const JSON_BODY: INodeProperties = {
	displayName: 'JSON Body',
	name: 'jsonBody',
	type: 'json',
	default: '{}',
	displayOptions: { show: { ...WITH_BODY, body: ['json'] } },
	description: 'JSON value to send',
};

const INPUT_DATA_FIELD_NAME: INodeProperties = {
	displayName: 'Input Data Field Name',
	name: 'inputDataFieldName',
	type: 'string',
	required: true,
	default: 'data',
	displayOptions: { show: { ...WITH_BODY, body: ['file'] } },
	hint: 'The name of the input field containing the binary file data to be processed',
	description: 'Name of the binary field with the file to send',
};

/** Option for the media type of a file. */
export const CONTENT_TYPE: INodeProperties = {
	displayName: 'Content Type',
	name: 'contentType',
	type: 'string',
	default: '',
	placeholder: 'e.g. image/png',
	description: 'Media type of the file to send. Leave empty to use the media type in the input item.',
};

/** Parameters for the body of a custom request. */
export const bodyFields: INodeProperties[] = [BODY, JSON_BODY, INPUT_DATA_FIELD_NAME];

/**
 * Reads the body of a custom request.
 *
 * @returns undefined for a request without a body
 * @throws GatewayFailure (kind `input`) that names the parameter that cannot be used
 */
export async function readBody(call: Call): Promise<RequestBody | undefined> {
	switch (call.text(BODY)) {
		case 'json':
			return jsonBody(readJsonBody(call));
		case 'file':
			return await readFileBody(call);
		default:
			return undefined;
	}
}

function readJsonBody(call: Call): unknown {
	const parsed = parseJson(call.text(JSON_BODY));
	if (parsed) return parsed.value;
	throw inputFailure(
		JSON_BODY,
		'is not valid JSON',
		'Check commas, brackets, and quotation marks. Wrap values from expressions in {{ JSON.stringify(…) }}.',
	);
}

/** The file is sent while it is being read from n8n's binary store. */
async function readFileBody(call: Call): Promise<RequestBody> {
	const field = call.requiredText(INPUT_DATA_FIELD_NAME).trim();
	const file = await inputFile(call.context, call.itemIndex, field, INPUT_DATA_FIELD_NAME);
	const contentType = readContentType(call, file.mimeType);
	return {
		contentType,
		length: file.size,
		open: () => streamFrom(chunksOf(file)),
		identity: () => `${contentType}\0${file.identity}`,
	};
}

/** @param declared media type in the input item */
function readContentType(call: Call, declared: string): string {
	const chosen = call.options.text(CONTENT_TYPE);
	if (chosen === '') return isMediaType(declared) ? declared : 'application/octet-stream';
	if (isMediaType(chosen)) return chosen;
	throw inputFailure(
		CONTENT_TYPE,
		`is "${chosen}", which is not a media type`,
		'Enter a media type, for example image/png.',
	);
}

/** Other text is not safe in a header. */
function isMediaType(text: string): boolean {
	return /^[\w.+-]+\/[\w.+-]+(;[ -~]*)?$/.test(text);
}
