import { weightedTermsOf, weightOf } from './weightedTerms';

/** The usual constants of BM25: how quickly repeated terms stop counting, and how much long texts are penalized. */
const saturation = 1.2;
const lengthShare = 0.75;
const usualLength = 40;

/**
 * Returns a function that scores the relevance of a text for the query, from 0 (no common words) to below 1. It is BM25
 * with a fixed average length and fixed term weights, so a score does not depend on the other documents.
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
