import { GatewayFailure } from '../../../nodes/shared/errors/gatewayFailure';
import { belongsToCredential, type GatewayAddresses } from '../../../nodes/shared/gateway/addresses';
import { customEndpoint, urlsOf } from '../../../nodes/shared/gateway/endpoints';
import { resolveOwnUrl } from '../../../nodes/shared/gateway/ownUrl';
import { seededRandom } from '../seededRandom';

const addresses: GatewayAddresses = {
	base: 'https://gateway.example/root',
	alternate: 'https://second.example',
	utilities: 'https://tools.example:8443',
};
const resolve = (text: string, area: 'main' | 'utilities' = 'main') =>
	resolveOwnUrl(text, area, addresses, 'Path');

/** Parts of hostile paths. */
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

describe('resolveOwnUrl with random texts', () => {
	it('never leads outside the addresses of the credential', () => {
		const random = seededRandom(2026);
		let accepted = 0;
		for (let round = 0; round < 6_000; round++) {
			const text = Array.from(
				{ length: 1 + Math.floor(random() * 7) },
				() => PIECES[Math.floor(random() * PIECES.length)],
			).join('');
			const area = random() < 0.5 ? 'main' : 'utilities';
			let result;
			try {
				result = resolve(text, area);
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
				// The URL means the same with its path decoded once more.
				expect(new URL(url).href).toBe(url);
				const twice = new URL(
					new URL(url).origin + decodeURIComponent(new URL(url).pathname).replace(/[?#]/g, '_'),
				);
				expect(`${twice.origin}${twice.pathname}`.startsWith(`${root}/`)).toBe(true);
				expect(twice.username).toBe('');
			}
		}
		// Without enough accepted texts, the loop would prove nothing.
		expect(accepted).toBeGreaterThan(700);
	});

	it('stays below its path with random characters from all of Unicode', () => {
		const random = seededRandom(99);
		for (let round = 0; round < 3_000; round++) {
			const text = `/v1/${String.fromCodePoint(...Array.from({ length: 6 }, () => Math.floor(random() ** 4 * 0x10ffff)))}`;
			try {
				const { path } = resolve(text);
				expect(path.startsWith('/v1/')).toBe(true);
				expect(new URL(addresses.base + path).href).toBe(addresses.base + path);
			} catch (error) {
				if (!(error instanceof GatewayFailure)) throw error;
			}
		}
	});

	// A pattern with excessive backtracking would not end here.
	it('handles very long paths', () => {
		for (const piece of ['/a', '%20', ' ', '..a', '@', '/.', '%', 'https:']) {
			expect(() => resolve(`${piece.repeat(300_000)}\n`)).toThrow(GatewayFailure);
			try {
				resolve(piece.repeat(300_000));
			} catch (error) {
				expect(error).toBeInstanceOf(GatewayFailure);
			}
		}
	});
});
