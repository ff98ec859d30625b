/** Properties of a WAV file. */
export interface WavInspection {
	seconds: number;
	/** In Hz. */
	sampleRate: number;
	channels: number;
}

const unknownSize = 0xffff_ffff;

/**
 * Reads the header of a WAV file: RIFF, or RF64 with 64-bit sizes.
 * @param start the beginning of the file, including everything before the audio data
 * @param fileBytes size of the whole file
 * @returns undefined for anything that is not a WAV file with a readable header
 */
export function inspectWav(start: Buffer, fileBytes: number): WavInspection | undefined {
	const container = start.toString('latin1', 0, 4);
	if (!['RIFF', 'RF64'].includes(container) || start.toString('latin1', 8, 12) !== 'WAVE') return undefined;
	let format: { channels: number; sampleRate: number; bytesPerSecond: number } | undefined;
	let longDataSize: number | undefined;
	for (let position = 12; position + 8 <= start.length;) {
		const id = start.toString('latin1', position, position + 4);
		const size = start.readUInt32LE(position + 4);
		const content = position + 8;
		if (id === 'data') {
			if (!format) return undefined;
			const present = fileBytes - content;
			const declared = size === unknownSize ? (longDataSize ?? present) : size === 0 ? present : size;
			const { channels, sampleRate, bytesPerSecond } = format;
			return { seconds: Math.min(declared, present) / bytesPerSecond, sampleRate, channels };
		}
		if (id === 'ds64' && content + 16 <= start.length) {
			longDataSize = Number(start.readBigUInt64LE(content + 8));
		}
		if (id === 'fmt ' && size >= 16 && content + 16 <= start.length) {
			const channels = start.readUInt16LE(content + 2);
			const sampleRate = start.readUInt32LE(content + 4);
			const bytesPerSecond = start.readUInt32LE(content + 8);
			if (channels === 0 || sampleRate === 0 || bytesPerSecond === 0) return undefined;
			format = { channels, sampleRate, bytesPerSecond };
		}
		// Chunks begin at even positions.
		position = content + size + (size % 2);
	}
	return undefined;
}
