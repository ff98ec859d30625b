/** Languages as ISO 639-1 and ISO 639-2/T name them. */
const CODES = new Map(
	(
		'af:afr am:amh ar:ara az:aze be:bel bg:bul bn:ben bo:bod bs:bos ca:cat cs:ces cy:cym da:dan de:deu el:ell en:eng ' +
		'eo:epo es:spa et:est eu:eus fa:fas fi:fin fil:fil fr:fra ga:gle gl:glg gu:guj he:heb hi:hin hr:hrv hu:hun hy:hye ' +
		'id:ind is:isl it:ita ja:jpn jv:jav ka:kat kk:kaz km:khm kn:kan ko:kor ky:kir lo:lao lt:lit lv:lav mk:mkd ml:mal ' +
		'mn:mon mr:mar ms:msa my:mya nb:nob ne:nep nl:nld nn:nno no:nor pa:pan pl:pol ps:pus pt:por ro:ron ru:rus si:sin ' +
		'sk:slk sl:slv so:som sq:sqi sr:srp sv:swe sw:swa ta:tam te:tel tg:tgk th:tha tk:tuk tr:tur ug:uig uk:ukr ur:urd ' +
		'uz:uzb vi:vie yue:yue zh:zho zu:zul'
	)
		.split(' ')
		.map((pair) => pair.split(':') as [string, string]),
);

/**
 * The code of a language with three letters, as ID3 has it.
 *
 * @param tag for example zh-CN
 * @returns an empty text for a language that is not known
 */
export function threeLetterCode(tag: string): string {
	const [language] = tag.toLowerCase().split(/[-_]/);
	return CODES.get(language) ?? (/^[a-z]{3}$/.test(language) ? language : '');
}
