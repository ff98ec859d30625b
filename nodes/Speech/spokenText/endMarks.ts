import { withoutEnd } from '../../shared/plain/values';

/** Letters of scripts that write no spaces between words; each counts as a word. */
const IDEOGRAPHS = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Bopomofo}';
const WORDS = new RegExp(`[${IDEOGRAPHS}]|(?:(?![${IDEOGRAPHS}])[\\p{L}\\p{M}])+`, 'gu');

/** Scripts whose full stop is not ".", and those where a space ends a sentence. */
const SCRIPTS: Array<{ letter: RegExp; mark: string }> = [
	{ letter: new RegExp(`[${IDEOGRAPHS}]`, 'u'), mark: '。' },
	{ letter: /[\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Oriya}]/u, mark: '।' },
	{ letter: /[\p{Script=Thai}\p{Script=Lao}]/u, mark: '' },
	{ letter: /\p{Script=Khmer}/u, mark: '។' },
	{ letter: /\p{Script=Myanmar}/u, mark: '။' },
	{ letter: /\p{Script=Tibetan}/u, mark: '།' },
	{ letter: /\p{Script=Armenian}/u, mark: '։' },
	{ letter: /\p{Script=Ethiopic}/u, mark: '።' },
];
/** Letters that Urdu has and Arabic does not. */
const URDU = /[ٹڈڑںےہ]/;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

const CLOSERS = '"\'”’)]}」』】》）〉›»';
/** Marks at which a voice pauses anyway. */
const PAUSES = '.!?…⋯:;,~。！？：；，、｡．～؟؛،۔।॥։፧።፣។៕၊။།༎—–';

/** The full stop of the script that most words of a text are in; empty for a script without one. */
function endMarkFor(text: string): string {
	const counts = new Map<string, number>();
	let [mark, most] = ['.', 0];
	for (const [word] of text.matchAll(WORDS)) {
		const candidate = SCRIPTS.find(({ letter }) => letter.test(word))?.mark ?? '.';
		const count = (counts.get(candidate) ?? 0) + 1;
		counts.set(candidate, count);
		if (count > most || (count === most && mark === '.')) [mark, most] = [candidate, count];
	}
	return mark === '.' && URDU.test(text) ? '۔' : mark;
}

/** A text with a full stop at its end, unless it ends with another mark at which a voice pauses. */
export function withEndMark(text: string): string {
	const last = withoutEnd(text, CLOSERS).at(-1) ?? '';
	return PAUSES.includes(last) || !LETTER_OR_DIGIT.test(text) ? text : text + endMarkFor(text);
}

/** A row of a table as a sentence: "City: Rome, Sky: clear." Empty cells are left out. */
export function spokenRow(cells: string[], names: string[]): string {
	const isChinese = endMarkFor(cells.join('') + names.join('')) === '。';
	const [colon, comma] = isChinese ? ['：', '，'] : [': ', ', '];
	const named = cells.map((cell, index) => {
		const name = withoutMark(names[index] ?? '');
		return isEmpty(name) || isEmpty(cell) ? cell : name + colon + cell;
	});
	const filled = named.filter((cell) => !isEmpty(cell)).map((cell) => cell.trim().replaceAll('\n', comma));
	const sentence = filled.map((cell, index) => (index < filled.length - 1 ? withoutMark(cell) : cell));
	return withEndMark(sentence.join(comma));
}

/** A mark at the end of a cell would stand next to the comma. */
function withoutMark(cell: string): string {
	return cell.replace(/[.,;:。，；：]$/, '');
}

function isEmpty(cell: string): boolean {
	return /^[\s:-]*$/.test(cell);
}
