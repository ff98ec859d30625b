/** A key with every kind of character that occurs in keys. */
export const KEY = 'sk-Ab3/dE6+gH9_jK2/mN5=pQ8~sT1';

const base64 = (before: string) => (text: string) => Buffer.from(before + text).toString('base64');
const hex = (text: string) => Buffer.from(text).toString('hex');

/** Removes the prefix of a key. A key without a prefix stays whole. */
const withoutPrefix = (text: string) => text.replace(/^[^-_]{1,7}[-_]/, '');

/** The spellings in which a gateway may write a key. */
export const SPELLINGS: Record<string, (text: string) => string> = {
	'as it is': (text) => text,
	'as JSON': (text) => JSON.stringify(text).slice(1, -1),
	'as JSON with slashes escaped': (text) => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
	'as a part of a URL': encodeURIComponent,
	'as a part of a URL in lower case': (text) =>
		encodeURIComponent(text).replace(/%../g, (escape) => escape.toLowerCase()),
	'as a part of a form': (text) => new URLSearchParams([['', text]]).toString().slice(1),
	'in Base64': base64(''),
	'in Base64 after one byte': base64('x'),
	'in Base64 with a scheme': base64('Bearer '),
	'in Base64 after two bytes': base64('xy'),
	'in Base64 for URLs': (text) => Buffer.from(text).toString('base64url'),
	'in hexadecimal digits': hex,
	'in upper-case hexadecimal digits': (text) => hex(text).toUpperCase(),
	'without its prefix': withoutPrefix,
	'without its prefix in Base64': (text) => base64('')(withoutPrefix(text)),
	'without its prefix in hexadecimal digits': (text) => hex(withoutPrefix(text)),
};

/** Returns the spellings of the key that a text contains. It finds them in the simplest way. */
export function leaksIn(text: string, key = KEY): string[] {
	const isInBase64 = (text.match(/[\w+/-]{8,}/g) ?? []).some((run) =>
		[0, 1, 2, 3].some((from) => {
			const decoded = Buffer.from(run.slice(from), 'base64').toString('latin1');
			return decoded.includes(withoutPrefix(key));
		}),
	);
	return Object.entries(SPELLINGS)
		.filter(([name, spell]) => !name.includes('in Base64') && text.includes(spell(key)))
		.map(([name]) => name)
		.concat(isInBase64 ? ['in Base64'] : []);
}
