import { mp3Beats } from './data/encodedNotes';
import { partOfBeat, type Sound } from './notes';

/** Bytes per frame: MPEG-2 layer III, 24 kHz, mono, 32 kbit/s. */
export const mp3FrameBytes = 96;
/** Each frame lasts 24 ms. */
export const mp3FramesPerBeat = 5;

/** One step of `global_gain` is a quarter of a factor of two. */
const gainStepDb = 20 * Math.log10(2 ** (1 / 4));
/**
 * Where `global_gain` is in a frame: 62 bits after its start, behind the header (32), `main_data_begin` (8), a private bit,
 * `part2_3_length` (12), and `big_values` (9).
 */
const gainPosition = { byte: 7, shift: 2 };

const usualBeats = mp3Beats.map((beat) => Buffer.from(beat, 'base64'));

/** A frame without sound has a gain of 0, which stays. */
function setGain(frame: Buffer, steps: number): void {
	const both = frame.readUInt16BE(gainPosition.byte);
	const gain = (both >> gainPosition.shift) & 0xff;
	const changed = Math.max(0, gain + steps);
	const others = both & ~(0xff << gainPosition.shift);
	frame.writeUInt16BE(others | (changed << gainPosition.shift), gainPosition.byte);
}

function atGain(beat: Buffer, gainDb: number): Buffer {
	const changed = Buffer.from(beat);
	const steps = Math.round(gainDb / gainStepDb);
	for (let start = 0; start < changed.length; start += mp3FrameBytes) {
		setGain(changed.subarray(start, start + mp3FrameBytes), steps);
	}
	return changed;
}

/**
 * The chunks of an MP3 file with a constant bit rate.
 * @param gainDb how much louder than usual, at most 0, in steps of 1.5
 */
export function* mp3File(sounds: Iterable<Sound>, gainDb = 0): Generator<Buffer> {
	const beats = gainDb === 0 ? usualBeats : usualBeats.map((beat) => atGain(beat, gainDb));
	for (const sound of sounds) {
		const { note, steps } = partOfBeat(sound, mp3FramesPerBeat);
		yield beats[note].subarray(0, steps * mp3FrameBytes);
	}
}
