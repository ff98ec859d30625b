import { glossary } from './data/glossary';
import { Dice } from './random';

const hanCharacters = '山水云风花月星河春秋林石田雨雪光明清远和平安心行知书画琴松竹梅兰川海天地日';
const syllables: Record<string, readonly string[]> = {
	latin: ['ba', 'ko', 'ri', 'lu', 'se', 'ta', 'ni', 'mo', 've', 'da', 'fi', 'gu', 'pa', 'zo', 'ke', 'la'],
	cyrillic: ['ба', 'ко', 'ри', 'лу', 'се', 'та', 'ни', 'мо', 'ве', 'да', 'фи', 'гу', 'па', 'зо', 'ке', 'ла'],
	hangul: ['가', '나', '다', '라', '마', '바', '사', '아', '자', '하', '고', '노', '도', '로', '모', '보'],
	kana: ['あ', 'か', 'さ', 'た', 'な', 'は', 'ま', 'や', 'ら', 'わ', 'き', 'し', 'に', 'み', 'り', 'と'],
	arabic: ['با', 'كو', 'ري', 'لو', 'سا', 'تا', 'ني', 'مو', 'دا', 'في', 'حا', 'نا'],
	han: [...hanCharacters],
};
const scripts: Record<string, string> = {
	'zh-CHS': 'han',
	'zh-CHT': 'han',
	'zh-lzh': 'han',
	ja: 'kana',
	ko: 'hangul',
	ru: 'cyrillic',
	uk: 'cyrillic',
	be: 'cyrillic',
	bg: 'cyrillic',
	mk: 'cyrillic',
	kk: 'cyrillic',
	ky: 'cyrillic',
	tg: 'cyrillic',
	mn: 'cyrillic',
	'sr-Cyrl': 'cyrillic',
	ar: 'arabic',
	fa: 'arabic',
	ur: 'arabic',
	ps: 'arabic',
	sd: 'arabic',
};

const englishToChinese = new Map(glossary);
// Of several English words for one Chinese word, the first is used.
const chineseToEnglish = new Map([...glossary].reverse().map(([english, chinese]) => [chinese, english]));
const longestFirst = (words: Iterable<string>) => [...words].sort((one, other) => other.length - one.length);
const chineseWords = longestFirst(chineseToEnglish.keys());
const englishPhrases = longestFirst(englishToChinese.keys());

/** The language of a text, detected from its characters; English by default. */
export function detectLanguage(text: string): string {
	if (/[\u3040-\u30ff]/.test(text)) return 'ja';
	if (/\p{Script=Hangul}/u.test(text)) return 'ko';
	if (/\p{Script=Han}/u.test(text)) return 'zh-CHS';
	if (/\p{Script=Cyrillic}/u.test(text)) return 'ru';
	if (/\p{Script=Arabic}/u.test(text)) return 'ar';
	return 'en';
}

function inventWord(word: string, to: string): string {
	const script = scripts[to] ?? 'latin';
	const dice = new Dice('fanyi', to, word.toLowerCase());
	const length = script === 'han' ? Math.ceil(word.length / 4) : Math.ceil(word.length / 2);
	return Array.from({ length }, () => dice.pick(syllables[script])).join('');
}

const wholeWord = (phrase: string) => `(?<!\\p{L})${phrase}(?!\\p{L})`;
const part = new RegExp(
	[
		...chineseWords,
		...englishPhrases.map(wholeWord),
		'\\p{Script=Han}',
		'[\\p{L}\\p{M}]+',
		'[^\\p{L}]+',
	].join('|'),
	'giu',
);

/** Splits a text into glossary entries, single Chinese characters, and runs of other letters or of non-letters. */
function split(text: string): string[] {
	return text.match(part) ?? [];
}

/**
 * A made-up translation, always the same for the same text. Glossary words are translated between English and Chinese;
 * other words are invented in the target script. Digits and punctuation stay.
 */
export function pseudoTranslate(text: string, from: string, to: string): string {
	if (from === to) return text;
	const intoChinese = scripts[to] === 'han';
	const translated = split(text).map((word) => {
		if (!/\p{L}/u.test(word)) return word;
		if (intoChinese) return englishToChinese.get(word.toLowerCase()) ?? inventWord(word, to);
		return (to === 'en' ? chineseToEnglish.get(word) : undefined) ?? inventWord(word, to);
	});
	// Unlike most other languages, Chinese has no spaces between words.
	if (intoChinese) return translated.join('').replace(/(?<=\p{Script=Han}) +(?=\p{Script=Han})/gu, '');
	if (!/\p{Script=Han}/u.test(text)) return translated.join('');
	return translated
		.join(' ')
		.replace(/ +(?=[^\p{L}\d])/gu, '')
		.trim();
}

/** A made-up pronunciation: words in the Latin alphabet become lower case, other words become invented syllables. */
export function pronunciation(text: string): string {
	return split(text)
		.filter((part) => /\p{L}/u.test(part))
		.map((part) => (/^[a-z]+$/i.test(part) ? part.toLowerCase() : inventWord(part, 'en')))
		.join(' ');
}
