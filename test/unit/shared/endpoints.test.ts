import {
	endpoints,
	generateContentEndpoint,
	isPaid,
	musicTaskEndpoint,
	urlsOf,
	utilityEndpoint,
} from '../../../nodes/shared/gateway/endpoints';

const addresses = {
	base: 'https://gateway.example',
	alternate: 'https://other.example',
	utilities: 'https://tools.example',
};

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
		['voiceModelAlternative', 'POST /v1/voice-clone/create-model', 'create', 300, 10],
		['rerank', 'POST /v1/rerank', 'generate', 300, 40],
		['musicSubmit', 'POST /v1/music/generations', 'create', 120, 40],
		['musicSubmitAlternative', 'POST /v1/music/generate', 'create', 120, 40],
		['musicQuery', 'GET /v1/music/query', 'read', 60, 40],
		['models', 'GET /v1/models', 'read', 60, 40],
		['embeddings', 'POST /v1/embeddings', 'generate', 300, 40],
		['subscription', 'GET /v1/dashboard/billing/subscription', 'read', 60, 40],
		['billingUsage', 'GET /v1/dashboard/billing/usage', 'read', 60, 40],
	])(
		'%s is %s, which is to %s, within %i seconds, at most %i at once',
		(name, request, repeatability, timeoutSeconds, widest) => {
			const endpoint = endpoints[name];
			expect(`${endpoint.method} ${endpoint.path}`).toBe(request);
			expect(endpoint).toMatchObject({ area: 'main', repeatability, timeoutSeconds, widest });
			expect(isPaid(endpoint)).toBe(repeatability !== 'read');
		},
	);

	it('of a music task has the ID in its path, unless that would be another path', () => {
		expect(musicTaskEndpoint('a/b?c')).toEqual({
			...endpoints.musicQuery,
			path: '/v1/music/tasks/a%2Fb%3Fc',
			lane: '/v1/music/tasks',
		});
		for (const id of ['..', '.', 'a/../b', '%2e%2e'])
			expect(() => musicTaskEndpoint(id)).toThrow('Task ID is');
	});

	it('that generates content has the model in its path, whatever it contains', () => {
		const { path, ...rest } = generateContentEndpoint('pro/1', false);
		expect(path).toBe('/v1beta/models/pro%2F1:generateContent');
		expect(rest).toEqual({
			method: 'POST',
			area: 'main',
			repeatability: 'generate',
			timeoutSeconds: 300,
			namesModel: true,
			widest: 100,
		});
		expect(generateContentEndpoint('pro', true).path).toBe('/v1beta/models/pro:streamGenerateContent');
		expect(generateContentEndpoint('a\ud800😀', false).path).toBe(
			'/v1beta/models/a%EF%BF%BD%F0%9F%98%80:generateContent',
		);
	});

	it('of a utility is read at the address for utilities, and paid', () => {
		const endpoint = utilityEndpoint('/v2/apis/news');
		expect(endpoint).toEqual({
			method: 'GET',
			area: 'utilities',
			path: '/v2/apis/news',
			repeatability: 'read',
			timeoutSeconds: 60,
			widest: 40,
		});
		expect(isPaid(endpoint)).toBe(true);
	});
});

describe('The URLs of an endpoint', () => {
	it('include the alternate address for the paths that exist there', () => {
		expect(urlsOf(endpoints.models, addresses)).toEqual([
			'https://gateway.example/v1/models',
			'https://other.example/v1/models',
		]);
		expect(urlsOf(generateContentEndpoint('pro', false), addresses)).toEqual([
			'https://gateway.example/v1beta/models/pro:generateContent',
		]);
	});

	it('include it for what is under /v1 at the address of the utilities, if that is the base address', () => {
		const same = { ...addresses, utilities: addresses.base };
		expect(urlsOf(utilityEndpoint('/v1/x'), same)).toEqual([
			'https://gateway.example/v1/x',
			'https://other.example/v1/x',
		]);
		expect(urlsOf(utilityEndpoint('/v2/apis/news'), same)).toEqual(['https://gateway.example/v2/apis/news']);
	});

	it('are one without an alternate address, and for utilities', () => {
		const single = { ...addresses, alternate: undefined };
		expect(urlsOf(endpoints.models, single)).toEqual(['https://gateway.example/v1/models']);
		expect(urlsOf(utilityEndpoint('/v2/apis/news'), addresses)).toEqual([
			'https://tools.example/v2/apis/news',
		]);
		expect(urlsOf(utilityEndpoint('/v1/x'), addresses)).toEqual(['https://tools.example/v1/x']);
	});
});
