import {
	CODES,
	isErrorObject,
	looksLikeWebPage,
	readErrorBody,
	shortMessage,
	WORDS,
	deniesSuccess,
	errorInside,
} from '../../../nodes/shared/failure/errorBody';
import { MEANINGS, saysWorkWasDone, statusMeant } from '../../../nodes/shared/failure/meaning';
import { hasOnlyWords } from '../../../nodes/Utilities/readUtility';

const nothing = { code: undefined, type: undefined, gatewayMessage: undefined, requestId: undefined };

const LONG = 'x'.repeat(600);

describe('The body of a failed response', () => {
	it.each<[string, unknown, object]>([
		[
			'message, type, and code in its error object',
			{ error: { message: 'No', type: 'a', code: 'b' } },
			{ gatewayMessage: 'No', type: 'a', code: 'b' },
		],
		['the error as text', { error: 'No', code: 'x' }, { gatewayMessage: 'No', code: 'x' }],
		['no error object', { message: 'No', type: 't' }, { gatewayMessage: 'No', type: 't' }],
		['another name of the message', { error: { msg: 'No' } }, { gatewayMessage: 'No' }],
		['a message for web pages', { error: { 'html-message': 'No' } }, { gatewayMessage: 'No' }],
		['an empty message before another', { message: ' ', msg: 'No' }, { gatewayMessage: 'No' }],
		['the code as a number', { error: { message: 'No', code: 7 } }, { gatewayMessage: 'No', code: '7' }],
		['a code of zero', { code: 0 }, { code: '0' }],
		[
			'the code in its details (Anthropic)',
			{ error: { type: 'a', message: 'No', details: { error_code: 'b' } } },
			{ gatewayMessage: 'No', type: 'a', code: 'b' },
		],
		['an empty code before a status', { code: ' ', status: 'x' }, { code: 'x' }],
		['the code beside the error', { error: { message: 'No' }, code: 7 }, { gatewayMessage: 'No', code: '7' }],
		['one error in a list', { errors: [{ message: 'No', code: 7 }] }, { gatewayMessage: 'No', code: '7' }],
		['two of them', { errors: [{ message: 'No', code: 7 }, 'Never'] }, { gatewayMessage: 'No; Never' }],
		['only the code of one', { error: { type: 'a' }, message: 'No' }, { gatewayMessage: 'No', type: 'a' }],
		[
			'an error in an error',
			{ error: { error: { message: 'No', code: 7 } } },
			{ gatewayMessage: 'No', code: '7' },
		],
		[
			'the error of the upstream (claude-code-hub#518)',
			{ error: { type: 'a', upstream_error: { type: 'error', error: { type: 'b', message: 'No' } } } },
			{ gatewayMessage: 'No', type: 'b' },
		],
		['another error as JSON', { error: '{"message":"No"}', code: 7 }, { gatewayMessage: 'No', code: '7' }],
		['only text', 'No', { gatewayMessage: 'No' }],
		['a success before it', '图片生成成功，保存失败', { gatewayMessage: '图片生成成功，保存失败' }],
		['a list', [null, 'No', '', 'Never'], { gatewayMessage: 'No' }],
		[
			'the ID of the request',
			'No (request id: 2026-abc_1)',
			{ gatewayMessage: expect.anything(), requestId: '2026-abc_1' },
		],
		[
			'the ID of the request without a space',
			{ message: 'Request ID:abc' },
			{ gatewayMessage: 'Request ID:abc', requestId: 'abc' },
		],
		// rocketride-server#2132.
		['the words of Deepgram', { err_code: 'BAD', err_msg: 'No' }, { gatewayMessage: 'No', code: 'BAD' }],
		['a long code', { code: LONG, type: LONG }, { code: LONG.slice(0, 200), type: LONG.slice(0, 200) }],
		['a long message', LONG, { gatewayMessage: `${LONG.slice(0, 500)}…` }],
	])('may have %s', (_what, body, facts) => {
		expect(readErrorBody(body)).toEqual({ ...nothing, ...facts });
	});

	it.each<[unknown]>([
		[undefined],
		[null],
		['  \n'],
		['OK'],
		['Successfully'],
		['获取成功'],
		[[]],
		[{ error: {} }],
		[{ error: { message: '', code: null, type: true } }],
		['<!DOCTYPE html><html>A page</html>'],
	])('says nothing if it is %j', (body) => {
		expect(readErrorBody(body)).toEqual(nothing);
	});

	it('does not name the request in another way than its headers', () => {
		expect(readErrorBody('No (request id: abc)', 'from-headers').requestId).toBe('from-headers');
	});
});

