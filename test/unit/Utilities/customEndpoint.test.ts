import { GatewayFailure } from '../../../nodes/shared/failure/failure';
import { resolveEnteredPath } from '../../../nodes/Utilities/operations/customEndpoint.operation';
import { seededRandom } from '../seededRandom';

const ADDRESS = 'https://tools.example:8443/root';
const resolve = (text: string, prefix?: string) => resolveEnteredPath(text, prefix);

const URL_TEXT = 'is a whole URL';
const CHARACTER = 'contains an invisible character, a backslash, or "#"';
const AT = 'has an "@" in its first segment';
const DETOUR =
	'contains a "." or ".." segment, two slashes in a row, or an encoded slash or control character';
const PERCENT = 'contains a percent sign that does not encode a character';

describe('A path that the user enters', () => {
	it.each<[string, string, query?: string]>([
		['/v2/apis/60s', '/v2/apis/60s'],
		[' /v2/apis/60s ', '/v2/apis/60s'],
		['/v2/apis/60s/', '/v2/apis/60s/'],
		['/', '/'],
		['/v2/a.b..c/...', '/v2/a.b..c/...'],
		['/v2/{', '/v2/%7B'],
		['/v2/你好 1', '/v2/%E4%BD%A0%E5%A5%BD%201'],
		['/v2/%E4%BD%A0?a=1&a=2&mail=x@y.example', '/v2/%E4%BD%A0', 'a=1 a=2 mail=x@y.example'],
		['/v2?filter={"a":1}', '/v2', 'filter={"a":1}'],
		['/v2/a\uD83D', '/v2/a%EF%BF%BD'],
	])('%j is resolved', (text, path, query = '') => {
		const resolved = resolve(text);
		expect([resolved.path, resolved.query.map((pair) => pair.join('=')).join(' ')]).toEqual([path, query]);
	});

	it.each<[string, string]>([
		['', 'is empty'],
		['https://evil.example/v2', URL_TEXT],
		['evil.example:443/v2', URL_TEXT],
		['me@evil.example/x', AT],
		['/@evil.example', AT],
		['//evil.example/v2', DETOUR],
		['/../admin', DETOUR],
		['/v2/..', DETOUR],
		['/v2/%2e%2e/admin', DETOUR],
		['/v2/..;/admin', DETOUR],
		['/v2/．．/admin', DETOUR],
		['/v2%2fapis', DETOUR],
		['/v2/%252e%252e/admin', DETOUR],
		['/v2/%0d%0aHost:%20evil', DETOUR],
		['/v2/%c0%ae%c0%ae/admin', PERCENT],
		['/v2/100%', PERCENT],
		['\\\\evil.example\\v2', CHARACTER],
		['/v2/\r\nHost: evil.example', CHARACTER],
		['/v2/\u200bapis', CHARACTER],
		['/v2/apis#top', CHARACTER],
	])('%j is rejected: it %s', (text, message) => {
		expect(() => resolve(text)).toThrow(GatewayFailure);
		expect(() => resolve(text)).toThrow(`Path ${message}`);
	});

	it.each<[string, string, string]>([
		['weather', '/v2/apis/weather', '/v2/apis/'],
		['/v2/apis/weather', '/v2/apis/weather', '/v2/apis/'],
		['v2/apis/weather', '/v2/apis/weather', 'v2/apis'],
		['apis/weather', '/v2/apis/apis/weather', '/v2/apis'],
		['/v2/apis', '/v2/apis', '/v2/apis/'],
		['v2/other', '/v2/apis/v2/other', '/v2/apis/'],
		['weather', '/weather', '/'],
	])('%j becomes %s after the prefix "%s"', (text, path, prefix) => {
		expect(resolve(text, prefix)).toEqual({ path, query: [] });
	});

	it.each([
		['me@evil.example/x', '/v2/apis/', AT],
		['weather', 'https://evil.example/v2', DETOUR],
		['weather', '//evil.example', DETOUR],
		['weather', '/v2?x=', CHARACTER],
	])('%j is rejected after the prefix %j', (text, prefix, message) => {
		expect(() => resolve(text, prefix)).toThrow(message);
	});

	it.each([
		['/v2/{model}/x', '{model}'],
		['/v2/%7Bmodel%7D', '{model}'],
		['/v2/{{ $json.id }}', '{$json.id}'],
		['/v2?of={name}', '{name}'],
	])('%j is rejected because %s has no value', (text, name) => {
		expect(() => resolve(text)).toThrow(
			expect.objectContaining({
				kind: 'input',
				message: `Path contains ${name}, which has no value`,
				description: expect.stringContaining(`Replace ${name} with its value.`),
			}),
		);
	});
});

describe('Random texts', () => {
	/** Parts of hostile paths. */
	const PIECES = [
		...['//', '..', '...', ...'/\\.@:?#;&=% \t\n\r\0'],
		...['%2e', '%2E', '%2f', '%5c', '%40', '%00', '%0a', '%25', '%252e', '%c0%ae', '%E4%BD%A0', '%3f', '%23'],
		...['．', '／', '＠', '‥', '∕', '⁄', '。', '\u200b', '\ud800', '\u2028', '你', 'ſ', 'K'],
		...['http:', 'https:', 'https://', 'https://tools.example:8443', `${ADDRESS}/`, 'HTTPS://TOOLS.EXAMPLE/'],
		...['evil.example', 'user:pass', 'v2', 'apis', 'root', 'tools.example', 'javascript:', '[::1]'],
	];

	it('never lead outside the address of the utilities', () => {
		const random = seededRandom(2026);
		let accepted = 0;
		for (let round = 0; round < 1_000; round++) {
			const text = Array.from(
				{ length: 1 + Math.floor(random() * 7) },
				() => PIECES[Math.floor(random() * PIECES.length)],
			).join('');
			let path;
			try {
				({ path } = resolve(text));
			} catch (error) {
				expect(error).toBeInstanceOf(GatewayFailure);
				continue;
			}
			accepted += 1;
			expect(path.startsWith('/')).toBe(true);
			// The URL means the same with its path decoded once more.
			for (const location of [path, decodeURIComponent(path).replace(/[?#]/g, '_')]) {
				const url = new URL(ADDRESS + location);
				expect({ text, href: url.href.startsWith(`${ADDRESS}/`) }).toEqual({ text, href: true });
				expect(url.username).toBe('');
			}
			expect(new URL(ADDRESS + path).href).toBe(ADDRESS + path);
		}
		// Without enough accepted texts, the loop would prove nothing.
		expect(accepted).toBeGreaterThan(115);
	});

	// A pattern with excessive backtracking would not end here.
	it.each(['/a', '%20', ' ', '..a', '@', '/.', '%', 'https:', '%25', '{', '}', '%7B'])(
		'of any length end soon: %j',
		(piece) => {
			for (const end of ['', '\n']) {
				try {
					resolve(`/${piece.repeat(200_000)}${end}x`);
				} catch (error) {
					expect(error).toBeInstanceOf(GatewayFailure);
				}
			}
		},
	);
});
