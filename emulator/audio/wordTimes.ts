import type { Utterance } from './speech';

/** A word and when it is spoken. */
export interface SpokenWord {
	text: string;
	startSeconds: number;
	endSeconds: number;
}

/** How a text is spoken by a person: words of different lengths, numbers as words, and pauses. */
export interface SpokenText {
	seconds: number;
	words: SpokenWord[];
}

/** Seconds per syllable in running speech (Coupé et al., Science Advances 2019; Japanese per mora). */
const syllableSeconds = {
	latin: 0.163,
	cyrillic: 0.165,
	greek: 0.16,
	han: 0.194,
	kana: 0.13,
	hangul: 0.145,
	arabic: 0.172,
	hebrew: 0.168,
	indic: 0.158,
	thai: 0.213,
};
const silence = { start: 0.06, end: 0.14 };
const tempo = { ofVoice: 0.1, ofWord: 0.18, ofPause: 0.3 };

/** A number from -1 to 1 that depends on a text and a position only. */
function jitter(text: string, position: number): number {
	let hash = 2_166_136_261 ^ position;
	for (const character of text) hash = Math.imul(hash ^ character.codePointAt(0)!, 16_777_619);
	hash = Math.imul(hash ^ (hash >>> 15), 2_246_822_519);
	return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 31 - 1;
}

function pauseAfter(marks: string, gap: string): number {
	if (/\n\s*\n/.test(gap)) return 0.95;
	if (/[.!?。！？؟।…]/.test(marks)) return 0.55;
	if (/[:;：；؛—–]/.test(marks)) return 0.34;
	if (/[,，،、]/.test(marks)) return 0.24;
	return 0;
}

const ones = [
	'zero',
	'one',
	'two',
	'three',
	'four',
	'five',
	'six',
	'seven',
	'eight',
	'nine',
	'ten',
	'eleven',
	'twelve',
	'thirteen',
	'fourteen',
	'fifteen',
	'sixteen',
	'seventeen',
	'eighteen',
	'nineteen',
];
const tens = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];

/** A whole number as it is read in English. Other European languages need about as many syllables. */
function numberWords(value: number): string {
	if (value < 20) return ones[value];
	if (value < 100) return `${tens[Math.floor(value / 10)]} ${value % 10 ? ones[value % 10] : ''}`;
	if (value < 1000)
		return `${ones[Math.floor(value / 100)]} hundred ${value % 100 ? numberWords(value % 100) : ''}`;
	if (value < 1e6)
		return `${numberWords(Math.floor(value / 1000))} thousand ${value % 1000 ? numberWords(value % 1000) : ''}`;
	return `${numberWords(Math.floor(value / 1e6))} million ${value % 1e6 ? numberWords(value % 1e6) : ''}`;
}

/** Syllables of a number in Chinese: each digit, and the unit of each place. */
function chineseSyllables(digits: string): number {
	return (
		digits
			.replace(/^0+/, '')
			.split('')
			.filter((digit) => digit !== '0').length *
			2 -
		(digits.length === 1 ? 1 : 0.5)
	);
}

