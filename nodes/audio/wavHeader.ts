/** Facts about the sound of a WAV file, from its header. */
export interface WavFacts {
	/** The whole `fmt ` chunk without its header. */
	format: Buffer;
	/** 1 is PCM, 3 is floating point; the extensible format is resolved to its actual format. */
	formatTag: number;
	isUncompressed: boolean;
	channels: number;
	sampleRate: number;
	/** Bytes per second. */
	byteRate: number;
	dataOffset: number;
	/** Bytes of sound according to the header; undefined when the sound continues to the end of the file. */
	declaredLength: number | undefined;
}

const EXTENSIBLE = 0xfffe;
const UNCOMPRESSED = [1, 3];
/**
 * Servers that do not know the length write one that is longer than any speech, in bytes: FFFFFFFF
 * (https://github.com/speaches-ai/speaches/issues/493), almost 7FFFFFFF (https://github.com/langgenius/dify/issues/41456),
 * or 2,000,000,000 (https://github.com/kyutai-labs/pocket-tts/issues/229).
 */
const UNKNOWN_LENGTH = 1e9;
const CONTAINER = /^(RIFF|RF64)[^]{4}WAVE/;
export const CONTAINER_BYTES = 12;
const CHUNK_NAME = /^[A-Za-z_][\w ]{3}$/;
/** The name and the size of a chunk. */
export const HEAD_BYTES = 8;

/** Tells whether a file begins with these bytes. */
export function isFile(head: Buffer): boolean {
	return CONTAINER.test(head.toString('latin1', 0, CONTAINER_BYTES));
}

/** The size of the chunk that begins with these bytes, as it says; undefined when no chunk begins here. */
export function chunkSize(head: Buffer): number | undefined {
	return head.length >= HEAD_BYTES && CHUNK_NAME.test(head.toString('latin1', 0, 4))
		? head.readUInt32LE(4)
		: undefined;
}

/** The facts in a `fmt ` chunk; undefined when it does not say how long its sound is. */
export function factsOf(
	format: Buffer,
	dataOffset: number,
	size: number,
	longDataSize: number | undefined,
): WavFacts | undefined {
	if (format.length < 16) return undefined;
	const tag = format.readUInt16LE(0);
	const channels = format.readUInt16LE(2);
	const sampleRate = format.readUInt32LE(4);
	const bits = format.readUInt16LE(14);
	const formatTag = tag === EXTENSIBLE && format.length >= 26 ? format.readUInt16LE(24) : tag;
	const isUncompressed = UNCOMPRESSED.includes(formatTag);
	const byteRate = isUncompressed ? sampleRate * channels * Math.ceil(bits / 8) : format.readUInt32LE(8);
	if (channels === 0 || sampleRate === 0 || byteRate === 0) return undefined;
	const length = (size === 0xffff_ffff && longDataSize) || size;
	const declaredLength = length > 0 && length < UNKNOWN_LENGTH ? length : undefined;
	return { format, formatTag, isUncompressed, channels, sampleRate, byteRate, dataOffset, declaredLength };
}

/** Tells whether sound can follow other sound without a change. */
export function sameFormat(one: WavFacts, other: WavFacts): boolean {
	const names = ['formatTag', 'channels', 'sampleRate', 'byteRate'] as const;
	return names.every((name) => one[name] === other[name]);
}
