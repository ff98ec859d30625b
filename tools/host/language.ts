/** A language of the first example. The READMEs name it, so that the example speaks the language of its reader. */
export type Language = 'en' | 'zh';

export const languages: readonly Language[] = ['en', 'zh'];

/** What the name of an example in a language ends in; the English examples are the originals. */
const endings: Record<Language, string> = { en: '.json', zh: '.zh-CN.json' };

const firstExample = 'morning-show';

/**
 * The files of the demo in a language, the morning show first: a translation replaces its original, and translations
 * into other languages are left out. What there is in one language only is always there.
 */
export function demoFiles(files: readonly string[], language: Language): string[] {
	const originals = files.filter((file) => /^[^.]+\.json$/.test(file));
	const onlyTranslated = files.filter((file) => !originals.includes(file.replace(/\.[^.]+\.json$/, '.json')));
	const isFirst = (file: string) => file.startsWith(`${firstExample}.`);
	return [...originals, ...onlyTranslated]
		.sort((one, other) => Number(isFirst(other)) - Number(isFirst(one)) || one.localeCompare(other))
		.map((file) => {
			const translation = file.replace('.json', endings[language]);
			return files.includes(translation) ? translation : file;
		});
}
