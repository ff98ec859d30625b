import { errorInside } from '../../../nodes/shared/errors/errorInside';
import { timeOf } from '../../../nodes/shared/plain/values';

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
		[{ error: '{"message":"No","code":429}' }, 'No', 429],
		[[{ error: { code: 400, message: 'No' } }] as object, 'No', 400],
		// Envelopes.
		[{ code: 401, msg: 'No' }, 'No', 401],
		[{ code: '500', message: 'No', data: null }, 'No', 500],
		[{ status: 503, message: 'No' }, 'No', 503],
		[{ error_code: 18, error_msg: 'No' }, 'No'],
		[{ code: 'task_not_exist', message: 'No' }, 'No', 404],
		[{ base_resp: { status_code: 1004, status_msg: 'No' } }, 'No'],
		// Flags.
		[{ success: false, message: 'No' }, 'No'],
		[{ status: false, message: 'No' }, 'No'],
		[{ success: false }, undefined],
		// Frameworks of servers.
		[{ statusCode: 400, message: ['No', 'never'], error: 'Bad Request' }, 'No; never', 400],
		[{ status: 500, error: 'Internal Server Error', message: 'No', path: '/v1' }, 'No', 500],
		[{ title: 'Invalid', status: 400, errors: { model: ['is required'] } }, 'model: is required', 400],
		[{ detail: 'No' }, 'No'],
		[{ detail: [{ loc: ['body', 'model'], msg: 'No' }] }, 'body.model: No'],
		[{ errors: [{ message: 'No' }] }, 'No'],
	];

	it.each(cases.map(([body, words, status]) => ({ body, words, status })))(
		'is found in $body',
		({ body, words, status }) => {
			expect(errorInside(body)).toMatchObject({ hasContent: false });
			expect(errorInside(body)?.facts.gatewayMessage).toBe(words);
			expect(errorInside(body)?.facts.status).toBe(status);
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
		{ message: 'Hello' },
		{ code: 'DE', message: 'Germany' },
		{ success: true, message: 'Done' },
		{ status: 404, message: 'Sunny', city: 'Bern' },
		{ detail: 'Long', rows: [1] },
		{ success: false, results: [{ index: 0 }] },
		{ base_resp: { status_code: 1027 }, data: { audio: 'abc' } },
	])('is not found in %j', (body) => expect(errorInside(body)).toBeUndefined());

	it.each([{ completion_tokens: 400 }, { output_tokens: 1 }])('may come after the work: %j', (usage) => {
		expect(errorInside({ error: { code: 500 }, usage })).toMatchObject({ hasContent: true });
		const none = { prompt_tokens: 3, completion_tokens: 0 };
		expect(errorInside({ error: { code: 500 }, usage: none })).toMatchObject({ hasContent: false });
	});

	it('may stand beside content', () => {
		const error = { message: 'Late', code: 500 };
		expect(errorInside({ error, choices: [{ message: { content: 'Once' } }] })).toMatchObject({
			hasContent: true,
			facts: { gatewayMessage: 'Late', status: 500 },
		});
	});
});

describe('A time from outside', () => {
	const expected = '2023-11-14T22:13:20.000Z';

	it.each([1_700_000_000, 1_700_000_000_000, '1700000000', expected])('may be %j', (value) =>
		expect(timeOf(value)).toBe(expected),
	);

	it.each([0, -1, '', 'soon', null, {}, '0001-01-01T00:00:00Z', Number.NaN])('is not %j', (value) => {
		expect(timeOf(value)).toBeUndefined();
	});
});
