import { GatewayFailure } from '../../../nodes/shared/errors/gatewayFailure';
import type { GatewayAddresses } from '../../../nodes/shared/gateway/addresses';
import { resolveOwnUrl } from '../../../nodes/shared/gateway/ownUrl';

const addresses: GatewayAddresses = {
	base: 'https://gateway.example/root',
	alternate: 'https://second.example',
	utilities: 'https://tools.example:8443',
};
const resolve = (text: string, area: 'main' | 'utilities' = 'main') =>
	resolveOwnUrl(text, area, addresses, 'Path');

describe('resolveOwnUrl', () => {
	it.each<[string, string, Array<[string, string]>?]>([
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
	])('resolves %j', (text, path, query = []) => {
		expect(resolve(text)).toEqual({ area: 'main', path, query });
	});

	it('resolves to the utilities address by area or by whole URL', () => {
		const expected = { area: 'utilities', path: '/v2/apis/60s', query: [] };
		expect(resolve('/v2/apis/60s', 'utilities')).toEqual(expected);
		expect(resolve('https://tools.example:8443/v2/apis/60s')).toEqual(expected);
	});

	it.each<[string, string]>([
		['', 'is empty'],
		['   ', 'is empty'],
		['https://evil.example/v1/models', 'does not start with an address'],
		['http://gateway.example/root/v1/models', 'does not start with an address'],
		['https://gateway.example/other', 'does not start with an address'],
		['https://gateway.example/ROOT/v1', 'does not start with an address'],
		['https://gateway.example/rootless', 'does not start with an address'],
		['https://gateway.example:444/root/v1', 'does not start with an address'],
		['https://gateway.example.evil.example/root/v1', 'does not start with an address'],
		['https://gateway.example@evil.example/root/', 'does not start with an address'],
		['https://user:secret@gateway.example/root/v1', 'does not start with an address'],
		['https://tools.example/v2', 'does not start with an address'],
		['https:evil.example/v1', 'does not start with an address'],
		['https:/evil.example', 'does not start with an address'],
		['ftp://gateway.example/root/v1', 'does not start with an address'],
		['javascript:alert(1)', 'does not start with an address'],
		['evil.example:443/v1', 'does not start with an address'],
		['//evil.example/v1', 'two slashes in a row'],
		['///evil.example', 'two slashes in a row'],
		['/v1//models', 'two slashes in a row'],
		['\\\\evil.example\\v1', 'backslash'],
		['/\\evil.example', 'backslash'],
		['/v1/%5cevil', 'backslash'],
		['/../admin', '"." or ".." segment'],
		['/v1/..', '"." or ".." segment'],
		['/v1/./models', '"." or ".." segment'],
		['..', '"." or ".." segment'],
		['/v1/%2e%2e/admin', '"." or ".." segment'],
		['/v1/.%2E/admin', '"." or ".." segment'],
		['/v1/..;/admin', '"." or ".." segment'],
		['/v1/‥/admin', '"." or ".." segment'],
		['/v1/．．/admin', '"." or ".." segment'],
		['https://gateway.example/root/../admin', '"." or ".." segment'],
		['https://gateway.example/root//evil.example', 'two slashes in a row'],
		['/v1%2fmodels', 'encoded slash'],
		['/v1/..%2fadmin', '"." or ".." segment'],
		['/v1／models', 'encoded slash'],
		['/v1/%252e%252e/admin', 'encoded twice'],
		['/v1/%00', 'encoded twice or contains an encoded control'],
		['/v1/%0d%0aHost:%20evil', 'encoded twice or contains an encoded control'],
		['/v1/%c0%ae%c0%ae/admin', 'does not encode a character'],
		['/v1/100%', 'does not encode a character'],
		['@evil.example/v1', '"@"'],
		['/@evil.example/v1', '"@"'],
		['/v1/%40evil', '"@"'],
		['/v1/＠evil', '"@"'],
		['/v1/mod\tels', 'invisible character'],
		['/v1/models\n', 'invisible character'],
		['/v1/\r\nHost: evil.example', 'invisible character'],
		['ht\ntps://evil.example', 'invisible character'],
		['/v1/\u200bmodels', 'invisible character'],
		['/v1/\u202emodels', 'invisible character'],
		['/v1/\ud800', 'invisible character'],
		['/v1/\0', 'invisible character'],
		['/v1/models#top', '"#"'],
	])('rejects %j (%s)', (text, message) => {
		expect(() => resolve(text)).toThrow(message);
		expect(() => resolve(text)).toThrow(GatewayFailure);
	});

	it.each<[string, string, 'main' | 'utilities', string]>([
		// What the path repeats of the address.
		['/root/v1/models', '/v1/models', 'main', ''],
		['root/v1/models', '/v1/models', 'main', ''],
		['/root', '/', 'main', ''],
		['/rootless/v1', '/rootless/v1', 'main', ''],
		['/v1/root/x', '/v1/root/x', 'main', ''],
		['/ROOT/v1', '/ROOT/v1', 'main', ''],
		['https://gateway.example/root/root/x', '/root/x', 'main', ''],
		// What it repeats of the prefix.
		['weather', '/v2/apis/weather', 'utilities', '/v2/apis/'],
		['/v2/apis/weather', '/v2/apis/weather', 'utilities', '/v2/apis/'],
		['v2/apis/weather', '/v2/apis/weather', 'utilities', 'v2/apis'],
		['apis/weather', '/v2/apis/weather', 'utilities', '/v2/apis'],
		['/v2/apis', '/v2/apis/', 'utilities', '/v2/apis/'],
		['v2/other', '/v2/apis/v2/other', 'utilities', '/v2/apis/'],
		['apisx', '/v2/apis/apisx', 'utilities', '/v2/apis/'],
		['v1/models', '/v1/models', 'main', '/root/v1'],
		['weather', '/v2/apis/weather', 'utilities', ' https://tools.example:8443/v2/apis/ '],
		['/v2/apis/weather', '/v2/apis/weather', 'utilities', 'https://tools.example:8443/v2/apis/'],
		['https://tools.example:8443/v2/apis/weather', '/v2/apis/weather', 'utilities', '/v2/apis/'],
		['weather', '/weather', 'utilities', '/'],
	])('resolves %j to %s', (text, path, area, prefix) => {
		expect(resolveOwnUrl(text, area, addresses, 'Path', { prefix })).toMatchObject({ path });
	});

	it('drops the version that the address ends in', () => {
		const versioned = { base: 'https://gateway.example/api/v3', utilities: 'https://gateway.example/api/v3' };
		expect(resolveOwnUrl('/v3/models', 'main', versioned, 'Path').path).toBe('/models');
		expect(resolveOwnUrl('/api/v3/models', 'main', versioned, 'Path').path).toBe('/models');
		expect(resolveOwnUrl('/api/v4/models', 'main', versioned, 'Path').path).toBe('/api/v4/models');
	});

	it.each([
		['/v1/{model}/x', '{model}'],
		['/v1/a{model}.json', '{model}'],
		['/v1/%7Bmodel%7D', '{model}'],
		['/v1/{ model id }', '{model id}'],
		['/v1/{模型}', '{模型}'],
		['/v1/{{ $json.id }}', '{$json.id}'],
		['https://gateway.example/root/{a}/{b}', '{a}'],
		['/v1/{}', '{}'],
	])('rejects %j because %s has no value', (text, name) => {
		expect(() => resolve(text)).toThrow(
			expect.objectContaining({
				kind: 'input',
				message: `Path contains ${name}, which has no value`,
				description: expect.stringContaining(`Replace ${name} with its value.`),
			}),
		);
	});

	it('accepts braces that mark nothing', () => {
		expect(resolve('/v1/{').path).toBe('/v1/%7B');
		expect(resolve('/v1/}{').path).toBe('/v1/%7D%7B');
		expect(resolve('/v1/models?filter={"a":1}').query).toEqual([['filter', '{"a":1}']]);
	});

	it('fills placeholders that have a value', () => {
		const values = new Map([['id', { parameter: 'Chart', text: 'a/b?' }]]);
		const fill = (text: string) => resolveOwnUrl(text, 'main', addresses, 'Path', { values }).path;
		expect(fill('/charts/{id}/tracks')).toBe('/charts/a%2Fb%3F/tracks');
		expect(fill('/{id}/%7Bid%7D')).toBe('/a%2Fb%3F/a%2Fb%3F');
		expect(fill('/charts/{{id}}.json')).toBe('/charts/a%2Fb%3F.json');
		expect(() => fill('/charts/{name}')).toThrow('Path contains {name}, which has no value');
	});

	it('names the parameter in the failure', () => {
		expect(() => resolveOwnUrl('//x', 'main', addresses, 'The link of the next page')).toThrow(
			/^The link of the next page contains/,
		);
	});

	it('fills placeholders of the query, and refuses those without a value', () => {
		const values = new Map([['id', { parameter: 'Chart', text: 'a&b' }]]);
		const query = (text: string) => resolveOwnUrl(text, 'main', addresses, 'Path', { values }).query;
		expect(query('/v1/charts?of={id}&as=%7Bid%7D')).toEqual([
			['of', 'a&b'],
			['as', 'a&b'],
		]);
		expect(() => query('/v1/charts?of={name}')).toThrow('Path contains {name}, which has no value');
		expect(() => query('/v1/charts?of={{ $json.name }}')).toThrow('which has no value');
	});

	it('drops what a path repeats of the address and the prefix together', () => {
		const below = { ...addresses, utilities: 'https://gateway.example/gw' };
		const path = (text: string) =>
			resolveOwnUrl(text, 'utilities', below, 'Path', { prefix: '/v2/apis' }).path;
		for (const text of ['weather', '/apis/weather', 'v2/apis/weather', '/gw/v2/apis/weather'])
			expect(path(text)).toBe('/v2/apis/weather');
	});
});
