import { splitText } from '../../nodes/Speech/splitText';

const withoutSpace = (text: string) => text.replace(/\s+/g, '');

function randomTexts(sentences: string[], joiner: string, length: number): string {
	let text = '';
	for (let index = 0; text.length < length; index++)
		text += sentences[(index * 7) % sentences.length] + joiner;
	return text.slice(0, length);
}

const ENGLISH = [
	'Dr. Smith paid 3.14 dollars.',
	'It rained!',
	'Was it late? "Yes," she said.',
	'The train, slow as ever, arrived.',
];
const CHINESE = ['今天天气很好。', '他说：“我们走吧！”', '股市上涨了百分之三，创下新高；', '真的吗？'];
const SAMPLES: Array<[string, string]> = [
	['English', randomTexts(ENGLISH, ' ', 20_000)],
	['Chinese without spaces', randomTexts(CHINESE, '', 20_000)],
	['mixed script', randomTexts([...ENGLISH, ...CHINESE], '', 20_000)],
	['emoji', '👩‍👩‍👧🇩🇪é'.repeat(1_400)],
	['no marks at all', 'x'.repeat(20_000)],
	['Thai', 'ภาษาไทยไม่มีช่องว่างระหว่างคำ'.repeat(700)],
	['Hindi', 'यह एक वाक्य है। '.repeat(1_200)],
	['Arabic', 'هل هذا سؤال؟ نعم. '.repeat(1_100)],
];

test.each(SAMPLES)('%s: nothing lost or doubled, no part too long, pairs whole', (_name, text) => {
	for (const limit of [50, 333, 4096]) {
		const parts = splitText(text, limit);
		expect(withoutSpace(parts.join(''))).toBe(withoutSpace(text));
		expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(limit);
		expect(parts.every((part) => part.isWellFormed())).toBe(true);
		expect(parts).not.toContain('');
	}
});

test('English and Chinese are cut at the ends of sentences only', () => {
	for (const [, text] of SAMPLES.slice(0, 2)) {
		const parts = splitText(text, 500);
		for (const part of parts.slice(0, -1)) expect(part).toMatch(/[.!?。！？；]["”]?$/);
		expect(parts.some((part) => part.endsWith('Dr.'))).toBe(false);
	}
});

test('a paragraph end is preferred, a number is not cut', () => {
	expect(splitText('First one. Second one.\n\nThird one is here. Fourth.', 40)).toEqual([
		'First one. Second one.',
		'Third one is here. Fourth.',
	]);
	expect(splitText('It costs 3.14 dollars and more', 14)).toEqual(['It costs 3.14', 'dollars and', 'more']);
});

test('clusters stay whole where they fit', () => {
	expect(splitText('👩‍👩‍👧👩‍👩‍👧', 10)).toEqual(['👩‍👩‍👧', '👩‍👩‍👧']);
	expect(splitText('a👍b', 2)).toEqual(['a', '👍', 'b']);
});

test('short, empty and huge texts, and limits that make no sense', () => {
	expect(splitText(' hello ', 10)).toEqual(['hello']);
	expect(splitText(' \n ', 10)).toEqual([]);
	expect(splitText('word '.repeat(200_000), 4096).length).toBeGreaterThan(200);
	expect(() => splitText('a', 0)).toThrow(RangeError);
});
