/** Everything the emulator plays is a row of beats of equal length; 120 ms is whole in MP3 (5 × 24 ms) and Opus (6 × 20 ms). */
export const beatSeconds = 0.12;

/** Notes that a beat can have, besides the rest, which is number 0. */
export const noteCount = 12;

const lowestPitch = 196;
/** A pentatonic scale: any order of its notes sounds harmless. */
const scale = [1, 9 / 8, 5 / 4, 3 / 2, 5 / 3];

function pitchOf(note: number): number {
	const step = note - 1;
	return lowestPitch * scale[step % scale.length] * 2 ** Math.floor(step / scale.length);
}

/** Soft at both ends, and silent before the beat ends, so that beats can be joined in any order. */
function loudness(seconds: number): number {
	const attack = 0.012;
	const sounding = 0.108;
	if (seconds >= sounding) return 0;
	const fade = seconds < attack ? seconds / attack : 1 - (seconds - attack) / (sounding - attack);
	return 0.25 * Math.sin((fade * Math.PI) / 2) ** 2;
}

/**
 * One beat as 16-bit little-endian mono PCM.
 * @param note 0 for a rest, else 1 to `noteCount`
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
