import { ByteWindow } from './byteWindow';

/** Reads the structure of an audio file while it passes by, in chunks of any size and with little memory. */
export abstract class AudioScanner {
	protected readonly window = new ByteWindow();

	/** Takes the next bytes of the file. */
	add(chunk: Buffer): void {
		this.window.push(chunk);
		this.advance();
	}

	/** Takes the end of the file. */
	end(): void {
		this.window.end();
		this.advance();
	}

	/** Seconds of sound in the file; complete after {@link end}, undefined when nothing tells them. */
	abstract get seconds(): number | undefined;

	/** Reads one piece; false when more bytes are needed first, or nothing more is of interest. */
	protected abstract step(): boolean;

	private advance(): void {
		while (this.step());
	}
}

/** A scanner that has read a whole file. */
export function scanned<Scanner extends AudioScanner>(scanner: Scanner, bytes: Buffer): Scanner {
	scanner.add(bytes);
	scanner.end();
	return scanner;
}
