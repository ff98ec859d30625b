import fc from 'fast-check';
import { readErrorBody } from '../../../nodes/shared/errors/errorBody';
import { waitIn, waitInWords } from '../../../nodes/shared/errors/waitInBody';
import { meantStatus } from '../../../nodes/shared/errors/meaning';
import { jsonBody } from '../../../nodes/shared/send/requestBody';

describe('The reason behind a general sentence', () => {
	it.each<[string, object, string]>([
		[
			'OpenRouter, as text',
			{
				message: 'Provider returned error',
				code: 400,
				metadata: { raw: 'The image is too small', provider_name: 'x' },
			},
			'Provider returned error: The image is too small',
		],
		[
			'OpenRouter, as JSON text of another error',
			{
				message: 'Provider returned error',
				metadata: { raw: '{"error":{"message":"The image is too small"}}' },
			},
			'Provider returned error: The image is too small',
		],
		[
			'Azure',
			{ message: 'The response was filtered', innererror: { code: 'ResponsibleAIPolicyViolation' } },
			'The response was filtered: ResponsibleAIPolicyViolation',
		],
		[
			'Google',
			{
				message: 'Invalid argument',
				details: [
					{
						'@type': 'x/BadRequest',
						fieldViolations: [{ field: 'a', description: 'The seed is too large' }],
					},
				],
			},
			'Invalid argument: The seed is too large',
		],
		[
			'OpenAI',
			{ message: 'Unsupported value', param: 'temperature' },
			'Unsupported value: parameter temperature',
		],
		[
			'Azure, within each other',
			{ message: 'Bad', innererror: { code: 'A', innererror: { code: 'B', message: 'The seed is text' } } },
			'Bad: The seed is text',
		],
		[
			'Google, a quota without words',
			{ message: 'Exhausted.', details: [{ violations: [{ quotaId: 'RequestsPerDay-FreeTier' }] }] },
			'Exhausted: RequestsPerDay-FreeTier',
		],
		[
			'Vertex AI',
			{ message: 'Failed.', details: [{ detail: 'The region is closed' }] },
			'Failed: The region is closed',
		],
		[
			'OpenRouter, moderation',
			{ message: 'Flagged', metadata: { reasons: ['violence'] } },
			'Flagged: violence',
		],
		['Novita', { message: 'invalid', metadata: { reason: 'The width is odd' } }, 'invalid: The width is odd'],
		['Groq', { message: 'See below.', failed_generation: 'weather(Paris)' }, 'See below: weather(Paris)'],
		['Vercel', { message: 'All failed', param: { error: 'No region' } }, 'All failed: No region'],
		['AI/ML API', { message: 'Invalid', meta: [{ path: ['n'], message: 'n is odd' }] }, 'Invalid: n is odd'],
		['LiteLLM', { message: 'No key', param: 'None' }, 'No key'],
		[
			'Databricks, JSON text of another form',
			{ message: '{"external_model_error":"The seed is text"}' },
			'{"external_model_error":"The seed is text"}',
		],
		['Eden AI', { message: { provider: ['The seed is text'] } }, 'provider: The seed is text'],
		[
			'a sentence that names it',
			{ message: 'Unsupported value: temperature', param: null },
			'Unsupported value: temperature',
		],
	])('is in the message: %s', (_who, error, message) => {
		expect(readErrorBody({ error }).gatewayMessage).toBe(message);
	});
});

describe('The wait in the body of a refusal', () => {
	const retryInfo = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '48s' };

	it.each<[unknown, number | undefined]>([
		[{ error: { message: 'Quota', details: [retryInfo] } }, 48_000],
		[[{ error: { details: [{ ...retryInfo, retryDelay: '1.5s' }] } }], 1500],
		[{ error: { retry_after: 20 } }, 20_000],
		[{ message: 'Busy', retry_after: '2.5' }, 2500],
		[{ error: { message: 'Rate limit reached. Please try again in 7.66s. Visit us.' } }, 7660],
		[{ error: { message: 'Please try again in 1m30s' } }, 90_000],
		[{ error: { message: 'Please try again in 350ms' } }, 350],
		[{ error: { message: 'Please retry after 20 seconds.' } }, 20_000],
		[{ error: { message: 'Please wait 61437 seconds before retrying.' } }, 61_437_000],
		[{ message: 'Your rate limit resets in ~3s.' }, 3000],
		[{ error: 'The model is loading', estimated_time: 20.5 }, 20_500],
		[{ error: { message: 'Too many requests' } }, undefined],
		[{ error: { message: 'The model took 20 seconds' } }, undefined],
		[{ error: { retry_after: -5 } }, undefined],
		[null, undefined],
	])('of %j is %j ms', (body, wait) => {
		const words = readErrorBody(body).gatewayMessage ?? '';
		expect(waitIn(body) ?? waitInWords(words)).toBe(wait);
	});
});

