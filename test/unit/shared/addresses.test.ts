import {
	addressesOf,
	belongsToCredential,
	type GatewayAddresses,
} from '../../../nodes/shared/send/addresses';
import {
	endpoints,
	urlsOf,
	isPaid,
	utilityEndpoint,
	type Endpoint,
} from '../../../nodes/shared/send/endpoints';
import { generateContent } from '../../../nodes/Chat/formats/generateContent/format';
import { taskEndpoint } from '../../../nodes/Music/tasks/musicTask';
import { pathSegment } from '../../../nodes/shared/send/wiring';

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
	it.each([
		...['/v1', '/v1/v1', '/V1/Models', '/v1/responses', '/v1/music/tasks/abc', '/v1beta', '/v2/apis/60s'],
		...['models', 'chat/completions', 'messages', 'embeddings', 'rerank', 'images/generations'].map(below),
		...['audio/speech', 'audio/voices', 'audio/transcriptions', 'music/generations'].map(below),
		...['completions', 'voice/model', 'dashboard/billing/subscription'].map(below),
		'/v1beta/models/aurora-4:generateContent',
	])('may be copied with %s', (path) => {
		expect(baseOf(`https://gateway.example${path}`)).toBe('https://gateway.example');
		expect(baseOf(` HTTPS://Gateway.Example:443/proxy${path}//#top `)).toBe('https://gateway.example/proxy');
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

	it.each([
		...['/api/v2', '/api/v3', '/v1alpha', '/v1beta/openai'].flatMap((path) => [
			[path],
			[path, '/chat/completions'],
		]),
		['/api/paas/v4', '/embeddings'],
		['/v1beta/openai', '/models'],
	])('may end in a version of their own: %s, copied with %s', (path, end = '') => {
		const addresses = addressesOf(credential(`https://gateway.example${path}${end}/`));
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
		expect(failureOf('https://gateway.example', { alternateBaseUrl: text })).toMatchObject({
			message: 'Alternate Base URL in the credential is not a usable web address',
		});
	});
});

describe('A URL', () => {
	const addresses = {
		base: 'https://gateway.example/proxy',
		alternate: 'http://other.example:8080',
		utilities: 'https://tools.example',
	};

	it.each([
		...['https://gateway.example/proxy/v1/models', 'HTTPS://GATEWAY.example:443/other?x=1'],
		...['http://other.example:8080/v1', 'https://tools.example'],
	])('belongs to the credential with scheme, host, and port of one of its addresses: %s', (url) => {
		expect(belongsToCredential(url, addresses)).toBe(true);
	});

	it.each([
		...['http://gateway.example/proxy/v1', 'https://gateway.example:444/proxy/v1', 'http://other.example/v1'],
		...['https://gateway.example.evil.example/', 'https://tools.example@evil.example/', 'not a URL', ''],
		'https://evil.example/?https://gateway.example/',
	])('does not belong to it with anything else: %s', (url) => {
		expect(belongsToCredential(url, addresses)).toBe(false);
	});
});

