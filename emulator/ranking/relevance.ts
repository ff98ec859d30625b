import { weightedTermsOf, weightOf } from './weightedTerms';

/** How soon repetition stops to help, and how much a long text is marked down: the usual values of BM25. */
const saturation = 1.2;
const lengthShare = 0.75;
const usualLength = 40;

/**
 * Gives a function that says how well a text answers the query, from 0 (no word in common) to below 1. It is BM25 with
 * a fixed usual length and fixed weights of words, so the score of a text does not depend on the texts beside it.
 */
export function relevanceTo(query: string): (text: string) => number {
	const wanted = [...weightedTermsOf(query).counts.keys()];
	const total = wanted.reduce((sum, term) => sum + weightOf(term), 0);
	return (text) => {
		if (total === 0) return 0;
		const { counts, length } = weightedTermsOf(text);
		const penalty = saturation * (1 - lengthShare + (lengthShare * length) / usualLength);
		const found = wanted.reduce((sum, term) => {
			const count = counts.get(term) ?? 0;
			return sum + (weightOf(term) * count) / (count + penalty);
		}, 0);
		return found / total;
	};
}
