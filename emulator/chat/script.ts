import { isMostlyEastAsian } from '../text';

interface Wording {
	welcome: string;
	plainOpening: string;
	first: string;
	between: readonly string[];
	last: string;
	farewell: string;
	stop: string;
	join: string;
}

const english: Wording = {
	welcome: 'Good morning, and welcome to your briefing for today.',
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
	welcome: '大家好，欢迎收听今天的新闻简报。',
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

/**
 * Combines points into continuous text in their own language.
 * @param spoken whether to greet the listener, as in a briefing
 */
export function scriptOf(points: readonly string[], spoken: boolean): string {
	const wording = isMostlyEastAsian(points.join('')) ? chinese : english;
	const { between } = wording;
	const sentences = points.map((point, index) => {
		const isLast = index === points.length - 1;
		const connective =
			index === 0 ? wording.first : isLast ? wording.last : between[(index - 1) % between.length];
		return connective + sentence(point, wording.stop);
	});
	const opening = spoken ? wording.welcome : wording.plainOpening;
	return [opening, ...sentences, ...(spoken ? [wording.farewell] : [])].join(wording.join);
}
