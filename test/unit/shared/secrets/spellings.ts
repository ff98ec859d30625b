/** A key with every kind of character that keys have. */
export const KEY = 'sk-Ab3/dE6+gH9_jK2.mN5=pQ8~sT1';

const eachCharacter = (spell: (code: string, character: string) => string) => (text: string) =>
	[...text].map((one) => spell(one.charCodeAt(0).toString(16), one)).join('');
const base64 = (before: string) => (text: string) => Buffer.from(before + text).toString('base64');
const hex = (text: string) => Buffer.from(text).toString('hex');
const inLines = (length: number, end: string) => (text: string) =>
	text.match(new RegExp(`.{1,${length}}`, 'g'))?.join(end) ?? '';
const entities = eachCharacter((code) => `&#x${code};`);
const percent = eachCharacter((code) => `%${code}`);
const unicode = eachCharacter((code) => `\\u${code.padStart(4, '0')}`);

/** A key without a prefix stays whole. */
const withoutPrefix = (text: string) => text.replace(/^[^-_]{1,7}[-_]/, '');

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
	'escaped as in JavaScript in octal digits': eachCharacter(
		(_code, one) => `\\${one.charCodeAt(0).toString(8)}`,
	),
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
	'in Base64 in lines of 76 characters': (text) => inLines(76, '\r\n')(base64('x'.repeat(45))(text)),
	'in Base64 in short lines': (text) => inLines(8, '\n')(base64('xy')(text)),
	'in Base64 in lines in JSON': (text) => inLines(20, '\\r\\n')(base64('')(text)),
	'in Base64 in lines in JSON in JSON': (text) => inLines(20, '\\\\n')(base64('')(text)),
	'in Base64 in lines in a URL': (text) => inLines(20, '%0A')(base64('')(text)),
	'in Base64 with spaces': (text) => inLines(4, ' ')(base64('')(text)),
	'in Base64 of Base64': (text) => base64('')(base64('')(text)),
	'in Base64 of Base64 with a scheme': (text) => base64('x')(base64('Bearer ')(text)),
	'in Base64 of Base64 for URLs': (text) => base64('xy')(Buffer.from(text).toString('base64url')),
	'in Base64 of Base64 in lines': (text) => inLines(20, '\n')(base64('')(base64('')(text))),
	'in hexadecimal digits': hex,
	'in upper-case hexadecimal digits': (text) => hex(text).toUpperCase(),
	'in hexadecimal digits with spaces': (text) => inLines(2, ' ')(hex(text)),
	'in hexadecimal digits with colons': (text) => inLines(2, ':')(hex(text)),
	'in hexadecimal digits with hyphens': (text) => inLines(2, '-')(hex(text)).toUpperCase(),
	'in hexadecimal digits in lines': (text) => inLines(32, '\n')(inLines(4, ' ')(hex(text))),
	'in Base64 of Base64 without its prefix': (text) => base64('')(base64('')(withoutPrefix(text))),
	'without its prefix': withoutPrefix,
	'without its prefix in Base64': (text) => base64('')(withoutPrefix(text)),
	'without its prefix in hexadecimal digits': (text) => hex(withoutPrefix(text)),
};

/** The spellings of the key that a text contains, found in the simplest way. */
export function leaksIn(text: string, key = KEY): string[] {
	const lowered = text.toLowerCase();
	return Object.entries(SPELLINGS)
		.filter(([name]) => !name.includes('in Base64'))
		.filter(([, spell]) => lowered.includes(spell(key).toLowerCase()))
		.map(([name]) => name)
		.concat(isEncodedIn(text, key.slice('sk-'.length), 2) ? ['in Base64'] : []);
}

/** Whether a text contains a key in Base64, in one line or in several, or in Base64 of Base64. */
function isEncodedIn(text: string, key: string, levels: number): boolean {
	const runs = [text, text.replace(/(\\+[nr]|%0A|\s)+/g, '')].flatMap(
		(one) => one.match(/[\w+/-]{8,}/g) ?? [],
	);
	return runs.some((run) =>
		[0, 1, 2, 3].some((from) => {
			const decoded = Buffer.from(run.slice(from), 'base64').toString('latin1');
			return decoded.includes(key) || (levels > 1 && isEncodedIn(decoded, key, levels - 1));
		}),
	);
}
