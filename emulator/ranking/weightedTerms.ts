import { isEastAsian } from '../text';

/** The terms of a text with their counts, and the total number of terms. */
export interface WeightedTerms {
	counts: Map<string, number>;
	length: number;
}

const words = new Intl.Segmenter('und', { granularity: 'word' });

/** Common longer words. Like words of up to three letters, they hardly help to distinguish texts. */
const fillers = new Set(
	'from have into than that them then there they this what when which will with your'.split(' '),
);

/** Normalizes a word: removes case, accents, full-width forms, and the plural s. */
function normalized(word: string): string {
	const plain = word.normalize('NFKD').replace(/\p{M}/gu, '').normalize('NFKC').toLowerCase();
	return /^[a-z]{4,}s$/.test(plain) && !plain.endsWith('ss') ? plain.slice(0, -1) : plain;
}

/**
 * Returns the terms of a text in any script. Chinese, Japanese, and Korean words are additionally counted by their
 * characters, because their word boundaries depend on the context.
 */
export function weightedTermsOf(text: string): WeightedTerms {
	const counts = new Map<string, number>();
	let length = 0;
	const add = (term: string) => {
		counts.set(term, (counts.get(term) ?? 0) + 1);
		length += 1;
	};
	for (const { segment, isWordLike } of words.segment(text)) {
		if (!isWordLike) continue;
		const word = normalized(segment);
		add(word);
		const characters = [...word].filter(isEastAsian);
		if (characters.length > 1) characters.forEach(add);
	}
	return { counts, length };
}

/** Returns the weight of a term, independently of the texts. Long words weigh more than short ones. */
export function weightOf(term: string): number {
	if (isEastAsian(term)) return term.length > 1 ? 1 : 0.5;
	if (fillers.has(term)) return 0.1;
	return term.length <= 3 && !/\d/.test(term) ? 0.2 : 1;
}
