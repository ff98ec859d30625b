import { readErrorBody } from '../../../nodes/shared/errors/errorBody';
import { waitIn } from '../../../nodes/shared/errors/errorDetails';
import { meantStatus } from '../../../nodes/shared/errors/meaning';
import { jsonBody } from '../../../nodes/shared/http/requestBody';

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
		[{ error: { message: 'Too many requests' } }, undefined],
		[{ error: { message: 'The model took 20 seconds' } }, undefined],
		[{ error: { retry_after: -5 } }, undefined],
		[null, undefined],
	])('of %j is %j ms', (body, wait) => {
		expect(waitIn(body)).toBe(wait);
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
	])('is told from a limit: %s %j', (status, facts) => {
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
	])('is not every limit: %s %j', (status, facts) => {
		expect(meantStatus(status, facts)).toBe(status);
	});
});

describe('A text with half of a surrogate pair', () => {
	it('is sent with the replacement character in its place', () => {
		const cut = { prompt: 'A fox 🦊'.slice(0, -1), 'k\udc00': ['\ud83e', '\\ud83e', '🦊'] };
		const sent = jsonBody(cut).open() as string;
		expect(sent).toBe(JSON.stringify({ prompt: 'A fox \ufffd', 'k\ufffd': ['\ufffd', '\\ud83e', '🦊'] }));
	});
});
