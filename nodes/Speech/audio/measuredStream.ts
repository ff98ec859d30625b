import { streamFrom, type ByteStream } from '../../shared/http/byteStream';
import type { AudioScanner } from '../../shared/audio/audioScanner';
import { audioScanner } from './joinAudio';

/** A stream of audio whose length is read while it passes by. */
export interface MeasuredStream {
	stream: ByteStream;
	/** Seconds of sound, once the stream was read to its end; undefined when nothing tells them. */
	seconds(this: void): number | undefined;
}

/** Enough of a file to tell what it is. */
const ENOUGH_BYTES = 16;

/** Measures audio on its way to somewhere else; nothing of it is held back. */
export function measured(source: ByteStream): MeasuredStream {
	let scanner: AudioScanner | undefined;
	let beginning: Buffer | undefined = Buffer.alloc(0);
	const scan = (chunk: Buffer, isEnd: boolean) => {
		if (!beginning) return scanner?.add(chunk);
		beginning = Buffer.concat([beginning, chunk]);
		if (beginning.length < ENOUGH_BYTES && !isEnd) return;
		scanner = audioScanner(beginning);
		scanner?.add(beginning);
		beginning = undefined;
	};
	async function* passing(): AsyncGenerator<Buffer> {
		for await (const chunk of source) {
			scan(chunk as Buffer, false);
			yield chunk as Buffer;
		}
		scan(Buffer.alloc(0), true);
		scanner?.end();
	}
	return { stream: streamFrom(passing()), seconds: () => scanner?.seconds };
}
