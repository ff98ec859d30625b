/** All audio is a sequence of equally long beats; 120 ms is a multiple of MP3 frames (5 × 24 ms) and Opus packets (6 × 20 ms). */
export const beatSeconds = 0.12;

/** Number of notes, excluding the rest, which is note 0. */
export const noteCount = 12;

const lowestPitch = 196;
/** A pentatonic scale, which sounds pleasant in any order. */
const scale = [1, 9 / 8, 5 / 4, 3 / 2, 5 / 3];

function pitchOf(note: number): number {
	const step = note - 1;
	return lowestPitch * scale[step % scale.length] * 2 ** Math.floor(step / scale.length);
}

/** Fades in and out and ends in silence, so that beats can be joined in any order. */
function loudness(seconds: number): number {
	const attack = 0.012;
	const sounding = 0.108;
	if (seconds >= sounding) return 0;
	const fade = seconds < attack ? seconds / attack : 1 - (seconds - attack) / (sounding - attack);
	return 0.25 * Math.sin((fade * Math.PI) / 2) ** 2;
}

/**
 * Returns one beat as 16-bit little-endian mono PCM.
 * @param note 0 for a rest, otherwise 1 to `noteCount`
 * @param sampleRate in Hz
 */
export function beatPcm(note: number, sampleRate: number): Buffer {
	const samples = Math.round(beatSeconds * sampleRate);
	const pcm = Buffer.alloc(samples * 2);
	if (note === 0) return pcm;
	const turn = 2 * Math.PI * pitchOf(note);
	for (let index = 0; index < samples; index++) {
		const seconds = index / sampleRate;
		const wave = Math.sin(turn * seconds) + 0.3 * Math.sin(2 * turn * seconds);
		pcm.writeInt16LE(Math.round(loudness(seconds) * (wave / 1.3) * 32_767), index * 2);
	}
	return pcm;
}
