/** A key with every kind of character that keys have. */
export const KEY = 'sk-Ab3/dE6+gH9_jK2.mN5=pQ8~sT1';

const eachCharacter = (spell: (code: string, character: string) => string) => (text: string) =>
	[...text].map((one) => spell(one.charCodeAt(0).toString(16), one)).join('');
const base64 = (before: string) => (text: string) => Buffer.from(before + text).toString('base64');
const entities = eachCharacter((code) => `&#x${code};`);
const percent = eachCharacter((code) => `%${code}`);
const unicode = eachCharacter((code) => `\\u${code.padStart(4, '0')}`);

/** How a gateway may write a key. */
export const SPELLINGS: Record<string, (text: string) => string> = {
	'as it is': (text) => text,
	'in upper case': (text) => text.toUpperCase(),
	'in lower case': (text) => text.toLowerCase(),
	'as JSON with slashes escaped': (text) => text.replaceAll('/', '\\/'),
	'with all characters escaped as in JSON': unicode,
	'escaped as in JSON twice': (text) => unicode(text).replaceAll('\\', '\\\\'),
	'escaped as in JSON four times': (text) => unicode(text).replaceAll('\\', '\\'.repeat(8)),
	'with upper-case digits in its escapes': (text) =>
		unicode(text).replace(/[a-f]/g, (digit) => digit.toUpperCase()),
	'escaped as in JavaScript': eachCharacter((code) => `\\x${code}`),
	'escaped with braces': eachCharacter((code) => `\\u{${code}}`),
	'escaped as in Markdown': (text) => text.replace(/[^a-z0-9]/gi, (symbol) => `\\${symbol}`),
	'as a part of a URL': encodeURIComponent,
	'with all characters escaped as in a URL': percent,
	'escaped as in a URL twice': (text) => percent(text).replaceAll('%', '%25'),
	'escaped as in old JavaScript': eachCharacter((code) => `%u00${code}`),
	'as hexadecimal entities': entities,
	'as decimal entities': eachCharacter((_code, one) => `&#${one.charCodeAt(0)};`),
	'as long entities without a semicolon': eachCharacter((_code, one) => `&#00${one.charCodeAt(0)}`),
	'with named entities': (text) =>
		text
			.replaceAll('/', '&sol;')
			.replaceAll('+', '&plus;')
			.replaceAll('=', '&equals;')
			.replaceAll('_', '&lowbar;'),
	'as entities within entities': (text) => entities(text).replaceAll('&', '&amp;'),
	'as entities in JSON': (text) => entities(text).replaceAll('&', '\\u0026'),
	'in Base64': base64(''),
	'in Base64 after one byte': base64('x'),
	'in Base64 after two bytes': base64('xy'),
	'in Base64 with a scheme': base64('Bearer '),
	'in Base64 for URLs': (text) => Buffer.from(text).toString('base64url'),
	'in Base64 in JSON': (text) => base64('')(text).replaceAll('/', '\\/'),
	'in hexadecimal digits': (text) => Buffer.from(text).toString('hex'),
	'in upper-case hexadecimal digits': (text) => Buffer.from(text).toString('hex').toUpperCase(),
};

/** The spellings of the key that a text contains, found in the simplest way. */
export function leaksIn(text: string, key = KEY): string[] {
	const lowered = text.toLowerCase();
	return Object.entries(SPELLINGS)
		.filter(([name]) => !name.startsWith('in Base64'))
		.filter(([, spell]) => lowered.includes(spell(key).toLowerCase()))
		.map(([name]) => name)
		.concat(encodedLeaksIn(text, key));
}

function encodedLeaksIn(text: string, key: string): string[] {
	const runs = text.match(/[\w+/-]{8,}/g) ?? [];
	const decodes = (run: string) =>
		[0, 1, 2, 3].some((from) => Buffer.from(run.slice(from), 'base64').includes(key));
	return runs.some(decodes) ? ['in Base64'] : [];
}