function numberSyllables(number: string, isEastAsian: boolean): number {
	const [whole, fraction = ''] = number.replace(/[,']/g, '').split('.');
	const afterPoint = fraction === '' ? 0 : 1 + fraction.length * (isEastAsian ? 1 : 1.2);
	if (isEastAsian) return Math.max(1, chineseSyllables(whole)) + afterPoint;
	// Years are read in pairs.
	const words =
		whole.length > 9
			? whole
					.split('')
					.map((digit) => ones[Number(digit)])
					.join(' ')
			: numberWords(Number(whole));
	return latinSyllables(words) + afterPoint;
}

function latinSyllables(text: string): number {
	const plain = text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
	return plain
		.split(/[^a-zа-яёіїєα-ωßæø]+/u)
		.filter(Boolean)
		.reduce((sum, word) => {
			const groups = word.match(/[aeiouyæøаеёиоуыэюяіїєαεηιουω]+/gu)?.length ?? 1;
			const silentEnd = groups > 1 && /[^aeiouyl]es?$|[^aeiouytd]ed$/.test(word) ? 1 : 0;
			return sum + Math.max(1, groups - silentEnd);
		}, 0);
}

/** How long a word takes without the tempo of its speaker. */
function wordSeconds(word: string, text: string): number {
	const isJapanese = /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text);
	const isEastAsian = /[\p{Script=Han}\p{Script=Hangul}]/u.test(text);
	let seconds = 0;
	const rest = word.replace(/\d[\d,.']*\d|\d/g, (number) => {
		seconds +=
			numberSyllables(number, isEastAsian) * (isEastAsian ? syllableSeconds.han : syllableSeconds.latin);
		return ' ';
	});
	seconds += (rest.match(/[%‰°€$£¥₹&+]/g)?.length ?? 0) * 0.36;
	const count = (pattern: RegExp) => rest.match(pattern)?.length ?? 0;
	seconds += count(/\p{Script=Han}/gu) * (isJapanese ? 1.85 * syllableSeconds.kana : syllableSeconds.han);
	seconds +=
		(count(/[\p{Script=Hiragana}\p{Script=Katakana}ー]/gu) - 0.6 * count(/[ゃゅょっャュョッ]/g)) *
		syllableSeconds.kana;
	seconds += count(/\p{Script=Hangul}/gu) * syllableSeconds.hangul;
	seconds +=
		(count(/\p{Script=Arabic}/gu) * 0.58 + (count(/\p{Script=Arabic}+/gu) ? 0.3 : 0)) *
		syllableSeconds.arabic;
	seconds +=
		(count(/\p{Script=Hebrew}/gu) * 0.52 + (count(/\p{Script=Hebrew}+/gu) ? 0.3 : 0)) *
		syllableSeconds.hebrew;
	seconds += count(/(?=\p{Script=Devanagari})\p{L}/gu) * 0.86 * syllableSeconds.indic;
	seconds += count(/(?=\p{Script=Thai})\p{L}/gu) * 0.31 * syllableSeconds.thai;
	if (/[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]/u.test(rest)) {
		const rate = /\p{Script=Cyrillic}/u.test(rest) ? syllableSeconds.cyrillic : syllableSeconds.latin;
		// Words with many consonants take longer.
		seconds +=
			latinSyllables(rest) * rate * 0.8 +
			count(/[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]/gu) * 0.013;
	}
	return seconds;
}

const segmenter = new Intl.Segmenter('und', { granularity: 'word' });

/**
 * When each word of a text is spoken. The same utterance is always spoken in the same way, and every word takes a little
 * more or less time than its syllables need, as with a person.
 */
export function wordTimes({ text, voice, speed }: Utterance): SpokenText {
	const ofVoice = 1 + tempo.ofVoice * jitter(voice, 0);
	const words: SpokenWord[] = [];
	let at = silence.start;
	let gap = '';
	const endPause = () => {
		const marks = /\p{P}*$/u.exec(gap.trimEnd())?.[0] ?? '';
		const pause = words.length === 0 ? 0 : pauseAfter(marks + gap, gap);
		at += pause * (1 + tempo.ofPause * jitter(gap, words.length));
		gap = '';
	};
	for (const paragraph of text.split(/(?<=\n)/)) {
		for (const { segment, isWordLike } of segmenter.segment(paragraph)) {
			if (isWordLike !== true && !/[%‰°€$£¥₹&+]/.test(segment)) {
				gap += segment;
				continue;
			}
			endPause();
			const length =
				wordSeconds(segment, text) * ofVoice * (1 + tempo.ofWord * jitter(segment, words.length));
			words.push({ text: segment, startSeconds: at, endSeconds: at + length });
			at += length;
		}
	}
	const scaled = (seconds: number) => seconds / speed;
	return {
		seconds: scaled(at + silence.end),
		words: words.map((word) => ({
			...word,
			startSeconds: scaled(word.startSeconds),
			endSeconds: scaled(word.endSeconds),
		})),
	};
}