describe("The gateway's words", () => {
	it.each([
		[' <p>Not <b>now</b>,\n\t please</p>\u0000\u001b ', 'Not now , please'],
		['1 < 2', '1 < 2'],
		// Marks that turn the direction, and characters of no width.
		['\u202efai\u200bled\u2066 \ufeffn\u00adow\u2069\u{e0041}', 'failed now'],
		['a\ud800b', 'a b'],
		['Bad <<b>script<i>>x</script', 'Bad < script >x /script'],
		['x'.repeat(500), 'x'.repeat(500)],
		['x'.repeat(501), `${'x'.repeat(500)}…`],
		[`${' '.repeat(4_999)}ab`, 'a'],
	])('become one short line without tags and control characters: case %#', (text, line) => {
		expect(shortMessage(text)).toBe(line);
	});
});

describe("A gateway's own error object", () => {
	it.each<[unknown, boolean]>([
		...[{ message: 'No' }, { type: 'a' }, { code: 500 }].map((error): [unknown, boolean] => [
			{ error },
			true,
		]),
		...['Bad gateway', {}, { message: '' }, { status: 502 }].map((error): [unknown, boolean] => [
			{ error },
			false,
		]),
		[{ message: 'No' }, false],
		[undefined, false],
	])('has a message, a type, or a code: %j', (body, isOwn) => expect(isErrorObject(body)).toBe(isOwn));
});

describe('A web page', () => {
	it.each([
		['<!DOCTYPE html><html lang="en">', true],
		['  \n<!doctype HTML>', true],
		['<html>', true],
		['<head>', true],
		['<body class="x">', true],
		['', false],
		['Not <html>', false],
		['{"a":"<html>"}', false],
		['<?xml version="1.0"?><feed/>', false],
		['<div>', false],
	])('begins with its kind, or with a tag: %j', (text, isPage) => {
		expect(looksLikeWebPage(text)).toBe(isPage);
	});
});

describe('The reason behind a general sentence', () => {
	const violation = { '@type': 'x/BadRequest', fieldViolations: [{ field: 'a', description: 'Odd seed' }] };

	it.each<[string, object, string]>([
		['OpenRouter, as text', { metadata: { raw: 'Odd seed', provider_name: 'x' } }, 'Odd seed'],
		['OpenRouter, as JSON', { metadata: { raw: '{"error":{"message":"Odd seed"}}' } }, 'Odd seed'],
		['OpenRouter, moderation', { metadata: { reasons: ['violence'] } }, 'violence'],
		['Azure', { innererror: { code: 'PolicyViolation' } }, 'PolicyViolation'],
		['Azure, inside', { innererror: { code: 'A', innererror: { code: 'B', message: 'Odd' } } }, 'Odd'],
		['Google', { details: [violation] }, 'Odd seed'],
		['Google, a quota', { details: [{ violations: [{ quotaId: 'PerDay-FreeTier' }] }] }, 'PerDay-FreeTier'],
		['Vertex AI', { details: [{ detail: 'The region is closed' }] }, 'The region is closed'],
		['OpenAI', { param: 'temperature' }, 'temperature'],
		['Novita', { metadata: { reason: 'The width is odd' } }, 'The width is odd'],
		['Groq', { failed_generation: 'weather(Paris)' }, 'weather(Paris)'],
		['Vercel', { param: { error: 'No region' } }, 'No region'],
		['AI/ML API', { meta: [{ path: ['n'], message: 'n is odd' }] }, 'n is odd'],
		['Jina AI', { errors: ['a', 'b'].map((field) => ({ field, message: 'Odd' })) }, 'a: Odd; b: Odd'],
	])('is in the message: %s', (_who, fields, reason) => {
		const error = { message: 'Failed.', code: 400, ...fields };
		expect(readErrorBody({ error }).gatewayMessage).toBe(`Failed: ${reason}`);
	});

	it.each<[string, object, string]>([
		['LiteLLM', { message: 'No key.', param: 'None' }, 'No key.'],
		['Eden AI', { message: { provider: ['Odd seed'] } }, 'provider: Odd seed'],
		['Databricks', { message: '{"external_model_error":"Odd"}' }, '{"external_model_error":"Odd"}'],
		['a sentence that names it', { message: 'Bad: seed', param: null }, 'Bad: seed'],
	])('is not added to %s', (_who, error, message) => {
		expect(readErrorBody({ error }).gatewayMessage).toBe(message);
	});
});

