import { errorIn } from '../../../nodes/Chat/formats/streamError';
import { KEPT_ANSWER_LENGTH } from '../../../nodes/shared/plain/budgets';

/** The failure for an event that comes after a part of the answer. */
const failureIn = (...event: Parameters<typeof errorIn>) => errorIn(...event)?.toFailure(true);

describe('An error in a stream', () => {
	it.each([
		// The interface, section 7.
		[{ type: 'invalid_request_error' }, 'request', 400],
		[{ type: 'invalid_request_error', code: 'invalid_api_key' }, 'authentication', 401],
		[{ code: 'rate_limit_exceeded' }, 'rateLimit', 429],
		[{ type: 'server_error', code: '' }, 'gateway', 500],
		// Other gateways.
		[{ type: 'invalid_request', code: 500 }, 'request', 500],
		[{ type: 'invalid_request_error', code: 'model_not_found' }, 'notFound', 404],
		[{ type: 'authentication_error' }, 'authentication', 401],
		[{ type: 'billing_error' }, 'permission', 402],
		[{ type: 'insufficient_quota' }, 'permission', 402],
		[{ type: 'permission_error' }, 'permission', 403],
		[{ type: 'not_found_error' }, 'notFound', 404],
		[{ type: 'request_too_large' }, 'request', 413],
		[{ type: 'rate_limit_error' }, 'rateLimit', 429],
		[{ type: 'api_error' }, 'gateway', 500],
		[{ type: 'internal_error' }, 'gateway', 500],
		[{ type: 'timeout_error' }, 'gateway', 504],
		[{ type: 'overloaded_error' }, 'gateway', 529],
		[{ code: 'engine_overloaded' }, 'gateway', 529],
		[{ code: 429, status: 'RESOURCE_EXHAUSTED' }, 'rateLimit', 429],
		[{ code: 'RESOURCE_EXHAUSTED' }, 'rateLimit', 429],
		[{ type: 'RateLimitError' }, 'rateLimit', 429],
		[{ code: 'Too Many Requests' }, 'rateLimit', 429],
		[{ code: 'UNAUTHENTICATED' }, 'authentication', 401],
		[{ code: '503' }, 'gateway', 503],
		[{ code: 1401 }, 'answer', undefined],
		[{ code: 200 }, 'answer', undefined],
		[{ type: 'odd' }, 'answer', undefined],
	])('%j is of kind %s, as with status %s', (error, kind, status) => {
		const failure = failureIn({ error: { ...error, message: 'No' } });
		expect(failure).toMatchObject({ kind, facts: { gatewayMessage: 'No', mayHaveBeenCarriedOut: true } });
		expect(failure?.facts.status).toBe(status);
		expect(failure?.facts.partial).toBeUndefined();
	});

	it('may be a text, or an event of that name with a text', () => {
		expect(failureIn({ error: 'Busy' })).toMatchObject({ kind: 'answer', facts: { gatewayMessage: 'Busy' } });
		expect(failureIn('Busy', 'error')).toMatchObject({ kind: 'answer', facts: { gatewayMessage: 'Busy' } });
		expect(failureIn({ type: 'overloaded_error', message: 'Busy' }, 'error')).toMatchObject({
			kind: 'gateway',
			facts: { gatewayMessage: 'Busy' },
		});
	});

	it('is a mere rejection when it is the first event', () => {
		const failure = errorIn({ error: { message: 'Slow down', code: 429 } })?.toFailure(false);
		expect(failure).toMatchObject({ kind: 'rateLimit', facts: { status: 429 } });
		expect(failure?.facts.mayHaveBeenCarriedOut).toBeUndefined();
		expect(errorIn({ error: 'No such voice' })?.toFailure(false)).toMatchObject({
			kind: 'request',
			message: 'The gateway rejected the request: No such voice',
		});
	});

	it.each([
		{},
		{ error: null },
		{ error: '' },
		{ error: ' ' },
		{ error: {} },
		{ error: [] },
		{ error: false },
	])('is not %j', (body) => expect(errorIn(body)).toBeUndefined());

	it('is no text of another event', () => expect(errorIn('error', 'ping')).toBeUndefined());

	it('keeps the beginning of an event that continues the answer', () => {
		const content = 'x'.repeat(2 * KEPT_ANSWER_LENGTH);
		const event = failureIn({ choices: [{ delta: { content } }], error: 'Busy' })?.facts.partial
			?.event as string;
		expect(event).toMatch(/^\{"choices":\[\{"delta":\{"content":"x{99900}/);
		expect(event.length).toBeLessThan(KEPT_ANSWER_LENGTH + 100);
	});
});
