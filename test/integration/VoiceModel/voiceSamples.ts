import type { IBinaryData } from 'n8n-workflow';

interface WavOptions {
	seconds?: number;
	/** In Hz. */
	sampleRate?: number;
	channels?: number;
	extensible?: boolean;
}

/** Returns a WAV file of 16-bit PCM. */
export function wav({
	seconds = 12,
	sampleRate = 16_000,
	channels = 1,
	extensible = false,
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
	const body = [Buffer.from('WAVE'), chunkOf('fmt ', format), chunkOf('data', sound)];
	return chunkOf('RIFF', Buffer.concat(body));
}

/** Returns a WAV file of 16-bit PCM, as the content of a binary field. */
export function wavSample(options?: WavOptions): IBinaryData {
	return { data: wav(options).toString('base64'), mimeType: 'audio/wav', fileName: 'sample.wav' };
}

/** Returns a chunk of a RIFF file, with its pad byte. */
function chunkOf(name: string, content: Buffer): Buffer {
	const head = Buffer.alloc(8);
	head.write(name, 'latin1');
	head.writeUInt32LE(content.length, 4);
	return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}
