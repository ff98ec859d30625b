import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span: what it is about, and its attributes that are texts or whole numbers. */
interface Span {
	name: string;
	attributes: Record<string, string | number>;
}

/** A collector of OpenTelemetry on loopback, for traces that are sent over HTTP. */
export interface Collector {
	url: string;
	/** Everything that has arrived, as texts that a search finds. */
	received: string[];
	spans: Span[];
	close(): Promise<void>;
}

/** Starts a collector. */
export async function startCollector(): Promise<Collector> {
	const received: string[] = [];
	const spans: Span[] = [];
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const body = Buffer.concat(chunks);
			received.push(body.toString());
			spans.push(...spansIn(body));
			response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		received,
		spans,
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

/** The numbers of the fields that are read, in OpenTelemetry's protocol (opentelemetry-proto, trace/v1). */
const RESOURCE_SPANS = 1;
const SCOPE_SPANS = 2;
const SPANS = 2;
const NAME = 5;
const ATTRIBUTES = 9;
const KEY = 1;
const VALUE = 2;
const STRING = 1;
const WHOLE_NUMBER = 3;

function spansIn(request: Buffer): Span[] {
	return messages(request, RESOURCE_SPANS)
		.flatMap((resource) => messages(resource, SCOPE_SPANS))
		.flatMap((scope) => messages(scope, SPANS))
		.map((span) => ({
			name: messages(span, NAME).join(''),
			attributes: Object.fromEntries(messages(span, ATTRIBUTES).flatMap(attributeIn)),
		}));
}

function attributeIn(attribute: Buffer): Array<[string, string | number]> {
	const [value] = messages(attribute, VALUE);
	const [text] = messages(value, STRING);
	const [whole] = fieldsOf(value).filter(({ field }) => field === WHOLE_NUMBER);
	const read = text === undefined ? whole?.content : text.toString();
	return typeof read === 'object' || read === undefined ? [] : [[messages(attribute, KEY).join(''), read]];
}

function messages(buffer: Buffer, wanted: number): Buffer[] {
	return fieldsOf(buffer).flatMap(({ field, content }) =>
		field === wanted && typeof content === 'object' ? [content] : [],
	);
}

/** The fields of a message of Protocol Buffers; those with a fixed length have no content. */
function fieldsOf(buffer: Buffer): Array<{ field: number; content: Buffer | number | undefined }> {
	const fields: Array<{ field: number; content: Buffer | number | undefined }> = [];
	let position = 0;
	const varint = () => {
		let value = 0;
		for (let factor = 1; ; factor *= 128) {
			const byte = buffer[position++];
			value += (byte & 127) * factor;
			if (byte < 128) return value;
		}
	};
	while (position < buffer.length) {
		const tag = varint();
		const [field, kind] = [Math.floor(tag / 8), tag % 8];
		if (kind === 0) {
			fields.push({ field, content: varint() });
			continue;
		}
		const length = kind === 2 ? varint() : kind === 1 ? 8 : 4;
		fields.push({ field, content: kind === 2 ? buffer.subarray(position, position + length) : undefined });
		position += length;
	}
	return fields;
}
