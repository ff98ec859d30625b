import fc from 'fast-check';
import { TextScanner } from '../../../nodes/shared/http/textScanner';
import { Turns } from '../../../nodes/shared/pacing/turns';

const scannerOf = (json: string) => new TextScanner(json, new Turns());
const parse = (piece: string) => JSON.parse(`"${piece}"`) as string;

describe('The end of a text in JSON', () => {
	it.each([
		['""', 1],
		['"a"', 2],
		['"a","b"', 2],
		['"\\""', 3],
		['"\\\\"', 3],
		['"\\\\\\""', 5],
		['"\\u0022"', 7],
		['"', -1],
		['"a', -1],
		['"\\"', -1],
		['"\\', -1],
		['"a\\\\', -1],
	])('of %s is at %i', async (json, end) => {
		expect(await scannerOf(json).endOfText(0)).toBe(end);
	});

	it('is found for each text in turn', async () => {
		const texts = fc.array(fc.string({ unit: fc.constantFrom('a', '"', '\\', 'ü', '\n') }), {
			maxLength: 20,
		});
		await fc.assert(
			fc.asyncProperty(texts, async (list) => {
				const json = JSON.stringify(list);
				const scanner = scannerOf(json);
				let at = 1;
				for (const text of list) {
					const end = await scanner.endOfText(at);
					expect(json.slice(at, end + 1)).toBe(JSON.stringify(text));
					at = end + 2;
				}
			}),
			{ numRuns: 200 },
		);
	});
});

describe('A text without its escapes', () => {
	it('is parsed only where it has escapes or control characters', async () => {
		const parsed: string[] = [];
		const spy = (piece: string) => {
			parsed.push(piece);
			return parse(piece);
		};
		const json = '"plain ü","a\\nb"';
		expect(await scannerOf(json).unescaped(1, 8, spy)).toBe('plain ü');
		expect(parsed).toEqual([]);
		expect(await scannerOf(json).unescaped(11, 15, spy)).toBe('a\nb');
		expect(parsed).toEqual(['a\\nb']);
		expect(await scannerOf('"a\nb"').unescaped(1, 4, () => 'control')).toBe('control');
	});

	it('is read in pieces that cut no escape, wherever the end of a piece lies', async () => {
		const PIECE = 500_000;
		for (const escape of ['\\u00fc', '\\\\', '\\"', '\\\\\\\\\\\\', '\\\\\\n', '\\ud83d\\ude00']) {
			for (let shift = 0; shift <= escape.length; shift++) {
				const text = 'x'.repeat(PIECE - shift) + escape.repeat(3) + 'end';
				const pieces: number[] = [];
				const unescaped = await scannerOf(`"${text}"`).unescaped(1, text.length + 1, (piece) => {
					pieces.push(piece.length);
					return parse(piece);
				});
				expect(unescaped === parse(text)).toBe(true);
				expect(Math.max(0, ...pieces)).toBeLessThanOrEqual(PIECE);
			}
		}
	});
});
