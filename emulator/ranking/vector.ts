import { weightedTermsOf, weightOf } from './weightedTerms';

/** The number of dimensions to which each term contributes. It is large enough that two terms hardly overlap. */
const dimensionsPerTerm = 24;

/** Returns a 32-bit hash (FNV-1a, then mixed). */
function hashOf(text: string, seed: number): number {
	let hash = 0x811c9dc5 ^ seed;
	for (let index = 0; index < text.length; index++) {
		hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
	}
	hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
	hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
	return (hash ^ (hash >>> 16)) >>> 0;
}

/**
 * Returns the embedding of a text: a unit vector, always the same for the same text. Each term adds its weight, with
 * varying sign, to a few dimensions, so the cosine of two vectors reflects the words that the texts share.
 */
export function vectorOf(text: string, dimensions: number): Float32Array {
	const vector = new Float32Array(dimensions);
	const { counts } = weightedTermsOf(text);
	// A text without words (punctuation only) still gets its own vector.
	const terms = counts.size > 0 ? [...counts] : [[text, 1] as const];
	for (const [term, count] of terms) {
		const weight = weightOf(term) * Math.sqrt(count);
		for (let index = 0; index < dimensionsPerTerm; index++) {
			const hash = hashOf(term, index);
			vector[hash % dimensions] += hash & 0x8000_0000 ? -weight : weight;
		}
	}
	const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
	if (length === 0) vector[0] = 1;
	else for (let index = 0; index < dimensions; index++) vector[index] /= length;
	return vector;
}
