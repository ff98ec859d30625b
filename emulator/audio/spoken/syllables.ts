import { Dice } from '../../utilities/random';
import type { Language } from './language';

const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

/** Abbreviations that are read in full, in syllables. The period after them ends no sentence. */
const abbreviations: ReadonlyMap<string, number> = new Map([
	['dr', 2],
	['mr', 2],
	['mrs', 2],
	['ms', 1],
	['prof', 3],
	['st', 1],
	['no', 2],
	['nr', 2],
	['sr', 2],
	['sra', 3],
	['bzw', 5],
	['ca', 2],
	['km', 4],
	['kg', 4],
	['cm', 4],
	['gb', 4],
	['e.g', 4],
	['u.s', 2],
	['a.m', 2],
	['p.m', 2],
]);

/** Whether a word is an abbreviation, so that the period after it ends no sentence. */
export function isAbbreviation(word: string): boolean {
	return abbreviations.has(word.toLowerCase()) || /^\p{Letter}$/u.test(word);
}

/** Vowels in groups; a silent `e` at the end does not count, and neither does the one of most endings in `ed` and `es`. */
function english(word: string): number {
	const groups = count(word, /[aeiouy]+/g);
	const split = count(word, /(?<![tscg])i[ao]|(?<!q)u[aeo](?=[ltn])|eo(?!u)|[aeiouy]ing$/g);
	const isSilent = /[^aeiouyl]e$|[^aeiouy][aeiouy]le$|[^aeiouytd]ed$|[^aeiouysxzcgh]es$/.test(word);
	return groups + split - (isSilent ? 1 : 0);
}

/** Diphthongs and double vowels are one syllable each; the vowels of compounds add up by themselves. */
function german(word: string): number {
	return count(word.replace(/qu/g, 'q'), /au|äu|eu|ei|ai|ey|ie|aa|ee|oo|[aeiouyäöü]/g);
}

/** Weak vowels join strong ones; an accent separates them. */
function spanish(word: string): number {
	const heard = word.replace(/qu|gu(?=[eiéí])/g, 'k');
	return count(heard, /[iuüy]?[aeoáéó](?:[iuü]|y(?![aeiouáéíóú]))?|[íú]|[iuüy]+/g);
}

function french(word: string): number {
	const groups = count(word.replace(/qu/g, 'k'), /[aàâeèêioôuûùyîïëœ]+|é/g);
	return groups - (groups > 1 && /[^aàâeèêéioôuûùyîïëœ](?:e|es)$/.test(word) ? 1 : 0);
}

/** Prepositions of one consonant join the next word. */
function russian(word: string): number {
	return count(word, /[аеёиоуыэюя]/g) || 0.4;
}

/** Short vowels are not written: about three in five consonants without a long vowel have one. */
function consonantal(word: string, longVowels: RegExp): number {
	const letters = count(word, /\p{Letter}/gu);
	const long = count(word.slice(1), longVowels);
	return long + 0.6 * Math.max(0, letters - 2 * long);
}

/** Each consonant has a vowel; the unwritten one is dropped at the end and between two syllables. */
function hindi(word: string): number {
	const syllables = word.match(/\p{Script=Devanagari}/gu)
		? (word.match(/[\u0904-\u0914]|[\u0915-\u0939\u0958-\u095f]\u093c?[\u093e-\u094c\u094d]?/g) ?? [])
		: [];
	let heard = 0;
	let isAfterVowel = false;
	syllables.forEach((syllable, index) => {
		if (syllable.endsWith('\u094d')) return;
		const isUnwritten = /[\u0915-\u0939\u0958-\u095f]\u093c?$/.test(syllable);
		const next = syllables[index + 1];
		const isDropped = isUnwritten && isAfterVowel && (next === undefined || /[\u093e-\u094c]$/.test(next));
		isAfterVowel = !isDropped;
		if (!isDropped) heard += 1;
	});
	return heard;
}

/** Vowels that belong together are one; consonants that no vowel can account for have an unwritten one. */
function thai(word: string): number {
	const bare = word.replace(/[\u0e47-\u0e4e\u0e46]/g, '').replace(/(?<=[ก-ฮ])อ/g, 'า');
	const joined = bare.replace(/[เแโ]([ก-ฮ]{1,2})(?:ะ|า|ิ|ี|ื|ั)+/g, '$1ะ');
	const vowels = count(joined, /[เแโใไะาำฤ]|ิ|ี|ึ|ื|ุ|ู|ั/g);
	const consonants = count(joined, /[ก-ฮ]/g);
	return vowels + Math.max(0, consonants - 1.8 * vowels) / 2.4;
}

/** A kanji has one to three morae, 1.85 on average; small kana belong to the one before. */
function japanese(word: string): number {
	const kana =
		count(word, /[\p{Script=Hiragana}\p{Script=Katakana}ー]/gu) -
		count(word, /[ゃゅょぁぃぅぇぉャュョァィゥェォ]/g);
	const kanji = word.match(/\p{Script=Han}/gu) ?? [];
	return kanji.reduce((sum, character) => {
		const draw = new Dice('kanji', character).next();
		return sum + (draw < 0.25 ? 1 : draw < 0.9 ? 2 : 3);
	}, kana);
}

const counters: Readonly<Record<Language, (word: string) => number>> = {
	english,
	german,
	spanish,
	french,
	russian,
	arabic: (word) => consonantal(word, /[اويىآ]/g),
	hebrew: (word) => consonantal(word, /[וי]|[הא]$/g),
	hindi,
	thai,
	chinese: (word) => count(word, /\p{Script=Han}/gu),
	japanese,
	korean: (word) => count(word, /\p{Script=Hangul}/gu),
};

/**
 * How many syllables (in Japanese morae) a word has when it is read aloud; a fraction where its spelling does not tell.
 * @param word without digits
 */
export function syllablesOf(word: string, language: Language): number {
	const known = abbreviations.get(word.toLowerCase());
	if (known !== undefined) return known;
	// Capitals are spelled out, unless they can be read as a word.
	if (/^[A-Z]{2,4}$/.test(word) && !/^[^AEIOU]?[AEIOU][^AEIOU][AEIOU]/.test(word)) {
		return word.length + count(word, /W/g) * 2;
	}
	const heard = counters[language](word.toLowerCase().normalize('NFC'));
	const isShortWord = language === 'russian' && heard > 0;
	return isShortWord ? heard : Math.max(1, heard);
}
