import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';

const blockBytes = 1_000_000;
const whiteSpace = Buffer.alloc(blockBytes, ' ');

/** A JSON object with one more field, `deep`, that holds arrays in arrays; in an envelope it stands in its `data`. */
export function deepJson(json: Buffer | undefined, levels: number): Buffer {
	const right: unknown = json ? JSON.parse(json.toString('utf8')) : {};
	const isEnvelope = isRecord(right) && isRecord(right.data);
	const marked = isEnvelope
		? { ...right, data: { ...(right.data as object), deep: 0 } }
		: { ...(right as object), deep: 0 };
	// Written by hand, because what writes JSON counts on the stack.
	const deep = `"deep":${'['.repeat(levels)}${']'.repeat(levels)}`;
	return Buffer.from(JSON.stringify(marked).replace(/"deep":0(?=\}*[,}])/, () => deep));
}

function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** JSON behind so much white space that all of it is longer than `bytes`; made while it is sent. */
export function hugeJson(json: Buffer | undefined, bytes: number): Readable {
	function* pieces() {
		for (let sent = 0; sent < bytes; sent += blockBytes) yield whiteSpace;
		yield json ?? Buffer.from('{}');
	}
	return Readable.from(pieces(), { objectMode: false });
}

/** A body in gzip that grows by `bytes` of white space when it is unpacked. */
export function gzipBomb(body: Buffer, bytes: number): Buffer {
	// Several gzip files in a row unpack to one.
	const block = gzipSync(whiteSpace);
	const blocks = Array.from({ length: Math.ceil(bytes / blockBytes) }, () => block);
	return Buffer.concat([gzipSync(body), ...blocks]);
}

/** A body with bytes that no UTF-8 text holds: behind the first opening quotation mark of a value, else in its middle. */
export function invalidUtf8(body: Buffer): Buffer {
	const value = /:\s*"/.exec(body.toString('latin1'));
	const position = value ? value.index + value[0].length : Math.floor(body.length / 2);
	return Buffer.concat([
		body.subarray(0, position),
		Buffer.from([0xff, 0xc3, 0x28]),
		body.subarray(position),
	]);
}
