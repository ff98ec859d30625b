/** Names of the characters from U+00A1 to U+00FF, in their order. */
const LATIN_1 = (
	'iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro ' +
	'para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil ' +
	'Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave ' +
	'Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml ' +
	'igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute ' +
	'thorn yuml'
).split(' ');

const NAMED = new Map([
	...LATIN_1.map((name, index): [string, string] => [name, String.fromCodePoint(0xa1 + index)]),
	...Object.entries({
		amp: '&',
		lt: '<',
		gt: '>',
		quot: '"',
		apos: "'",
		nbsp: ' ',
		ensp: ' ',
		emsp: ' ',
		thinsp: ' ',
		zwnj: '\u200C',
		zwj: '\u200D',
		ndash: '–',
		mdash: '—',
		lsquo: '‘',
		rsquo: '’',
		sbquo: '‚',
		ldquo: '“',
		rdquo: '”',
		bdquo: '„',
		lsaquo: '‹',
		rsaquo: '›',
		hellip: '…',
		bull: '•',
		permil: '‰',
		euro: '€',
		trade: '™',
		larr: '←',
		rarr: '→',
		harr: '↔',
		minus: '−',
		le: '≤',
		ge: '≥',
		ne: '≠',
		asymp: '≈',
		OElig: 'Œ',
		oelig: 'œ',
		Scaron: 'Š',
		scaron: 'š',
	}),
]);

/** Feeds encode text more than once, "&amp;amp;": all of it is decoded at once. */
const ENTITY = /&(?:(?:amp|#0*38|#x0*26);)*(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z][a-z\d]{1,9}));/gi;

/** A text with characters in place of HTML's entities; an unknown name stays as it is. */
export function decodeEntities(text: string): string {
	return text.replace(ENTITY, (entity, decimal?: string, hexadecimal?: string, name?: string) => {
		if (name !== undefined) return NAMED.get(name) ?? entity;
		const code = decimal === undefined ? parseInt(hexadecimal ?? '', 16) : Number(decimal);
		return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
	});
}
