import { Readable } from 'node:stream';
import type { SimulatedClock } from './clock';

/** The way in which the body of an answer ends. */
type BodyEnd = 'end' | 'lost' | 'stall';

/** The way in which an answer arrives. */
interface Arrival {
	clock: SimulatedClock;
	/** The longest pause between two pieces, in milliseconds. */
	pauseMs: number;
	ends: BodyEnd;
	/** Called with each piece that was sent. */
	onSent: (piece: Buffer) => void;
	/** Called when the body was read or given up. Nothing is open afterwards. */
	onClosed: (isComplete: boolean) => void;
}

const MOST_PIECES = 4;

/** The body of an answer, arriving in pieces as from a network. */
export class AnswerBody extends Readable {
	private readonly pieces: Buffer[];
	private readonly givenUp = new AbortController();
	private isSending = false;
	private isComplete = false;
	private isCancelled = false;

	constructor(
		bytes: Buffer,
		private readonly arrival: Arrival,
	) {
		super();
		this.pieces = piecesOf(bytes, arrival.clock.random);
	}

	/** Aborts the request. Like axios, emits the error as an event, so that the body is not `errored`. */
	cancel(): void {
		if (this.destroyed) return;
		this.isCancelled = true;
		this.emit('error', Object.assign(new Error('canceled'), { code: 'ERR_CANCELED' }));
		this.destroy();
	}

	override _read(): void {
		if (!this.isSending) void this.sendNext();
	}

	override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
		// An explicit reason, because creating the default one takes long.
		this.givenUp.abort('given up');
		// A client may give up the rest once it has read what it needs.
		const isGivenUp = !error && !this.isCancelled && this.arrival.ends === 'end';
		this.arrival.onClosed(this.isComplete || isGivenUp);
		done(error);
	}

	private async sendNext(): Promise<void> {
		const { clock, pauseMs, ends, onSent } = this.arrival;
		this.isSending = true;
		await clock.sleep(pauseMs * clock.random(), this.givenUp.signal);
		this.isSending = false;
		if (this.destroyed || clock.wasKilled) return;
		const piece = this.pieces.shift();
		if (piece) {
			onSent(piece);
			this.push(piece);
		} else if (ends === 'end') {
			this.isComplete = true;
			this.push(null);
		} else if (ends === 'lost') {
			this.destroy(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }));
		} else {
			this.isSending = true;
		}
	}
}

/** Cuts bytes into pieces at random positions. */
function piecesOf(bytes: Buffer, random: () => number): Buffer[] {
	const cut = () => Math.min(bytes.length, 1 + Math.floor(random() * bytes.length));
	const cuts = Array.from({ length: Math.floor(random() * MOST_PIECES) }, cut);
	const ends = [...cuts.sort((one, other) => one - other), bytes.length];
	return ends
		.map((end, index) => bytes.subarray(index === 0 ? 0 : ends[index - 1], end))
		.filter(({ length }) => length > 0);
}
