import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, deflate, gzip, type BrotliOptions } from 'node:zlib';

const blockBytes = 1_000_000;
const whiteSpace = Buffer.alloc(blockBytes, ' ');
const brotli = promisify<Buffer, BrotliOptions, Buffer>(brotliCompress);
/** By default, Brotli takes many seconds for a bomb. */
const fastBrotli = { [constants.BROTLI_PARAM_QUALITY]: 3 };
const compressors = {
	gzip: promisify(gzip),
	deflate: promisify(deflate),
	br: async (body: Buffer) => await brotli(body, { params: fastBrotli }),
};

/** Adds the field `deep`, which contains deeply nested arrays, to a JSON object or to the `data` of an envelope. */
export function deepJson(json: Buffer | undefined, levels: number): Buffer {
	const original: unknown = json ? JSON.parse(json.toString('utf8')) : {};
	const isEnvelope = isRecord(original) && isRecord(original.data);
	const marked = isEnvelope
		? { ...original, data: { ...(original.data as object), deep: 0 } }
		: { ...(original as object), deep: 0 };
	// Built as text, because JSON.stringify would overflow the stack.
	const deep = `"deep":${'['.repeat(levels)}${']'.repeat(levels)}`;
	return Buffer.from(JSON.stringify(marked).replace(/"deep":0(?=\}*[,}])/, () => deep));
}

function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Prepends at least `bytes` of white space to JSON; generated while it is sent. */
export function hugeJson(json: Buffer | undefined, bytes: number): Readable {
	function* chunks() {
		for (let sent = 0; sent < bytes; sent += blockBytes) yield whiteSpace;
		yield json ?? Buffer.from('{}');
	}
	return Readable.from(chunks(), { objectMode: false });
}

/**
 * Compresses a body and `bytes` of line feeds, which are small until they are decompressed.
 * @param encodings applied one after another
 * @param inFront whether the line feeds come before the body
 */
export async function bomb(
	body: Buffer,
	{ encodings, bytes }: { encodings: ReadonlyArray<keyof typeof compressors>; bytes: number },
	inFront: boolean,
): Promise<Buffer> {
	const lineFeeds = Buffer.alloc(bytes, '\n');
	let compressed: Buffer = Buffer.concat(inFront ? [lineFeeds, body] : [body, lineFeeds]);
	for (const encoding of encodings) compressed = await compressors[encoding](compressed);
	return compressed;
}

const mark = '"the objects belong here"';

/** Adds empty objects to the first list in JSON, or a list of them; generated while it is sent. */
export function manyObjects(json: Buffer | undefined, bytes: number): Readable {
	const original: unknown = json ? JSON.parse(json.toString('utf8')) : {};
	const list = firstList(original) ?? [];
	list.push(JSON.parse(mark));
	const marked = list.length > 1 ? original : { ...(original as object), objects: list };
	const [before, after] = JSON.stringify(marked).split(mark);
	const block = Buffer.from('{},'.repeat(blockBytes / 4));
	function* chunks() {
		yield Buffer.from(before);
		for (let sent = 0; sent < bytes; sent += block.length) yield block;
		yield Buffer.from(`{}${after}`);
	}
	return Readable.from(chunks(), { objectMode: false });
}

function firstList(value: unknown): unknown[] | undefined {
	if (Array.isArray(value)) return value as unknown[];
	if (!isRecord(value)) return undefined;
	for (const part of Object.values(value)) {
		const list = firstList(part);
		if (list) return list;
	}
	return undefined;
}

/**
 * Inserts bytes that are not valid UTF-8: after the opening quote of the first string value, or of the first name, or in
 * the middle of the body.
 */
export function invalidUtf8(body: Buffer): Buffer {
	const text = body.toString('latin1');
	const value = /:\s*"/.exec(text) ?? /"/.exec(text);
	const position = value ? value.index + value[0].length : Math.floor(body.length / 2);
	return Buffer.concat([
		body.subarray(0, position),
		Buffer.from([0xff, 0xc3, 0x28]),
		body.subarray(position),
	]);
}
