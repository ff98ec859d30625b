import { addressesOf, belongsToCredential } from '../../../nodes/shared/send/addresses';
import { endpoints, urlsOf } from '../../../nodes/shared/send/endpoints';

const credential = (baseUrl: string, more: object = {}) => ({ baseUrl, apiKey: 'key', ...more });
const below = (path: string) => `/v1/${path}`;
const baseOf = (baseUrl: string) => addressesOf(credential(baseUrl)).base;

/** The failure of a credential. */
function failureOf(...texts: Parameters<typeof credential>) {
	try {
		return addressesOf(credential(...texts));
	} catch (error) {
		return error;
	}
}

describe('The addresses of a credential', () => {
	it('are read without white space, slashes at the end, and the path of the API', () => {
		for (const text of [
			'https://gateway.example',
			' https://gateway.example/ ',
			'https://gateway.example///',
			'https://gateway.example/v1',
			'https://gateway.example/v1/',
			'HTTPS://Gateway.Example:443/v1#top',
		]) {
			expect(baseOf(text)).toBe('https://gateway.example');
		}
	});

	it.each([
		...['/v1', '/v1/v1', '/V1/Models', '/v1/responses', '/v1/music/tasks/abc', '/v1beta', '/v2/apis/60s'],
		...['models', 'chat/completions', 'messages', 'embeddings', 'rerank', 'images/generations'].map(below),
		...['audio/speech', 'audio/voices', 'music/generations'].map(below),
		'/v1beta/models/aurora-4:generateContent',
	])('may be copied with %s', (path) => {
		expect(baseOf(`https://gateway.example${path}`)).toBe('https://gateway.example');
		expect(baseOf(`https://gateway.example/proxy${path}/`)).toBe('https://gateway.example/proxy');
	});

	it.each(['/proxy', '/v1/proxy', '/av1', '/v1/models/more'])('keep a path of their own: %s', (path) => {
		expect(baseOf(`http://localhost:3000${path}//`)).toBe(`http://localhost:3000${path}`);
	});

	it.each([
		[{}, undefined, 'https://gateway.example'],
		[{ alternateBaseUrl: ' ', utilitiesBaseUrl: '' }, undefined, 'https://gateway.example'],
		[
			{ alternateBaseUrl: 'https://other.example/v1', utilitiesBaseUrl: 'https://tools.example' },
			'https://other.example',
			'https://tools.example',
		],
	])('include an alternate address and one for utilities only if there are any: %j', (more, ...others) => {
		const [alternate, utilities] = others;
		const base = 'https://gateway.example';
		expect(addressesOf(credential(base, more))).toEqual({ base, alternate, utilities });
	});

	it.each(['/api/v3', '/api/paas/v4', '/v1beta/openai'])('may end in a version of their own: %s', (path) => {
		const addresses = addressesOf(credential(`https://gateway.example${path}/`));
		expect(urlsOf(endpoints.chatCompletions, addresses)).toEqual([
			`https://gateway.example${path}/chat/completions`,
		]);
	});

	it('may be copied from a utility endpoint with the prefix', () => {
		const utilitiesOf = (utilitiesBaseUrl: string) =>
			addressesOf(credential('https://gateway.example', { utilitiesBaseUrl })).utilities;
		expect(utilitiesOf('https://tools.example/v2/apis/')).toBe('https://tools.example');
		expect(utilitiesOf('https://tools.example/v2')).toBe('https://tools.example');
		expect(utilitiesOf('https://tools.example/v2/apis/news')).toBe('https://tools.example');
	});

	it.each([[''], ['   '], [undefined as unknown as string]])('are missing without a Base URL: %j', (text) => {
		expect(failureOf(text)).toMatchObject({
			kind: 'settings',
			message: 'Base URL is missing in the credential',
			description: expect.stringContaining('enter the address of your gateway'),
		});
	});

	it.each([['gateway.example'], ['localhost:3000'], ['//gateway.example'], ['https:/gateway.example']])(
		'start with https:// or http://, unlike %s',
		(text) => {
			expect(failureOf(text)).toMatchObject({
				kind: 'settings',
				message: 'Base URL in the credential does not start with https:// or http://',
				description: 'Enter the whole address, for example https://gateway.example.com.',
			});
			expect(failureOf('https://gateway.example', { utilitiesBaseUrl: text })).toMatchObject({
				message: 'Utilities Base URL in the credential does not start with https:// or http://',
			});
		},
	);

	it.each([
		['ftp://gateway.example'],
		['https://http://gateway.example'],
		['https://user@gateway.example'],
		['https://:password@gateway.example'],
		['https://gateway.example?key=1'],
		['https://'],
	])('cannot be %s', (text) => {
		expect(failureOf(text)).toMatchObject({
			kind: 'settings',
			message: 'Base URL in the credential is not a usable web address',
			description: expect.stringContaining('starts with https:// (or http://)'),
		});
		for (const [field, name] of [
			['alternateBaseUrl', 'Alternate Base URL'],
			['utilitiesBaseUrl', 'Utilities Base URL'],
		]) {
			expect(failureOf('https://gateway.example', { [field]: text })).toMatchObject({
				message: `${name} in the credential is not a usable web address`,
			});
		}
	});
});

describe('A URL', () => {
	const addresses = {
		base: 'https://gateway.example/proxy',
		alternate: 'http://other.example:8080',
		utilities: 'https://tools.example',
	};
	const belongs = (url: string) => belongsToCredential(url, addresses);

	it('belongs to the credential with scheme, host, and port of one of its addresses', () => {
		for (const url of [
			'https://gateway.example/proxy/v1/models',
			'https://gateway.example/',
			'HTTPS://GATEWAY.example:443/other?x=1',
			'http://other.example:8080/v1',
			'https://tools.example',
		]) {
			expect([url, belongs(url)]).toEqual([url, true]);
		}
	});

	it('does not belong to it with anything else', () => {
		for (const url of [
			'http://gateway.example/proxy/v1',
			'https://gateway.example:444/proxy/v1',
			'https://gateway.example.evil.example/',
			'https://tools.example.evil.example/',
			'https://tools.example@evil.example/',
			'http://other.example/v1',
			'https://evil.example/?https://gateway.example/',
			'not a URL',
			'',
		]) {
			expect([url, belongs(url)]).toEqual([url, false]);
		}
	});

	it('never belongs to an address that is missing', () => {
		const base = 'https://gateway.example';
		const some = { base, alternate: undefined, utilities: base };
		expect(belongsToCredential('undefined/x', some)).toBe(false);
		expect(belongsToCredential('https://gateway.example/x', some)).toBe(true);
	});
});
