import { words } from '../utilities/answers.json';

export type Language = 'english' | 'chinese';

const requests: ReadonlyArray<readonly [Language, RegExp]> = [
	['english', /\bin English\b|用英[文语]|英[文语](?:播报)?稿/i],
	['chinese', /\bin Chinese\b|用[中汉][文语]|[中汉][文语](?:播报)?稿/i],
];

/** Returns the language that instructions ask for, the first one if they name several; undefined if they name none. */
export function askedLanguage(instructions: string): Language | undefined {
	const asked = requests
		.map(([language, pattern]) => ({ language, position: instructions.search(pattern) }))
		.filter(({ position }) => position >= 0)
		.sort((one, other) => one.position - other.position);
	return asked.at(0)?.language;
}

/** Translates a Chinese headline of the daily digest to English. Returns any other text unchanged. */
export function inEnglish(text: string): string {
	return words.headlineInEnglish[words.headline.indexOf(text)] ?? text;
}
