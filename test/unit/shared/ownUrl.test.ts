import { ownPlace } from '../../../nodes/shared/gateway/ownUrl';
import { belongsToCredential, type GatewayAddresses } from '../../../nodes/shared/gateway/credential';
import { urlsOf, customEndpoint } from '../../../nodes/shared/gateway/endpoints';
import { GatewayFailure } from '../../../nodes/shared/errors/gatewayFailure';
import { seededRandom } from '../seededRandom';

const addresses: GatewayAddresses = {
	base: 'https://gateway.example/root',
	alternate: 'https://second.example',
	utilities: 'https://tools.example:8443',
};
const place = (text: string, area: 'main' | 'utilities' = 'main') => ownPlace(text, area, addresses, 'Path');

describe('what is accepted', () => {
	test.each<[string, string, Array<[string, string]>?]>([
		['/v1/models', '/v1/models'],
		['v1/models', '/v1/models'],
		[' /v1/models ', '/v1/models'],
		['/v1/models/', '/v1/models/'],
		['/', '/'],
		['/v1beta/models/prisma-2:generateContent', '/v1beta/models/prisma-2:generateContent'],
		['/v1/files/a.b..c/...', '/v1/files/a.b..c/...'],
		['/v1/files/你好 1', '/v1/files/%E4%BD%A0%E5%A5%BD%201'],
		[
			'/v1/files/%E4%BD%A0?a=1&a=2&mail=x@y.example',
			'/v1/files/%E4%BD%A0',
			[
				['a', '1'],
				['a', '2'],
				['mail', 'x@y.example'],
			],
		],
		['https://gateway.example/root/v1/models?a=b', '/v1/models', [['a', 'b']]],
		['HTTPS://Gateway.Example/root/v1/models', '/v1/models'],
		['https://second.example/v1/models', '/v1/models'],
	])('%s', (text, path, query = []) => {
		expect(place(text)).toEqual({ area: 'main', path, query });
	});

	test('the utilities address, by its name or by the whole URL', () => {
		const expected = { area: 'utilities', path: '/v2/apis/60s', query: [] };
		expect(place('/v2/apis/60s', 'utilities')).toEqual(expected);
		expect(place('https://tools.example:8443/v2/apis/60s')).toEqual(expected);
	});
});

describe('what is refused', () => {
	test.each<[string, string]>([
		['', 'is empty'],
		['   ', 'is empty'],
		['https://evil.example/v1/models', 'is not below an address'],
		['http://gateway.example/root/v1/models', 'is not below an address'],
		['https://gateway.example/other', 'is not below an address'],
		['https://gateway.example/ROOT/v1', 'is not below an address'],
		['https://gateway.example/rootless', 'is not below an address'],
		['https://gateway.example:444/root/v1', 'is not below an address'],
		['https://gateway.example.evil.example/root/v1', 'is not below an address'],
		['https://gateway.example@evil.example/root/', 'is not below an address'],
		['https://user:secret@gateway.example/root/v1', 'is not below an address'],
		['https://tools.example/v2', 'is not below an address'],
		['https:evil.example/v1', 'is not below an address'],
		['https:/evil.example', 'is not below an address'],
		['ftp://gateway.example/root/v1', 'is not below an address'],
		['javascript:alert(1)', 'is not below an address'],
		['evil.example:443/v1', 'is not below an address'],
		['//evil.example/v1', 'two slashes'],
		['///evil.example', 'two slashes'],
		['/v1//models', 'two slashes'],
		['\\\\evil.example\\v1', 'backslash'],
		['/\\evil.example', 'backslash'],
		['/v1/%5cevil', 'backslash'],
		['/../admin', 'as a step'],
		['/v1/..', 'as a step'],
		['/v1/./models', 'as a step'],
		['..', 'as a step'],
		['/v1/%2e%2e/admin', 'as a step'],
		['/v1/.%2E/admin', 'as a step'],
		['/v1/..;/admin', 'as a step'],
		['/v1/‥/admin', 'as a step'],
		['/v1/．．/admin', 'as a step'],
		['https://gateway.example/root/../admin', 'as a step'],
		['https://gateway.example/root//evil.example', 'two slashes'],
		['/v1%2fmodels', 'encoded slash'],
		['/v1/..%2fadmin', 'as a step'],
		['/v1／models', 'encoded slash'],
		['/v1/%252e%252e/admin', 'encoded twice'],
		['/v1/%00', 'encoded twice or holds an encoded control'],
		['/v1/%0d%0aHost:%20evil', 'encoded twice or holds an encoded control'],
		['/v1/%c0%ae%c0%ae/admin', 'encodes nothing'],
		['/v1/100%', 'encodes nothing'],
		['@evil.example/v1', '"@"'],
		['/@evil.example/v1', '"@"'],
		['/v1/%40evil', '"@"'],
		['/v1/＠evil', '"@"'],
		['/v1/mod\tels', 'cannot be seen'],
		['/v1/models\n', 'cannot be seen'],
		['/v1/\r\nHost: evil.example', 'cannot be seen'],
		['ht\ntps://evil.example', 'cannot be seen'],
		['/v1/\u200bmodels', 'cannot be seen'],
		['/v1/\u202emodels', 'cannot be seen'],
		['/v1/\ud800', 'cannot be seen'],
		['/v1/\0', 'cannot be seen'],
		['/v1/models#top', '"#"'],
	])('%j %s', (text, message) => {
		expect(() => place(text)).toThrow(message);
		expect(() => place(text)).toThrow(GatewayFailure);
	});

	test('the failure names the parameter', () => {
		expect(() => ownPlace('//x', 'main', addresses, 'The link of the next page')).toThrow(
			/^The link of the next page holds/,
		);
	});
});

