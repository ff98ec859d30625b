import type { IBinaryData } from 'n8n-workflow';

interface WavOptions {
	seconds?: number;
	/** Hertz. */
	sampleRate?: number;
	channels?: number;
	/** `RF64` stores the sizes in a separate chunk. */
	container?: 'RIFF' | 'RF64';
	extensible?: boolean;
	/** Precedes the sound. */
	chunk?: Buffer;
}

/** A WAV file of 16-bit PCM. */
export function wav({
	seconds = 12,
	sampleRate = 16_000,
	channels = 1,
	container = 'RIFF',
	extensible = false,
	chunk = Buffer.alloc(0),
}: WavOptions = {}): Buffer {
	const sound = Buffer.alloc(Math.round(seconds * sampleRate) * 2 * channels, 1);
	const format = Buffer.alloc(extensible ? 40 : 16);
	format.writeUInt16LE(extensible ? 0xfffe : 1, 0);
	format.writeUInt16LE(channels, 2);
	format.writeUInt32LE(sampleRate, 4);
	format.writeUInt32LE(sampleRate * 2 * channels, 8);
	format.writeUInt16LE(2 * channels, 12);
	format.writeUInt16LE(16, 14);
	if (extensible) {
		format.writeUInt16LE(22, 16);
		format.writeUInt16LE(1, 24);
	}
	const isLong = container === 'RF64';
	const sizes = Buffer.alloc(28);
	sizes.writeBigUInt64LE(BigInt(sound.length), 8);
	const body = Buffer.concat([
		Buffer.from('WAVE'),
		...(isLong ? [chunkOf('ds64', sizes)] : []),
		chunkOf('fmt ', format),
		chunk,
		chunkOf('data', sound, isLong ? 0xffff_ffff : sound.length),
	]);
	return chunkOf(container, body, isLong ? 0xffff_ffff : body.length);
}

/** Such a file in a binary field. */
export function wavSample(options?: WavOptions): IBinaryData {
	return { data: wav(options).toString('base64'), mimeType: 'audio/wav', fileName: 'sample.wav' };
}

/** A chunk of a RIFF file, with its pad byte. */
export function chunkOf(name: string, content: Buffer, size = content.length): Buffer {
	const head = Buffer.alloc(8);
	head.write(name, 'latin1');
	head.writeUInt32LE(size, 4);
	return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}
