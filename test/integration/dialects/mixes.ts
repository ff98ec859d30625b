import { dialectGroups, type Dialect, type Meaning } from '../../../emulator/dialects';
import { NAMES_END } from './cell';
import type { DialectTask } from './matrix';
import { dialectOperations } from './operations';

type Same = Extract<Meaning, { kind: 'same' }>;

/** Dialects that leave the meaning of an answer as it is, and so may come together. */
const MIXABLE = ['Decorative fields', 'Optional fields', 'Chat streams'].flatMap((group) =>
	dialectGroups[group].filter(({ carriedOut, meaning }) => carriedOut && meaning.kind === 'same'),
);
/** New voices would change the lists of voices in other cells. */
const OPERATIONS = dialectOperations.filter(({ node, creates }) => !(node === 'voiceModel' && creates));
const MOST = 4;

/**
 * Cells in which an answer has several dialects at once.
 *
 * @param random numbers in [0, 1)
 */
export function mixedTasks(count: number, random: () => number): DialectTask[] {
	const any = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)];
	return Array.from({ length: count }, () => {
		const length = 2 + Math.floor(random() * (MOST - 1));
		const mixed = new Set(Array.from({ length }, () => any(MIXABLE)));
		return { dialect: mixOf([...mixed]), operations: [any(OPERATIONS)] };
	});
}

function mixOf(dialects: Dialect[]): Dialect {
	return {
		name: dialects.map(({ name }) => name).join(NAMES_END),
		description: 'A mix',
		routes: dialects.flatMap(({ routes }) => routes),
		carriedOut: true,
		meaning: { kind: 'same', loose: looseOf(dialects.map(({ meaning }) => meaning as Same)) },
	};
}

/** What any of the dialects makes of a field. */
function looseOf(meanings: Same[]): Same['loose'] {
	const loose: Record<string, RegExp | null> = {};
	for (const [field, pattern] of meanings.flatMap((meaning) => Object.entries(meaning.loose ?? {}))) {
		const known = loose[field];
		loose[field] =
			known && pattern ? new RegExp(`${known.source}|${pattern.source}`) : (pattern ?? known ?? null);
	}
	return loose;
}
