import type { Place } from '../../audio/joiner';
import { OPUS_RATE, type OpusPacket } from '../../audio/opus';
import type { OpusStream } from '../../audio/opusReader';
import { silencesIn } from '../levels';
import { amplifiedLoudness, type Loudness, loudnessFrom, together } from '../loudness';
import { OpusMeter } from './opusMeter';

/** Listens to the streams of an Ogg file while they are read. */
export class OpusListener {
	private readonly meters: OpusMeter[] = [];

	/** @param stream its number */
	add(packet: OpusPacket, stream: number): void {
		(this.meters[stream] ??= new OpusMeter()).add(packet);
	}

	/** How loud the streams are, one after the other; undefined if that is not known. */
	loudness(streams: OpusStream[]): Loudness | undefined {
		if (!this.meters.every(({ isMeasured }) => isMeasured)) return undefined;
		return together(
			streams.map(({ head }, index) => {
				// In decibels, in steps of 1/256 (RFC 7845, 5.1).
				const gain = 10 ** (head.readInt16LE(16) / 256 / 20);
				return amplifiedLoudness(loudnessFrom(this.meters[index].levels), gain);
			}),
		);
	}

	/** Where they are silent, counted from the beginning of the first one. */
	silences(streams: OpusStream[]): Place[] {
		let before = 0;
		return streams.flatMap(({ samples, preSkip, endPadding }, index) => {
			const hidden = preSkip / OPUS_RATE;
			const seconds = (samples - preSkip - endPadding) / OPUS_RATE;
			const start = before;
			before += seconds;
			const played = (time: number) => start + Math.max(0, Math.min(seconds, time - hidden));
			return silencesIn(this.meters[index].levels, samples / OPUS_RATE).map((place) => ({
				startSeconds: played(place.startSeconds),
				endSeconds: played(place.endSeconds),
			}));
		});
	}
}
