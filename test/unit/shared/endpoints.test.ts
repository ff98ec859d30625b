import {
	endpoints,
	generateContentEndpoint,
	isPaid,
	musicTaskEndpoint,
	urlsOf,
	utilityEndpoint,
} from '../../../nodes/shared/send/endpoints';

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
			expect(endpoint).toMatchObject({ repeatability, timeoutSeconds, widest });
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
		const pathOf = (model: string, streamed = false) => generateContentEndpoint(model, streamed).path;
		expect(generateContentEndpoint('pro/1', false)).toEqual({
			...endpoints.chatCompletions,
			model: 'pro/1',
			path: '/v1beta/models/pro%2F1:generateContent',
		});
		expect(pathOf('pro', true)).toBe('/v1beta/models/pro:streamGenerateContent');
		expect(pathOf('a\ud800😀')).toBe('/v1beta/models/a%EF%BF%BD%F0%9F%98%80:generateContent');
	});

	it('of a utility is read at the address for utilities, and paid', () => {
		const endpoint = utilityEndpoint('/v2/apis/news');
		expect(endpoint).toEqual({ ...endpoints.models, area: 'utilities', path: '/v2/apis/news' });
		expect(isPaid(endpoint)).toBe(true);
	});
});

describe('The URLs of an endpoint', () => {
	const [BASE, OTHER, TOOLS] = ['https://gateway.example', 'https://other.example', 'https://tools.example'];
	const all = { base: BASE, alternate: OTHER, utilities: TOOLS };

	it.each([
		['under /v1', '/v1/models', endpoints.models, all, [BASE, OTHER]],
		[
			'without an alternate address',
			'/v1/models',
			endpoints.models,
			{ ...all, alternate: undefined },
			[BASE],
		],
		[
			'that generates content',
			'/v1beta/models/a:generateContent',
			generateContentEndpoint('a', false),
			all,
			[BASE],
		],
		['of a utility', '/v2/apis/news', utilityEndpoint('/v2/apis/news'), all, [TOOLS]],
		['of a utility under /v1', '/v1/x', utilityEndpoint('/v1/x'), all, [TOOLS]],
		[
			'of a utility under /v1 at Base URL',
			'/v1/x',
			utilityEndpoint('/v1/x'),
			{ ...all, utilities: BASE },
			[BASE, OTHER],
		],
		['of a utility at Base URL', '/v2/x', utilityEndpoint('/v2/x'), { ...all, utilities: BASE }, [BASE]],
	])('include the alternate address only for what is there: %s', (_what, path, endpoint, addresses, at) => {
		expect(urlsOf(endpoint, addresses)).toEqual(at.map((address) => address + path));
	});
});