describe('An endpoint', () => {
	// What may be sent again after an unclear outcome follows from this.
	it.each<[keyof typeof endpoints, string, string, number, number]>([
		['chatCompletions', 'POST /v1/chat/completions', 'generate', 300, 100],
		['messages', 'POST /v1/messages', 'generate', 300, 100],
		['images', 'POST /v1/images/generations', 'generate', 300, 40],
		['speech', 'POST /v1/audio/speech', 'generate', 300, 40],
		['voices', 'GET /v1/audio/voices', 'read', 60, 40],
		['voicesAlternative', 'GET /v1/voice/models/list', 'read', 60, 40],
		['voiceModel', 'POST /v1/voice/model', 'create', 300, 10],
		['rerank', 'POST /v1/rerank', 'generate', 300, 40],
		['musicSubmit', 'POST /v1/music/generations', 'create', 120, 40],
		['models', 'GET /v1/models', 'read', 60, 40],
		['embeddings', 'POST /v1/embeddings', 'generate', 300, 40],
		['subscription', 'GET /v1/dashboard/billing/subscription', 'read', 60, 40],
		['billingUsage', 'GET /v1/dashboard/billing/usage', 'read', 60, 40],
	])(
		'%s is %s, which is to %s, within %i seconds, at most %i at once',
		(name, request, repeatability, timeoutSeconds, widest) => {
			const endpoint = endpoints[name];
			expect(`${endpoint.method} ${endpoint.path}`).toBe(request);
			expect(endpoint).toMatchObject({ repeatability, timeoutSeconds, widest });
			expect(isPaid(endpoint)).toBe(repeatability !== 'read');
		},
	);

	it('of media begins with six requests, because a stop may lose them', () => {
		const firsts = Object.entries<Endpoint>(endpoints).map(([name, { first }]) => ({ [name]: first }));
		expect(Object.assign({}, ...firsts)).toEqual({ images: 6, speech: 6, musicSubmit: 6 });
	});

	it('that generates something or takes songs names a model', () => {
		const all = Object.entries<Endpoint>(endpoints);
		const generating = all.filter(([, { repeatability }]) => repeatability === 'generate');
		expect(all.filter(([, { namesModel }]) => namesModel).map(([name]) => name)).toEqual(
			expect.arrayContaining([...generating.map(([name]) => name), 'musicSubmit']),
		);
	});

	it('of a music task has the ID in its path, unless that would be another path', () => {
		const path = '/v1/music/tasks/{task_id}';
		expect(taskEndpoint(path, 'a/b?c').endpoint).toMatchObject({
			...endpoints.models,
			path: '/v1/music/tasks/a%2Fb%3Fc',
			lane: '/v1/music/tasks',
		});
		for (const id of ['..', '.', 'a/../b', '%2e%2e'])
			expect(() => taskEndpoint(path, id)).toThrow('Task ID is');
		const other = taskEndpoint('/v1/music/query?full=1&id={task_id}', '$&/..');
		expect(other.endpoint.path).toBe('/v1/music/query');
		expect(other.query).toEqual([
			['full', '1'],
			['id', '$&/..'],
		]);
	});

	it('that generates content has the model in its path, whatever it contains', () => {
		const pathOf = (model: string, streamed = false) =>
			generateContent.request.target(model, streamed).endpoint.path;
		expect(generateContent.request.target('pro/1', false).endpoint).toEqual({
			...endpoints.chatCompletions,
			model: 'pro/1',
			path: '/v1beta/models/pro%2F1:generateContent',
		});
		expect(pathOf('pro', true)).toBe('/v1beta/models/pro:streamGenerateContent');
		expect(pathOf('a\ud800😀')).toBe('/v1beta/models/a%EF%BF%BD%F0%9F%98%80:generateContent');
	});
});

describe('The URLs of an endpoint', () => {
	const [BASE, OTHER, TOOLS] = ['https://gateway.example', 'https://other.example', 'https://tools.example'];
	const all = { base: BASE, alternate: OTHER, utilities: TOOLS };
	const atBase = { ...all, utilities: BASE };
	const generating = generateContent.request.target('a', false).endpoint;

	it.each<[string, Endpoint, GatewayAddresses, string[]]>([
		['under /v1', endpoints.models, all, [BASE, OTHER]],
		['without an alternate address', endpoints.models, { ...all, alternate: undefined }, [BASE]],
		['that generates content', generating, all, [BASE]],
		['of a utility', utilityEndpoint('/v2/apis/news'), all, [TOOLS]],
		['of a utility under /v1', utilityEndpoint('/v1/x'), all, [TOOLS]],
		['of a utility under /v1 at Base URL', utilityEndpoint('/v1/x'), atBase, [BASE, OTHER]],
		['of a utility at Base URL', utilityEndpoint('/v2/x'), atBase, [BASE]],
	])('include the alternate address only for what is there: %s', (_what, endpoint, addresses, at) => {
		expect(urlsOf(endpoint, addresses)).toEqual(at.map((address) => address + endpoint.path));
	});
});

const fill = (text: string) => `/v2/apis/music-rank/${pathSegment('Chart', text)}`;

describe('A value in a path', () => {
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

	it.each([
		['a b', 'a%20b'],
		['a\udc00b', 'a%EF%BF%BDb'],
		['?x#y;z', '%3Fx%23y%3Bz'],
		['a/b\\c', 'a%2Fb%5Cc'],
		['50%2f', '50%252f'],
		['榜...{id}', '%E6%A6%9C...%7Bid%7D'],
	])('stays one segment: %j', (text, segment) => {
		const path = fill(text);
		expect(path).toBe(`/v2/apis/music-rank/${segment}`);
		expect(new URL(path, 'https://gateway.example').pathname).toBe(path);
	});
});
