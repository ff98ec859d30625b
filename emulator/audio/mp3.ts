import { mp3Beats } from './data/encodedNotes';

/** Bytes per frame: MPEG-2 layer III, 24 kHz, mono, 32 kbit/s. */
export const mp3FrameBytes = 96;
/** Each frame lasts 24 ms. */
export const mp3FramesPerBeat = 5;

const beats = mp3Beats.map((beat) => Buffer.from(beat, 'base64'));

/** Yields the chunks of an MP3 file with a constant bit rate. */
export function* mp3File(notes: Iterable<number>): Generator<Buffer> {
	for (const note of notes) yield beats[note];
}
