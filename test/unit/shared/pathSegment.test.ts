import { GatewayFailure } from '../../../nodes/shared/errors/gatewayFailure';
import { pathSegment } from '../../../nodes/shared/send/pathSegment';
import { seededRandom } from '../seededRandom';

const fill = (text: string) => `/v2/apis/music-rank/${pathSegment('Chart', text)}`;
const segmentOf = (path: string) => path.slice('/v2/apis/music-rank/'.length);

describe('A value in a path', () => {
	it.each([
		['3778678', '3778678'],
		['rock/pop', 'rock%2Fpop'],
		['a\\b', 'a%5Cb'],
		['热歌榜', '%E7%83%AD%E6%AD%8C%E6%A6%9C'],
		['a b?c#d&e=f+g', 'a%20b%3Fc%23d%26e%3Df%2Bg'],
		['50%', '50%25'],
		['a%2fb', 'a%252fb'],
		['{id}', '%7Bid%7D'],
		['.hidden', '.hidden'],
		['...', '...'],
		['a..b', 'a..b'],
		['\u0000\n', '%00%0A'],
		['\u{1F3B5}', '%F0%9F%8E%B5'],
		['\u202Ecod', '%E2%80%AEcod'],
		['__proto__', '__proto__'],
	])('%j is one segment', (text, segment) => {
		expect(segmentOf(fill(text))).toBe(segment);
	});

	it.each([
		...['.', '..', '..;', '..;x', '%2e', '%2E%2e', '.%2e', '%252e%252e', '%25252e.', '../weather', 'a/../b'],
		...['a/..', '..\\x', '..%2fweather', '%2e%2e%2fweather', '..\n', '.\t.', '%2e%0a', '..%5cx', '．．', '‥'],
		...['․', '%ef%bc%8e/..', '..%3Bx', '..%253b'],
	])('%j is rejected, because it could change the path', (text) => {
		expect(() => fill(text)).toThrow(
			expect.objectContaining({
				kind: 'input',
				message: `Chart is "${text}", but a "." or ".." segment cannot be part of a path`,
			}),
		);
	});

	it.each(['\ud800', 'a\udc00b', '\udc00\ud800'])(
		'%j is rejected, because it is half a character',
		(text) => {
			expect(() => fill(text)).toThrow(/^Chart contains half a character: "/);
		},
	);

	it('stays one segment, whatever the text is', () => {
		const random = seededRandom(7);
		const pieces = [
			...['.', '..', '/', '\\', '%2e', '%2f', '%25', ';', '?', '#', 'a', '榜', '\ud800', '{id}', '\n', '．'],
		];
		let sent = 0;
		for (let round = 0; round < 5_000; round++) {
			const length = 1 + Math.floor(random() * 5);
			const text = Array.from({ length }, () => pieces[Math.floor(random() * pieces.length)]).join('');
			let path: string;
			try {
				path = fill(text);
			} catch (error) {
				expect(error).toBeInstanceOf(GatewayFailure);
				continue;
			}
			sent += 1;
			const { pathname } = new URL(`https://gateway.example${path}`);
			expect(pathname).toBe(path);
			expect(decodeURIComponent(segmentOf(path))).toBe(text);
			// A program that decodes the path stays below it.
			expect(new URL(`https://x.example${decodeURIComponent(path).replace(/[?#]/g, '_')}`).pathname).toMatch(
				/^\/v2\/apis\/music-rank\//,
			);
		}
		expect(sent).toBeGreaterThan(1_000);
	});
});
