import { digestHeadlines } from '../utilities/data/digestHeadlines';

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

/** The headlines that the model can translate, with patterns that find their numbers. */
const known = digestHeadlines.map(({ chinese, english }) => {
	const literals = chinese.split(/\{\d+-\d+\}/).map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
	return { pattern: new RegExp(`^${literals.join('(\\d+)')}$`), english };
});

/** A Chinese headline of the daily digest in English; any other text as it is. */
export function inEnglish(text: string): string {
	for (const { pattern, english } of known) {
		const numbers = pattern.exec(text)?.slice(1).map(Number);
		if (numbers) return english(...numbers);
	}
	return text;
}
