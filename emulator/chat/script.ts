import { isMostlyEastAsian } from '../text';
import { inEnglish, type Language } from './translation';

interface Wording {
	welcome: (date?: string) => string;
	plainOpening: string;
	first: string;
	between: readonly string[];
	last: string;
	farewell: string;
	stop: string;
	join: string;
}

const english: Wording = {
	welcome: (date = 'today') => `Good morning, and welcome to your briefing for ${date}.`,
	plainOpening: 'Here is what stands out.',
	first: 'To begin with: ',
	between: [
		'Next: ',
		'In other news: ',
		'Meanwhile: ',
		'Also today: ',
		'Moving on: ',
		'Worth noting as well: ',
	],
	last: 'And finally: ',
	farewell: 'That is all for today. Thank you for listening, and see you tomorrow.',
	stop: '.',
	join: ' ',
};

const chinese: Wording = {
	welcome: (date) =>
		date ? `大家好，今天是${date}，欢迎收听新闻简报。` : '大家好，欢迎收听今天的新闻简报。',
	plainOpening: '以下是值得关注的要点。',
	first: '首先来看，',
	between: ['接下来，', '另外，', '与此同时，', '再来关注，', '此外，', '同样值得留意的是，'],
	last: '最后，',
	farewell: '以上就是今天的全部内容，感谢收听，我们明天再见。',
	stop: '。',
	join: '',
};

function sentence(point: string, stop: string): string {
	return /[.!?。！？…]$/.test(point) ? point : `${point.replace(/[,;，；、]$/, '')}${stop}`;
}

const months = '(?:January|February|March|April|May|June|July|August|September|October|November|December)';
const weekday = '(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day,? )?';
const englishDate = `${weekday}(?:\\d{1,2} ${months} \\d{4}|${months} \\d{1,2}, \\d{4}|\\d{4}-\\d{2}-\\d{2})`;
const chineseDate = '\\d{4} ?年 ?\\d{1,2} ?月 ?\\d{1,2} ?日(?:[，,]? ?(?:星期|周)[一二三四五六日天])?';
const statedDate = new RegExp(
	`\\b(?:today(?:'s date)? is|of) (${englishDate})|(?:今天|下面)是? ?(${chineseDate})`,
	'i',
);

/** The date that instructions state: "Today is Friday, 21 August 2026.", "The news below is of Friday, 21 August 2026." */
export function statedDay(instructions: string): string | undefined {
	const found = statedDate.exec(instructions);
	return found?.[1] ?? found?.[2];
}

/** The style of a script. */
export interface ScriptStyle {
	/** True to greet the listener, as in a briefing. */
	spoken: boolean;
	/** Default: the language of the points. */
	language?: Language;
	/** The date of a briefing. */
	date?: string;
}

/** Combines points into continuous text. */
export function scriptOf(points: readonly string[], { spoken, language, date }: ScriptStyle): string {
	const written = language ?? (isMostlyEastAsian(points.join('')) ? 'chinese' : 'english');
	const wording = written === 'chinese' ? chinese : english;
	const { between } = wording;
	const sentences = points.map((point, index) => {
		const isLast = index === points.length - 1;
		const connective =
			index === 0 ? wording.first : isLast ? wording.last : between[(index - 1) % between.length];
		return connective + sentence(written === 'english' ? inEnglish(point) : point, wording.stop);
	});
	const opening = spoken ? wording.welcome(date) : wording.plainOpening;
	return [opening, ...sentences, ...(spoken ? [wording.farewell] : [])].join(wording.join);
}
