import { type Language, languageReader } from './language';
import { numberSyllables } from './numbers';
import { isAbbreviation, syllablesOf } from './syllables';

/** What is between a word and the next one. */
export type Gap = 'none' | 'mark' | 'comma' | 'colon' | 'sentence' | 'paragraph';

/** A word as it stands in a text, or a number with its signs. */
export interface Word {
	text: string;
	/** Position of its first character. */
	start: number;
	language: Language;
	/** In Japanese morae. */
	syllables: number;
	/** What follows it. */
	gap: Gap;
}

const number = /(?:[$€£¥₹₩]\s?)?\d+(?:[.,:]\d+)*(?:\s?[%‰°€$£]|年)?|[&+=@]/gu;
const segmenter = new Intl.Segmenter('und', { granularity: 'word' });

/** The words of a text that has no numbers; `offset` is its position. */
function plainWords(text: string, offset: number): Array<{ text: string; start: number }> {
	return [...segmenter.segment(text)]
		.filter(({ isWordLike }) => isWordLike)
		.map(({ segment, index }) => ({ text: segment, start: offset + index }));
}

function rawWords(text: string): Array<{ text: string; start: number }> {
	let position = 0;
	const found: Array<{ text: string; start: number }> = [];
	for (const match of text.matchAll(number)) {
		found.push(...plainWords(text.slice(position, match.index), position));
		found.push({ text: match[0], start: match.index });
		position = match.index + match[0].length;
	}
	return [...found, ...plainWords(text.slice(position), position)];
}

function gapOf(between: string, word: string, language: Language, next: string): Gap {
	if (/\n/.test(between)) return 'paragraph';
	if (/[!?。！？؟।…]/u.test(between)) return 'sentence';
	const isOrdinal = language === 'german' && /^\d{1,2}$/.test(word);
	if (between.includes('.') && !isOrdinal && !isAbbreviation(word) && !/^\p{Lowercase}/u.test(next)) {
		return 'sentence';
	}
	if (/[:;：；؛—]|\s[–-]\s/u.test(between)) return 'colon';
	if (/[,，、،]/u.test(between)) return 'comma';
	// Thai has no commas: a space ends a phrase, except at a number.
	if (language === 'thai' && /\s/.test(between) && !/\d/.test(word + next)) return 'comma';
	return /[\p{Pi}\p{Pf}\p{Ps}\p{Pe}"]/u.test(between) ? 'mark' : 'none';
}

/** The words of a text in the order in which they are read. Numbers are read in the language around them. */
export function spokenWords(text: string): Word[] {
	const languageOf = languageReader(text);
	const raw = rawWords(text);
	const known = raw.map((word) => languageOf(word.text));
	let language = known.find((one) => one !== undefined) ?? 'english';
	return raw.map((word, index) => {
		language = known[index] ?? language;
		const next = raw[index + 1] as (typeof raw)[number] | undefined;
		const between = text.slice(word.start + word.text.length, next?.start);
		const isNumber = known[index] === undefined || /\d/.test(word.text);
		return {
			...word,
			language,
			syllables: isNumber ? numberSyllables(word.text, language) : syllablesOf(word.text, language),
			gap: next ? gapOf(between, word.text, language, next.text) : 'sentence',
		};
	});
}
