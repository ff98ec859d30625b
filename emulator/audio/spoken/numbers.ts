import type { Language } from './language';

/** Syllables of the words with which a language reads numbers. */
interface NumberWords {
	/** From 0 to 19, one digit each; in languages that count in tens only, from 0 to 9. */
	small: string;
	/** From 20 to 90, one digit each; in languages that count in tens only, of the word for ten. */
	tens: string;
	/** Between tens and ones. */
	link: number;
	hundred: number;
	thousand: number;
	/** The next large unit: a million, or ten thousand where numbers are grouped by four digits. */
	large: number;
	point: number;
	percent: number;
	currency: number;
	/** What separates thousands; a comma otherwise separates decimals. */
	separator: '.' | ',';
}

const words = (
	small: string,
	tens: string,
	[link, hundred, thousand, large, point, percent, currency]: number[],
	separator: '.' | ',' = ',',
): NumberWords => ({ small, tens, link, hundred, thousand, large, point, percent, currency, separator });

const numberWords: Readonly<Record<Language, NumberWords>> = {
	english: words('21111112111312222322', '22222322', [0, 2, 2, 2, 1, 2, 2]),
	german: words('11111112111112222222', '22222222', [1, 2, 2, 3, 2, 2, 2], '.'),
	spanish: words('22112212221222323444', '22333333', [0, 2.5, 1, 3, 2, 3, 2], '.'),
	french: words('21111111111111211222', '11222334', [0, 1, 1, 2, 2, 2, 2], '.'),
	russian: words('12113111222444444455', '22233344', [0, 2, 2, 3, 2, 3, 2], '.'),
	arabic: words('12233222423555555555', '23322232', [1, 2, 2, 2, 3, 4, 3]),
	hebrew: words('22222212222444444444', '22332222', [1, 2, 2, 2, 3, 3, 2]),
	hindi: words('21111111111222222232', '11221222', [0, 1, 2, 2, 3, 3, 3]),
	thai: words('1111111111', '1', [0, 1, 1, 1, 1, 2, 1]),
	chinese: words('1111111111', '1', [0, 1, 1, 1, 1, 3, 2]),
	japanese: words('2212212222', '2', [0, 2, 2, 2, 2, 5, 2]),
	korean: words('1111111111', '1', [0, 1, 1, 1, 1, 4, 1]),
};

/** A number below 10,000 in a language that counts in tens only: each digit and the unit of its place. */
function byPlaces(value: number, language: Language): number {
	const { small, tens, hundred, thousand } = numberWords[language];
	const omitsOne = language === 'japanese' || language === 'korean';
	const units = [0, Number(tens), hundred, thousand];
	const digits = [...String(value)].reverse();
	return digits.reduce((sum, digit, place) => {
		if (digit === '0') return sum;
		// 100 is "hundred" in Japanese and Korean; in the others, only 10 is a single word.
		const isPlain = digit === '1' && (place === 1 || (omitsOne && place > 1));
		return sum + units[place] + (isPlain ? 0 : Number(small[Number(digit)]));
	}, 0);
}

function belowThousand(value: number, language: NumberWords): number {
	const { small, tens, link, hundred } = language;
	const rest = value % 100;
	const hundreds = value >= 100 ? Number(small[Math.floor(value / 100)]) + hundred : 0;
	if (rest === 0) return hundreds;
	if (rest < 20) return hundreds + Number(small[rest]);
	const ones = rest % 10 === 0 ? 0 : Number(small[rest % 10]) + link;
	return hundreds + Number(tens[Math.floor(rest / 10) - 2]) + ones;
}

/** A whole number. Years in English are read in pairs, Chinese years digit by digit. */
function whole(digits: string, language: Language, isYear: boolean): number {
	const table = numberWords[language];
	const oneByOne = [...digits].reduce((sum, digit) => sum + Number(table.small[Number(digit)]), 0);
	if (digits.length > 12 || (digits.length > 1 && digits.startsWith('0'))) return oneByOne;
	if (isYear && language === 'chinese') return oneByOne;
	if (isYear && language === 'english' && !/^200|00$/.test(digits)) {
		return belowThousand(Number(digits.slice(0, 2)), table) + belowThousand(Number(digits.slice(2)), table);
	}
	if (Number(digits) === 0) return Number(table.small[0]);
	const isByFour = table.small.length === 10;
	const size = isByFour ? 10_000 : 1_000;
	// Chinese reads zeros between other digits, once.
	let sum = language === 'chinese' ? (digits.match(/0+(?=[1-9])/g)?.length ?? 0) : 0;
	let rest = Number(digits);
	for (let group = 0; rest > 0; group++, rest = Math.floor(rest / size)) {
		const value = rest % size;
		if (value === 0) continue;
		const unit = group === 0 ? 0 : isByFour || group > 1 ? table.large : table.thousand;
		sum += unit + (isByFour ? byPlaces(value, language) : belowThousand(value, table));
	}
	return sum;
}

/**
 * How many syllables a number has when it is read aloud, with its currency or percent sign.
 * @param number for example `2026`, `3.5 %`, `$1,200`, `12:30` or `2026年`
 */
export function numberSyllables(number: string, language: Language): number {
	const table = numberWords[language];
	const signs =
		(/[%‰]/.test(number) ? table.percent : 0) +
		(/[$€£¥₹₩]/.test(number) ? table.currency : 0) +
		(number.includes('°') ? 2 : 0);
	const figures = /\d[\d.,:]*/.exec(number)?.[0];
	if (figures === undefined) return Math.max(1, signs);
	const looksLikeYear = /^(?:1[1-9]|20)\d\d$/.test(figures) && signs === 0;
	const isYear = looksLikeYear && (language !== 'chinese' || number.endsWith('年'));
	const year = number.endsWith('年') ? (language === 'japanese' ? 2 : 1) : 0;
	const thousands = new RegExp(`[${table.separator}](?=\\d{3}(?!\\d))`, 'g');
	const [first, ...others] = figures.split(':');
	const [integer, ...decimals] = first.replace(thousands, '').split(/[.,]/);
	const digit = (text: string) => [...text].reduce((sum, each) => sum + Number(table.small[Number(each)]), 0);
	const afterPoint = decimals.reduce((sum, part) => sum + table.point + digit(part), 0);
	const afterColon = others.reduce((sum, part) => sum + whole(part.replace(/\D/g, ''), language, false), 0);
	return signs + year + whole(integer, language, isYear) + afterPoint + afterColon;
}
