import type { FastifyRequest } from 'fastify';
import type { ReceivedBody } from './exchange';
import type { MultipartForm } from './multipart';

const maxRecordedBytes = 1024 * 1024;

function isForm(body: unknown): body is MultipartForm {
	return typeof body === 'object' && body !== null && 'fields' in body && 'files' in body;
}

/** Reads the body, which the content type parsers leave as bytes or as a form. */
export function readReceived(request: FastifyRequest): ReceivedBody {
	if (isForm(request.body)) return { bytes: formBytes(request.body), isJson: false, form: request.body };
	const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
	const isJson = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(request.headers['content-type'] ?? '');
	const received: ReceivedBody = { bytes: bytes.length, isJson };
	if (!isJson || bytes.length === 0) return received;
	try {
		received.value = JSON.parse(bytes.toString('utf8'));
	} catch (error) {
		received.fault = error instanceof Error ? error.message : String(error);
	}
	return received;
}

function formBytes({ fields, files }: MultipartForm): number {
	const lengths = [
		...files.map(({ bytes }) => bytes),
		...fields.map(({ value }) => Buffer.byteLength(value)),
	];
	return lengths.reduce((sum, length) => sum + length, 0);
}

/** Returns the part of a body that the journal keeps. */
export function recordable(received: ReceivedBody, bytes: Buffer | undefined): unknown {
	if (received.form) {
		const { fields, files } = received.form;
		return {
			fields,
			files: files.map((file) => ({
				field: file.field,
				fileName: file.fileName,
				contentType: file.contentType,
				bytes: file.bytes,
			})),
		};
	}
	if (!bytes || received.bytes === 0) return undefined;
	if (received.bytes > maxRecordedBytes || !received.isJson) return { bytes: received.bytes };
	return received.fault === undefined ? received.value : bytes.toString('utf8');
}
