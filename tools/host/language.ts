/** A language of the first example. The READMEs name it, so that readers get the example in their language. */
export type Language = 'en' | 'zh';

export const languages: readonly Language[] = ['en', 'zh'];

/** The ending of an example's file name in each language. The English examples are the originals. */
const endings: Record<Language, string> = { en: '.json', zh: '.zh-CN.json' };

const firstExample = 'morning-show';

/**
 * Returns the files of the demo in a language, with the morning show first. A translation replaces its original, and
 * translations into other languages are excluded. Examples that exist in one language only are always included.
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
