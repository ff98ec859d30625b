import { streamFrom, type ByteStream } from '../../shared/http/byteStream';
import type { AudioScanner } from '../../shared/audio/audioScanner';
import { scannerFor } from './formats';

/** A stream of audio that is measured while it is read. */
export interface MeasuredStream {
	stream: ByteStream;
	/** Duration in seconds, once the whole stream has been read; undefined for a format that cannot be measured. */
	seconds(this: void): number | undefined;
}

/** Enough of a file to detect its format. */
const ENOUGH_BYTES = 16;

/** Measures audio on its way to another reader, without keeping it in memory. */
export function measured(source: ByteStream): MeasuredStream {
	let scanner: AudioScanner | undefined;
	let beginning: Buffer | undefined = Buffer.alloc(0);
	const scan = (chunk: Buffer, isEnd: boolean) => {
		if (!beginning) return scanner?.add(chunk);
		beginning = Buffer.concat([beginning, chunk]);
		if (beginning.length < ENOUGH_BYTES && !isEnd) return;
		scanner = scannerFor(beginning);
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
