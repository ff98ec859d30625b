/** The languages that the emulator can time. A text in another script is read like English. */
export const languages = [
	'english',
	'german',
	'spanish',
	'french',
	'russian',
	'arabic',
	'hebrew',
	'hindi',
	'thai',
	'chinese',
	'japanese',
	'korean',
] as const;
export type Language = (typeof languages)[number];

/**
 * Syllables per second, Japanese in morae. English, German, Spanish, French, Chinese and Japanese: Pellegrino, Coupé and
 * Marsico, "Across-language perspective on speech information rate" (Language, 2011); Korean and Thai: Coupé and others,
 * "Different languages, similar encoding efficiency" (Science Advances, 2019); the others are estimates.
 */
export const syllablesPerSecond: Readonly<Record<Language, number>> = {
	english: 6.2,
	german: 6,
	spanish: 7.8,
	french: 7.2,
	russian: 6,
	arabic: 5.7,
	hebrew: 5.7,
	hindi: 6.2,
	thai: 4.7,
	chinese: 5.2,
	japanese: 7.8,
	korean: 7,
};

const scripts: ReadonlyArray<readonly [RegExp, Language]> = [
	[/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'japanese'],
	[/\p{Script=Hangul}/u, 'korean'],
	[/\p{Script=Arabic}/u, 'arabic'],
	[/\p{Script=Hebrew}/u, 'hebrew'],
	[/\p{Script=Cyrillic}/u, 'russian'],
	[/\p{Script=Devanagari}/u, 'hindi'],
	[/\p{Script=Thai}/u, 'thai'],
];

const functionWords: ReadonlyArray<readonly [Language, RegExp]> = [
	['english', /\b(?:the|of|and|to|in|is|that|for|was|with)\b/giu],
	['german', /\b(?:der|die|das|und|ist|nicht|ein|eine|den|mit|von|zu)\b/giu],
	['spanish', /\b(?:el|la|los|las|de|que|y|en|una|con|por|del)\b/giu],
	['french', /\b(?:le|la|les|des|et|est|que|une|du|dans|pour|qui)\b/giu],
];

function ofLatinWords(text: string): Language {
	const counts = functionWords.map(
		([language, words]) => [language, text.match(words)?.length ?? 0] as const,
	);
	return counts.reduce((most, other) => (other[1] > most[1] ? other : most))[0];
}

/**
 * Tells the language of each word of a text by its script, and for Latin letters by the text's function words.
 * @returns a function from a word to its language; undefined for numbers and symbols
 */
export function languageReader(text: string): (word: string) => Language | undefined {
	const latin = ofLatinWords(text);
	const han = /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text) ? 'japanese' : 'chinese';
	return (word) => {
		const script = scripts.find(([pattern]) => pattern.test(word));
		if (script) return script[1];
		if (/\p{Script=Han}/u.test(word)) return han;
		return /\p{Letter}/u.test(word) ? latin : undefined;
	};
}