describe('A refusal that means "no credit"', () => {
	it.each<[number, object]>([
		[429, { code: 'insufficient_quota' }],
		[429, { type: 'exceeded_current_quota_error' }],
		[429, { code: '1113', gatewayMessage: '余额不足或无可用资源包' }],
		[429, { gatewayMessage: '您的账户已欠费' }],
		[429, { code: '402', gatewayMessage: 'Too many requests' }],
		[403, { code: 'insufficient_user_quota' }],
		[403, { code: 'AccountOverdueError' }],
		[400, { code: 'Arrearage' }],
		[401, { code: 'quota_exceeded', gatewayMessage: 'You have 119 characters remaining' }],
		[
			400,
			{ type: 'invalid_request_error', gatewayMessage: 'Your credit balance is too low to access the API.' },
		],
		[401, { code: 'quota_exceeded', gatewayMessage: 'This request exceeds your quota of 10000.' }],
		[403, { gatewayMessage: 'User is locked. Reason: Exhausted balance.' }],
		[403, { code: '30001', gatewayMessage: 'Sorry, your account balance is insufficient' }],
		[403, { gatewayMessage: 'The team does not have any credits yet.' }],
		[429, { gatewayMessage: 'Your team has either used all available credits or reached a limit.' }],
		[412, { gatewayMessage: 'Suspended, possibly due to reaching the monthly spending limit' }],
		[412, { code: 'AB06', gatewayMessage: 'Virtual key budget exhausted' }],
		[400, { code: '400', type: 'budget_exceeded' }],
		[400, { code: 'not_enough_credits' }],
		[400, { code: 'PostpaidBillOverdue' }],
		[401, { gatewayMessage: '该令牌额度已用尽' }],
		[200, { code: '1008', gatewayMessage: 'insufficient balance' }],
		[200, { code: 'ResourceInsufficient.ChargeResourceExhaust' }],
	])('is no limit: %s %j', (status, facts) => {
		expect(meantStatus(status, facts)).toBe(402);
	});

	it.each<[number, object]>([
		[429, { code: 'rate_limit_exceeded' }],
		[
			429,
			{
				type: 'RESOURCE_EXHAUSTED',
				gatewayMessage: 'You exceeded your current quota, please check your plan. Please retry in 48s.',
			},
		],
		[429, { code: '1302', gatewayMessage: '您的账户已达到速率限制' }],
		[429, { gatewayMessage: 'Your rate limit is reduced while you have less than $5.0 in credit.' }],
		[429, { type: 'too_many_tokens_error', code: 'token_quota_exceeded' }],
		[401, { code: 'invalid_api_key', gatewayMessage: 'Invalid API key' }],
	])('is not every limit: %s %j', (status, facts) => {
		expect(meantStatus(status, facts)).toBe(status);
	});
});

describe('A text with half of a surrogate pair', () => {
	it('is sent well-formed wherever it is in a request, and any other text as it is', () => {
		const unit = fc.constantFrom('\ud83e', '\udd8a', '🦊', '\\', '\\ud83e', '"', 'é', 'a');
		const text = fc.array(unit, { maxLength: 6 }).map((units) => units.join(''));
		const mended = (one: unknown): unknown => {
			if (typeof one === 'string') return Buffer.from(one).toString();
			if (Array.isArray(one)) return one.map(mended);
			return Object.fromEntries(
				Object.entries(one as object).map(([key, inner]) => [mended(key), mended(inner)]),
			);
		};
		const anything = fc.letrec((tie) => ({
			value: fc.oneof(text, fc.array(tie('value'), { maxLength: 3 }), fc.dictionary(text, tie('value'))),
		})).value;
		fc.assert(
			fc.property(anything, (value) => {
				const sent = jsonBody({ value }).open() as string;
				expect(JSON.parse(sent)).toEqual({ value: mended(value) });
			}),
		);
	});
});