/** Pieces that hostile paths are made of. */
const PIECES = [
	...['/', '//', '\\', '.', '..', '...', '@', ':', '?', '#', ';', '&', '=', '%', ' ', '\t', '\n', '\r', '\0'],
	...['%2e', '%2E', '%2f', '%5c', '%40', '%00', '%0a', '%25', '%252e', '%c0%ae', '%E4%BD%A0', '%3f', '%23'],
	...['．', '／', '＠', '‥', '∕', '⁄', '。', '\u200b', '\ud800', '\u2028', '你', 'ſ', 'K'],
	...[
		'http:',
		'https:',
		'https://',
		'https://gateway.example',
		'https://gateway.example/root/',
		'HTTPS://SECOND.EXAMPLE/',
	],
	...[
		'evil.example',
		'user:pass',
		'v1',
		'models',
		'root',
		'gateway.example',
		'javascript:',
		'[::1]',
		'127.0.0.1',
	],
];

test('whatever is put together: it is refused, or it stays below the credential’s addresses', () => {
	const random = seededRandom(2026);
	let accepted = 0;
	for (let round = 0; round < 15_000; round++) {
		const text = Array.from(
			{ length: 1 + Math.floor(random() * 7) },
			() => PIECES[Math.floor(random() * PIECES.length)],
		).join('');
		const area = random() < 0.5 ? 'main' : 'utilities';
		let result;
		try {
			result = place(text, area);
		} catch (error) {
			expect(error).toBeInstanceOf(GatewayFailure);
			continue;
		}
		accepted += 1;
		for (const url of urlsOf(customEndpoint('GET', result.path, result.area), addresses)) {
			const root = [addresses.base, addresses.alternate, addresses.utilities].find((address) =>
				url.startsWith(`${address}/`),
			);
			expect({ text, root }).not.toMatchObject({ root: undefined });
			expect(belongsToCredential(url, addresses)).toBe(true);
			// Whoever reads the URL, once or with its path decoded, reads the same place.
			expect(new URL(url).href).toBe(url);
			const twice = new URL(
				new URL(url).origin + decodeURIComponent(new URL(url).pathname).replace(/[?#]/g, '_'),
			);
			expect(`${twice.origin}${twice.pathname}`.startsWith(`${root}/`)).toBe(true);
			expect(twice.username).toBe('');
		}
	}
	// Were everything refused, nothing would have been tried.
	expect(accepted).toBeGreaterThan(700);
});

test('random characters of all of Unicode change nothing about that', () => {
	const random = seededRandom(99);
	for (let round = 0; round < 8_000; round++) {
		const text = `/v1/${String.fromCodePoint(...Array.from({ length: 6 }, () => Math.floor(random() ** 4 * 0x10ffff)))}`;
		try {
			const { path } = place(text);
			expect(path.startsWith('/v1/')).toBe(true);
			expect(new URL(addresses.base + path).href).toBe(addresses.base + path);
		} catch (error) {
			if (!(error instanceof GatewayFailure)) throw error;
		}
	}
});

// A rule that tried every way to read a text would not come to an end here.
test('a very long path is read', () => {
	for (const piece of ['/a', '%20', ' ', '..a', '@', '/.', '%', 'https:']) {
		expect(() => place(`${piece.repeat(300_000)}\n`)).toThrow(GatewayFailure);
		try {
			place(piece.repeat(300_000));
		} catch (error) {
			expect(error).toBeInstanceOf(GatewayFailure);
		}
	}
});