describe('The tables of names', () => {
	it.each([...WORDS, 'status_msg', 'StatusMsg'])('have %s for the words of an error', (name) => {
		expect(readErrorBody({ [name]: 'No' }).gatewayMessage).toBe('No');
		expect(readErrorBody({ error: { [name]: 'No' } }).gatewayMessage).toBe('No');
	});

	it.each([...CODES, 'errorCode', 'status_code'])('have %s for its code', (name) => {
		expect(readErrorBody({ error: { [name]: 'no_quota' } }).code).toBe('no_quota');
	});

	it.each(['error', 'errors', 'base_resp', 'detail'])('have %s for what is around it', (name) => {
		const inner = { message: 'No', code: 'no_quota' };
		for (const value of [inner, [inner], { error: inner }]) {
			expect(readErrorBody({ [name]: value })).toMatchObject({ gatewayMessage: 'No', code: 'no_quota' });
		}
	});
});

describe('A failed response', () => {
	/** "No credit" in the words of public services. */
	const withoutCredit: Array<[status: number, facts: object]> = [
		[429, { code: 'insufficient_quota' }],
		[429, { type: 'exceeded_current_quota_error' }],
		[429, { code: '1113' }],
		[429, { code: '402' }],
		// Zhipu: a plan that has ended, in Anthropic's format as well (claude-code#9201).
		[429, { code: '1309' }],
		[429, { type: '1309' }],
		// OpenAI, since prepaid credits and limits of projects (help.openai.com, article 5955604).
		...['credit_balance_exhausted', 'project_spend_limit_exceeded', 'organization_usage_limit_exceeded'].map(
			(code): [number, object] => [429, { code }],
		),
		// Anthropic, and Gemini.
		[400, { gatewayMessage: 'You have reached your specified API usage limits. Access returns in May.' }],
		[400, { gatewayMessage: 'You have reached your specified workspace API usage limits.' }],
		[429, { gatewayMessage: 'Your prepayment credits are depleted. Please go to AI Studio.' }],
		[429, { gatewayMessage: 'Your project has exceeded its monthly spending cap.' }],
		// Imagen (openjourney#1).
		[400, { gatewayMessage: 'Imagen API is only accessible to billed users at this time.' }],
		// Gemini (js-genai#1322): a model that the free tier does not have, although the error names a wait.
		[
			429,
			{ gatewayMessage: 'Over quota. * Quota exceeded for metric: a.com/b_free_tier_c, limit: 0, model: m' },
		],
		// Anthropic (oh-my-pi#5418), and LLM Gateway (docs.llmgateway.io/resources/error-handling).
		[
			429,
			{ type: 'rate_limit_error', gatewayMessage: "It would exceed your account's monthly spend limit." },
		],
		[429, { type: 'rate_limit_error', code: 'enforced_spend_limit_reached' }],
		[401, { code: 'invalid_api_key', gatewayMessage: 'Unauthorized: API key reached its usage limit.' }],
		// Workers AI (OmniRoute#6980): until midnight.
		[
			429,
			{ code: '4006', gatewayMessage: 'AiError: you have used up your daily free allocation of 9 neurons' },
		],
		[403, { code: 'AccountOverdueError' }],
		// The limit that the user has set for a model of Volcengine, which has paused the model (MineContext#328).
		[429, { code: 'SetLimitExceeded' }],
		[400, { type: 'budget_exceeded', code: '400' }],
		[401, { code: 'quota_exceeded' }],
		[400, { code: 'not_enough_credits' }],
		[400, { gatewayMessage: 'Your credit balance is too low to access the API.' }],
		[403, { gatewayMessage: 'User is locked. Reason: Exhausted balance.' }],
		[403, { gatewayMessage: 'Sorry, your account balance is insufficient' }],
		[403, { code: 'user quota' }],
		[429, { gatewayMessage: '您的账户余额已用尽' }],
		[400, { gatewayMessage: 'You are out of credits' }],
		[403, { gatewayMessage: 'The team does not have any credits yet.' }],
		[429, { gatewayMessage: 'Your team has either used all available credits or reached a limit.' }],
		[412, { gatewayMessage: 'Suspended, possibly due to reaching the monthly spending limit' }],
		[401, { gatewayMessage: '该令牌额度已用尽' }],
	];
	it.each(withoutCredit)('means "no credit" whatever its status is: %s %j', (status, facts) => {
		expect(statusMeant(status, facts)).toBe(402);
	});

	const others: Array<[status: number, facts: object, meant: number]> = [
		[429, { code: 'rate_limit_exceeded' }, 429],
		[429, { gatewayMessage: 'You exceeded your current quota, please check your plan.' }, 429],
		[429, { gatewayMessage: 'Quota exceeded for metric: a.com/b_free_tier_c, limit: 20, model: m' }, 429],
		[429, { code: '1302', gatewayMessage: '您的账户已达到速率限制' }, 429],
		[429, { gatewayMessage: 'Your rate limit is reduced while you have less than $5.0 in credit.' }, 429],
		[429, { code: 'token_quota_exceeded' }, 429],
		// OpenAI (ruby_llm's recordings): no wait helps.
		[429, { code: 'rate_limit_exceeded', gatewayMessage: 'Request too large for m.' }, 413],
		// Anthropic (hermes-agent#4747): a plan without long requests.
		[429, { gatewayMessage: 'Extra usage is required for long context requests.' }, 413],
		// OpenRouter (aios-team-brain#658).
		[
			402,
			{ code: '402', gatewayMessage: 'It would exceed your credits given your in-flight requests.' },
			429,
		],
		// Zhipu: an account that is locked, or a plan without the model (docs.bigmodel.cn/cn/api/api-code).
		...['1112', '1121', '1311'].flatMap((name): Array<[number, object, number]> => [
			[429, { code: name }, 403],
			[429, { type: name }, 403],
			[500, { code: name }, 500],
		]),
		// Groq: service_tier "flex" (console.groq.com/docs/errors).
		[498, { code: 'capacity_exceeded', gatewayMessage: 'Flex tier capacity exceeded.' }, 503],
		[498, { gatewayMessage: 'The text has a word that is not allowed' }, 498],
		// DashScope: tokens per minute.
		...['Allocated', 'Workspace allocated'].map((which): [number, object, number] => [
			429,
			{ code: 'insufficient_quota', gatewayMessage: `${which} quota exceeded, please increase your limit.` },
			429,
		]),
		[429, { code: 'insufficient_quota', gatewayMessage: 'Free allocated quota exceeded.' }, 402],
		// Gemini and xAI: a wrong key.
		[400, { code: '400', gatewayMessage: 'API key not valid. Please pass a valid API key.' }, 401],
		[400, { code: '400', gatewayMessage: 'API key expired. Please renew the API key.' }, 401],
		// Gemini (python-genai#1764), and Sarvam (docs.sarvam.ai).
		[403, { code: '403', gatewayMessage: 'Your API key was reported as leaked. Use another API key.' }, 401],
		[403, { code: 'invalid_api_key_error', gatewayMessage: 'Forbidden' }, 401],
		[400, { code: 'invalid-argument', gatewayMessage: 'Incorrect API key provided: ab***z.' }, 401],
		[400, { code: 'invalid-argument', gatewayMessage: 'max_tokens must be positive' }, 400],
		// OpenRouter and xAI: a filter.
		[
			403,
			{ code: '403', gatewayMessage: 'The model requires moderation. Your input was flagged for "a".' },
			400,
		],
		[403, { gatewayMessage: 'Content violates usage guidelines. Team: a' }, 400],
		[403, { gatewayMessage: 'Your request was flagged by our content moderation system.' }, 400],
		// ElevenLabs and OpenAI: a valid key that may not do this.
		[401, { code: 'missing_permissions', gatewayMessage: 'The API key is missing a permission.' }, 403],
		[401, { code: 'detected_unusual_activity' }, 403],
		[401, { gatewayMessage: 'You have insufficient permissions for this operation. Missing scopes: a' }, 403],
		// LiteLLM (chatgpt-shell#254).
		[401, { gatewayMessage: 'Authentication Error, API Key not allowed to access model. Tried: m' }, 403],
		[503, { type: 'one_api_error', gatewayMessage: '当前分组 default 下对于模型 m 无可用渠道' }, 404],
		[401, { code: 'invalid_api_key', gatewayMessage: 'Invalid API key' }, 401],
		[401, { code: 'max_character_limit_exceeded' }, 400],
		[404, { code: 'billing_issue' }, 404],
		[503, { code: 'model_not_found' }, 404],
		[500, { code: 'no_available_channel' }, 404],
		[400, { code: 'model_not_found' }, 400],
		[500, { type: 'invalid_request_error' }, 400],
		[502, { code: 'InvalidRequest' }, 502],
		[500, { code: 'sensitive_words_detected' }, 400],
		[502, { gatewayMessage: 'Blocked [IMAGE_SAFETY]' }, 400],
		[429, { code: 'sensitive_words_detected' }, 429],
		...[200, 201, 400, 403].flatMap((status): Array<[number, object, number]> => [
			[status, { code: 'rate_limit_exceeded' }, 429],
			[status, { gatewayMessage: 'Too many requests, try again later.' }, 429],
			[status, { type: 'rate_limit_error' }, 429],
			[status, { code: 'TooManyRequests' }, 429],
			[status, { type: 'ThrottlingException' }, 429],
			[status, { gatewayMessage: 'litellm.BadRequestError: ThrottlingException: Too many tokens' }, 429],
			[status, { gatewayMessage: 'rate_limit must be a number' }, status],
			[status, { gatewayMessage: 'The parameter n is limited' }, status],
		]),
		[401, { code: 'rate_limit_exceeded' }, 401],
		// No status.
		[200, { code: '405', gatewayMessage: 'Rate limit exceeded' }, 429],
		[200, { code: '405', gatewayMessage: 'Method not allowed' }, 405],
		[200, { code: '4290' }, 200],
		[200, { code: '1429' }, 200],
		[500, { code: 'bad_response_body', gatewayMessage: 'Open api qps request limit reached' }, 429],
		[500, { gatewayMessage: '服务器出错了 Error: Invalid time value' }, 400],
		[502, { gatewayMessage: '服务器出错了 Error: Invalid time value' }, 502],
		[500, { gatewayMessage: 'Invalid time value' }, 500],
		// Inside status 200.
		...Object.entries({
			...{ 429: 429, 430: 429, 455: 503, rate_limit_error: 429, too_many_requests: 429, Throttling: 429 },
			...{ RESOURCE_EXHAUSTED: 429, overloaded_error: 529, UNAVAILABLE: 503, gateway_timeout: 504 },
			...{ server_error: 500, api_error: 500, INTERNAL: 500, invalid_api_key: 401, UNAUTHENTICATED: 401 },
			...{ authentication_error: 401, billing_error: 402, quota: 402, insufficient: 402, FORBIDDEN: 403 },
			...{ permission_error: 403, not_found_error: 404, task_not_exist: 404, request_too_large: 413 },
			...{ INVALID_ARGUMENT: 400, bad_request: 400, validation_error: 400, other: 200 },
		}).map(([code, meant]): [number, object, number] => [200, { code }, meant]),
		...Object.entries({
			...{ 1002: 429, 1039: 429, 1041: 429, 2045: 429, 2056: 429, 1004: 401, 2049: 401, 1008: 402 },
			...{ 1001: 504, 1013: 500, 1024: 500, 1033: 500, 1000: 200 },
		}).map(([code, meant]): [number, object, number] => [200, { code, type: 'base_resp' }, meant]),
	];
	it.each(others)('has another status if its words are clearer: %s %j', (status, facts, meant) => {
		expect(statusMeant(status, facts)).toBe(meant);
	});

	it('has another status only where somebody has seen that, with a case above for each row', () => {
		const decides = MEANINGS.map((row) => ({ row, when: jest.spyOn(row, 'when') }));
		for (const [status, facts] of [...withoutCredit, ...others]) statusMeant(status, facts);
		const without = decides.filter(({ when }) => !when.mock.results.some(({ value }) => value === true));
		jest.restoreAllMocks();
		expect(without.map(({ row }) => row.source)).toEqual([]);
		expect(MEANINGS.filter(({ source }) => !/\w/.test(source))).toEqual([]);
	});
});

