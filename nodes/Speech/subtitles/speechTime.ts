/**
 * How long speech takes, in seconds at a usual speed. Only the proportions matter, because the length of each part is
 * measured. Syllables per second: Chinese 5.2, English 6.2, German 6, Japanese 7.8 morae, Korean 7, Thai 4.7, Spanish 7.8
 * (Coupé et al. 2019, and Pellegrino et al. 2011).
 */
const SECONDS = {
	/** A Chinese character is a syllable. */
	han: 0.19,
	/** In Japanese, a character stands for almost two morae. */
	kanji: 0.24,
	kana: 0.128,
	smallKana: 0.06,
	hangul: 0.145,
	/** Alphabets: a syllable, and each of its letters. Both together follow real speech better than either of them. */
	syllable: 0.09,
	letter: 0.024,
	/** Short vowels are not written. */
	semitic: 0.1,
	/** A letter with its vowel signs is a syllable. */
	indic: 0.15,
	thai: 0.066,
	/** Digits are read as words. */
	digit: 0.3,
	chineseDigit: 0.28,
	/** A sign that is read as a word, such as % or €. */
	sign: 0.35,
};

const PARAGRAPH_PAUSE = 0.8;
/** Pauses after punctuation, in seconds. */
const PAUSES: Array<[pattern: RegExp, seconds: number]> = [
	[/[.!?…。！？｡؟۔।॥።]/u, 0.5],
	[/\n/u, 0.4],
	[/[:;：；؛—–]/u, 0.3],
	[/[,，،]/u, 0.25],
	[/[、]/u, 0.2],
];

/** The language of a text, as far as the length of its characters depends on it. */
export interface Reading {
	isJapanese: boolean;
	isChinese: boolean;
}

export function readingOf(text: string): Reading {
	const isJapanese = /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text);
	return { isJapanese, isChinese: !isJapanese && /\p{Script=Han}/u.test(text) };
}

/** A sign in an address, such as example.com/news, which is read as a word. */
const SIGN_IN_ADDRESS = /(?<=[\p{L}\p{N}])[./:_](?=\p{L})/u;

/** How long a word is spoken, without the pause after it. */
export function spokenSeconds(word: string, { isJapanese, isChinese }: Reading): number {
	const pieces = word.split(SIGN_IN_ADDRESS);
	let seconds = SECONDS.sign * (pieces.length - 1);
	for (const piece of pieces) seconds += SECONDS.syllable * syllablesOf(piece);
	for (const character of word) {
		if (/\p{Script=Han}/u.test(character)) seconds += isJapanese ? SECONDS.kanji : SECONDS.han;
		else if (/[ぁぃぅぇぉっゃゅょァィゥェォッャュョ]/u.test(character)) seconds += SECONDS.smallKana;
		else if (/[\p{Script=Hiragana}\p{Script=Katakana}ー]/u.test(character)) seconds += SECONDS.kana;
		else if (/\p{Script=Hangul}/u.test(character)) seconds += SECONDS.hangul;
		else if (/\p{N}/u.test(character)) seconds += isChinese ? SECONDS.chineseDigit : SECONDS.digit;
		else if (/[%‰°€$£¥₹+=&@#]/u.test(character)) seconds += SECONDS.sign;
		else if (/\p{L}/u.test(character)) seconds += letterSeconds(character);
	}
	return seconds;
}

function letterSeconds(letter: string): number {
	if (/[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(letter)) return SECONDS.semitic;
	if (/[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u.test(letter)) return SECONDS.thai;
	return ALPHABETIC.test(letter) ? SECONDS.letter : SECONDS.indic;
}

const ALPHABETIC =
	/[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Georgian}]/u;
const VOWELS = /[aeiouyæøœаеёиоуыэюяіїєαεηιουω]+/giu;

/** Syllables of a word in an alphabet: groups of vowels. */
function syllablesOf(word: string): number {
	if (!ALPHABETIC.test(word)) return 0;
	const letters = word.normalize('NFD').replace(/\p{M}/gu, '');
	const groups = letters.match(VOWELS)?.length ?? 0;
	// A final e is silent in English, as in "late".
	const silent = groups > 1 && /[^aeiouyl]e$/i.test(letters) ? 1 : 0;
	// Abbreviations are spelled, and so are words without vowels.
	const spelled = /^\p{Lu}{2,5}$/u.test(letters) && groups < 2 ? letters.length : 0;
	if (groups === 0 && /^\p{L}{2,5}$/u.test(letters)) return letters.length;
	return Math.max(1, groups - silent, spelled);
}

/** How long the voice pauses at what stands between two words: punctuation and white space. */
export function pauseSeconds(between: string): number {
	if (between.split('\n').length > 2) return PARAGRAPH_PAUSE;
	return PAUSES.find(([pattern]) => pattern.test(between))?.[1] ?? 0;
}
