import { words } from '../utilities/answers.json';

export type Language = 'english' | 'chinese';

const requests: ReadonlyArray<readonly [Language, RegExp]> = [
	['english', /\bin English\b|用英[文语]|英[文语](?:播报)?稿/i],
	['chinese', /\bin Chinese\b|用[中汉][文语]|[中汉][文语](?:播报)?稿/i],
];

/** The language that instructions ask for, the first if they name several; undefined if they leave it open. */
export function askedLanguage(instructions: string): Language | undefined {
	const asked = requests
		.map(([language, pattern]) => ({ language, position: instructions.search(pattern) }))
		.filter(({ position }) => position >= 0)
		.sort((one, other) => one.position - other.position);
	return asked.at(0)?.language;
}

/** A Chinese headline of the daily digest in English; any other text as it is. */
export function inEnglish(text: string): string {
	return words.headlineInEnglish[words.headline.indexOf(text)] ?? text;
}