/** A body, its words, and the status that it stands for, if any. */
type Case = [body: object, words: string | undefined, status?: number];

describe('An error in a successful response', () => {
	const cases: Case[] = [
		// The interface and its relatives.
		[{ error: { message: 'No', type: 'invalid_request_error' } }, 'No', 400],
		[{ error: { message: 'No', code: 429 } }, 'No', 429],
		[{ type: 'error', error: { type: 'overloaded_error', message: 'No' } }, 'No', 529],
		[{ error: 'No' }, 'No'],
		[{ Error: 'No' }, 'No'],
		// Envelopes.
		[{ code: 401, msg: 'No' }, 'No', 401],
		[{ code: '500', message: 'No', data: null }, 'No', 500],
		[{ status: 503, message: 'No' }, 'No', 503],
		[{ error_code: 18, error_msg: 'No' }, 'No'],
		...['Open api qps request limit reached', 'Open api request limit reached'].map((words): Case => [
			{ error: { message: words, type: 'baidu_error', code: 18 } },
			words,
			429,
		]),
		[
			{ error_code: 17, error_msg: 'Open api daily request limit reached' },
			'Open api daily request limit reached',
		],
		[{ code: 'task_not_exist', message: 'No' }, 'No', 404],
		[{ code: 'invalid_api_key' }, undefined, 401],
		[{ code: 'throttled', error_code: -1, message: 'No' }, 'No', 429],
		[{ base_resp: { status_code: 1004, status_msg: 'No' } }, 'No', 401],
		[{ base_resp: { status_code: 1002, status_msg: 'No' }, data: null }, 'No', 429],
		[{ base_resp: { status_code: 2013, status_msg: 'No' } }, 'No'],
		// Flags.
		[{ success: false, message: 'No' }, 'No'],
		[{ status: false, message: 'No' }, 'No'],
		[{ success: false }, undefined],
		[{ success: 'no', message: 'No' }, 'No'],
		[[{ error: { code: 400, message: 'No' } }] as object, 'No', 400],
		[{ title: 'Invalid', status: 400, errors: { model: ['is required'] } }, 'model: is required', 400],
		...[{ type: 'error' }, { object: 'error' }, { code: 'failure' }, { status: 'fail' }].map((flag): Case => [
			{ ...flag, message: 'No' },
			'No',
		]),
		[{ code: 'rate_limit_exceeded' }, undefined, 429],
		[
			{
				choices: [{ index: 0, message: { role: 'assistant', content: '' } }],
				error: { code: 429, message: 'No' },
			},
			'No',
			429,
		],
		[{ __type: 'ThrottlingException', error: { type: 'ThrottlingException', message: 'No' } }, 'No', 429],
		[{ error: [{ message: 'No' }, null] }, 'No'],
		// Frameworks of servers.
		[{ statusCode: 400, message: ['No', 'never'], error: 'Bad Request' }, 'No; never', 400],
		[{ status: 500, error: 'Internal Server Error', message: 'No', path: '/v1' }, 'No', 500],
		[{ detail: 'No' }, 'No'],
		[{ detail: [{ loc: ['body', 'model'], msg: 'No' }] }, 'body.model: No'],
		[{ detail: 'Invalid', errors: [{ field: 'model', message: 'No' }] }, 'model: No'],
		[{ errors: [{ message: 'No' }] }, 'No'],
	];

	it.each(cases.map(([body, words, status = 200]) => ({ body, words, status })))(
		'is found in $body',
		({ body, words, status }) => {
			const { facts, hasResult } = errorInside(body)!;
			expect([facts.gatewayMessage, hasResult]).toEqual([words, false]);
			expect(statusMeant(200, facts)).toBe(status);
		},
	);

	it.each([
		{},
		[],
		'error',
		{ error: null },
		{ error: '' },
		{ error: { message: '', type: '', code: null } },
		{ error: { code: 0, message: 'success' } },
		{ base_resp: { status_code: 0, status_msg: 'success' } },
		{ code: 0, message: 'ok' },
		{ code: 1, msg: 'ok' },
		{ code: '200', message: 'ok' },
		{ code: 'success', message: '' },
		{ status: 'queued', message: 'Wait' },
		...[' none ', [], 'OK'].map((error) => ({ error, message: 'Hello' })),
		...['00', '20000', ' 0 ', 'Code 7'].map((code) => ({ code, message: 'Hello' })),
		...['not yet', 'nothing'].map((success) => ({ success, message: 'Hello' })),
		...[4012, '14290'].map((code) => ({ code })),
		...[true, 7].map((error) => ({ error, text: 'Hello' })),
		[{ error: 'No', text: 'Hello' }, 7],
		[{ error: 'No' }, { error: 'No' }],
		{ message: 'Hello' },
		{ code: 'DE', message: 'Germany' },
		{ success: true, message: 'Done' },
		{ status: 404, message: 'Sunny', city: 'Bern' },
		{ detail: 'Long', rows: [1] },
		{ success: false, results: [{ index: 0 }] },
		{ base_resp: { status_code: 1027 }, data: { audio: 'abc' } },
	])('is not found in %j', (body) => expect(errorInside(body)).toBeUndefined());

	/** What bodies of errors contain besides, by who sends it. */
	const besides: Array<[source: string, fields: Record<string, unknown>]> = [
		['interface, 2.11', { error: 'No', message: 'No', type: 'gateway_error', param: 'model', code: 'bad' }],
		['New API', { success: false, message: 'No', code: 'bad' }],
		['MiniMax', { base_resp: { status_code: 1004, status_msg: 'No' }, status_msg: 'No', trace_id: 'a' }],
		['MiniMax, images', { metadata: { failed_count: '1', success_count: '0' } }],
		['iFlytek Spark', { code: 11200, message: 'No', sid: 'a' }],
		['Baidu', { error_code: 18, error_msg: 'No', id: 'a', log_id: '7' }],
		['DashScope', { code: 'bad', message: 'No', request_id: 'a' }],
		['Alibaba Cloud', { Code: 'bad', Message: 'No', RequestId: 'a' }],
		['ASP.NET', { type: 'about:blank', title: 'No', status: 400, errors: { n: ['No'] }, traceId: 'a' }],
		['NestJS', { statusCode: 400, message: ['No'], error: 'Bad Request' }],
		[
			'Spring',
			{ timestamp: '2026-01-31', status: 400, error: 'No', message: 'No', path: '/v1', errors: ['No'] },
		],
		['RFC 9457', { type: 'about:blank', title: 'No', status: 400, detail: 'No', instance: '/v1/a' }],
		['OAuth', { error: 'No', error_description: 'No' }],
		['ElevenLabs', { detail: { status: 'bad', message: 'No' } }],
		// hume-python-sdk#290.
		['Hume', { type: 'error', code: 'E0300', slug: 'zero_credits', message: 'No', request_id: 'a' }],
		['others', { msg: 'No', 'html-message': 'No', reason: 'No', details: 'No', description: 'No' }],
		['a clock', { time: '14:00' }],
		[
			'an empty chat completion',
			{ id: 'a', object: 'error', created: '7', model: 'b', usage: { total_tokens: 7 } },
		],
	];
	const single = besides.flatMap(([source, fields]) =>
		Object.entries(fields).map(([name, value]) => ({ name, value, source })),
	);

	it.each(single)('has no result beside it if there is only $name ($source)', ({ name, value }) => {
		expect(errorInside({ success: false, [name]: value })).toMatchObject({ hasResult: false });
	});

	it.each([{ completion_tokens: 400 }, { output_tokens: 1 }])('may come after the work: %j', (usage) => {
		expect(errorInside({ error: { code: 500 }, usage })).toMatchObject({ hasResult: true });
		const none = { prompt_tokens: 3, completion_tokens: 0 };
		expect(errorInside({ error: 'No', text: 'Hello' })).toMatchObject({ hasResult: true });
		expect(errorInside({ error: { code: 500 }, usage: none })?.hasResult).toBe(false);
	});
});

