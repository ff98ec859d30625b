import { ByteWindow } from './byteWindow';

/** Reads the structure of an audio file that arrives in chunks of any size, with little memory. */
export abstract class AudioScanner {
	protected readonly window = new ByteWindow();

	/** Reads the next bytes of the file. */
	add(chunk: Buffer): void {
		this.window.push(chunk);
		this.advance();
	}

	/** Marks the end of the file. */
	end(): void {
		this.window.end();
		this.advance();
	}

	/** Duration in seconds. Final after {@link end}; undefined when the file does not reveal it. */
	abstract get seconds(): number | undefined;

	/** Reads one piece. @returns false when it needs more bytes first, or nothing more is of interest */
	protected abstract step(): boolean;

	private advance(): void {
		while (this.step());
	}
}

/** The scanner after it has read a whole file. */
export function scanned<Scanner extends AudioScanner>(scanner: Scanner, bytes: Buffer): Scanner {
	scanner.add(bytes);
	scanner.end();
	return scanner;
}
