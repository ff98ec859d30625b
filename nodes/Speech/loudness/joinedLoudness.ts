import { amplifiedLoudness, levelGains, type Loudness, together } from './loudness';

/** What is joined, as far as its loudness matters. */
interface Piece {
	/** Undefined if it could not be measured. */
	loudness: Loudness | undefined;
	/** What is levelled together. */
	group: number | undefined;
}

/** How loud a joined file is, and how its pieces are levelled. */
export class JoinedLoudness {
	private readonly pieces: Piece[] = [];
	private known: Map<number | undefined, number> | undefined;

	/**
	 * @param levels whether its groups become equally loud
	 * @param possible the gain that can be applied instead of one that is wanted
	 */
	constructor(
		private readonly levels: boolean,
		private readonly possible: (gain: number) => number = (gain) => gain,
	) {}

	add(loudness: Loudness | undefined, group: number | undefined): void {
		this.pieces.push({ loudness, group });
		this.known = undefined;
	}

	/** The factor of all samples of a group. */
	gainOf(group: number | undefined): number {
		this.known ??= this.levels ? this.gains() : new Map();
		return this.known.get(group) ?? 1;
	}

	/** The loudness of the whole file; undefined if a piece could not be measured. */
	get whole(): Loudness | undefined {
		const pieces: Loudness[] = [];
		for (const { loudness, group } of this.pieces) {
			if (!loudness) return undefined;
			pieces.push(amplifiedLoudness(loudness, this.gainOf(group)));
		}
		return pieces.length > 0 ? together(pieces) : undefined;
	}

	private gains(): Map<number | undefined, number> {
		const groups = [...new Set(this.pieces.map(({ group }) => group))];
		const measured = groups.map((group) => {
			const parts = this.pieces
				.filter((piece) => piece.group === group)
				.flatMap(({ loudness }) => loudness ?? []);
			return parts.length > 0 ? together(parts) : undefined;
		});
		const gains = levelGains(measured);
		return new Map(groups.map((group, index) => [group, this.possible(gains[index])]));
	}
}
