import * as fc from 'fast-check';
import { ownPath, pathSegment } from '../../nodes/shared/gateway/ownPath';

test.each([
	['weather', '/weather'],
	['/weather/forecast/', '/weather/forecast'],
	['a//b', '/a/b'],
	['天气', '/%E5%A4%A9%E6%B0%94'],
	['%E5%A4%A9 x', '/%E5%A4%A9%20x'],
	['a%3Fb%23c', '/a%3Fb%23c'],
	['', '/'],
	[' x ', '/x'],
	['v1.2/a..b', '/v1.2/a..b'],
])('%j becomes %j', (text, path) => {
	expect(ownPath('Path', text)).toBe(path);
});

test('whatever is entered, the request stays below its address, or there is none', () => {
	const base = 'https://gateway.example.com/below';
	const nasty = fc.constantFrom(
		'..',
		'.',
		'/',
		'\\',
		'%2f',
		'%2e',
		'%5c',
		'%',
		'@',
		':',
		'//',
		'?',
		'#',
		'\t',
		'a',
	);
	const anything = fc.oneof(
		fc.string({ unit: 'binary' }),
		fc.array(nasty).map((parts) => parts.join('')),
	);
	fc.assert(
		fc.property(anything, (text) => {
			let path: string;
			try {
				path = ownPath('Path', text);
			} catch (failure) {
				expect((failure as Error).message).toMatch(/^Path /);
				return;
			}
			const url = new URL(base + path);
			expect(url.origin).toBe('https://gateway.example.com');
			expect(url.pathname).toBe(`/below${path}`);
			expect([url.search, url.hash, url.username]).toEqual(['', '', '']);
		}),
		{ numRuns: 2000 },
	);
});

test('a segment keeps its place whatever it holds', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'binary', minLength: 1 }), (text) => {
			let segment: string;
			try {
				segment = pathSegment('Chart', text);
			} catch {
				return;
			}
			expect(new URL(`https://gateway.example.com/a/${segment}/b`).pathname.split('/')).toHaveLength(4);
			expect(decodeURIComponent(segment)).toBe(text);
		}),
	);
});