describe('A response of its own kind', () => {
	it.each<[unknown, onlyWords: boolean, denies: boolean]>([
		[{ message: 'Wait' }, true, false],
		[{ message: 'Wait', id: 'a', data: [], success: false }, true, true],
		[{ message: 'Wait', data: [1], code: 'fail' }, false, true],
		[{ id: 'a', code: 500 }, false, true],
		[{ text: 'Hello', code: 'no_credit' }, false, true],
		[{ text: 'Hello', code: 7 }, false, false],
		[{ text: 'Hello', code: 'DE' }, false, false],
		[{ text: 'Hello', code: 'no_7' }, false, false],
		['Hello', false, false],
	])('may be nothing but words, and may deny its success: %j', (body, onlyWords, denies) => {
		expect([hasOnlyWords(body), deniesSuccess(body)]).toEqual([onlyWords, denies]);
	});
});

describe('A failure after the work', () => {
	it.each<[string, boolean, withOtherStatus: boolean]>([
		['Failed to upload image', true, true],
		['No base64 image found in response', true, true],
		['chat response contains no choices', true, true],
		['Failed to store the generated audio: disk full', true, false],
		['could not save file', true, false],
		['error while uploading audio to storage', true, false],
		['no audio was found in the upstream response', true, false],
		['The model returned an empty response', true, false],
		['转存生成图片到对象存储失败', true, false],
		['图片上传失败', true, false],
		['图片生成失败', false, false],
		// OpenAI.
		['You can retry your request, or contact us if the error persists.', false, false],
		['The server had a fault. Retry after a short delay.', false, false],
		['internal server error', false, false],
		['model overloaded, no available channel', false, false],
		['no response from upstream', false, false],
		['upstream connect error or disconnect/reset before headers', false, false],
		['', false, false],
	])('may be paid for, if its words say so: "%s"', (gatewayMessage, wasDone, withOtherStatus) => {
		expect(saysWorkWasDone(500, { gatewayMessage })).toBe(wasDone);
		expect(saysWorkWasDone(400, { gatewayMessage })).toBe(withOtherStatus);
	});

	it('may be paid for, if its code says so', () => {
		const codes = ['copy_response_body_failed', 'bad_response_body', 'bad_response'];
		const all = [...codes, 'bad_response_status_code', 'read_request_body_failed'];
		expect(all.filter((code) => saysWorkWasDone(500, { code }))).toEqual(codes);
	});
});
