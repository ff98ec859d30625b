import { useMovableClock } from '../engine/movableClock';
import { retryRun } from '../engine/retry';
import { runWorkflow } from '../engine/runWorkflow';
import { operations, OPERATIONS, useChat } from '../engine/useChat';

const chat = useChat(4.1e7);
const clock = useMovableClock();

const FIRST = 'aurora-4';
const SECOND = 'sonata-3-large';
const NONE_LEFT = { maxRetries: 0, maxRateLimitRetries: 0 };
const fallback = (...models: string[]) => ({
	...NONE_LEFT,
	fallbackModels: { model: models.map((value) => ({ model: { __rl: true, mode: 'id', value } })) },
});
const inBody = (model: string) => `"model":"${model}"`;
const rows = (count: number) => Array.from({ length: count }, (_, row) => ({ json: { row } }));
const prompt = '={{ "Question " + $json.row + "." }}';

/** The requests to a model, as the gateway got them. */
function requestsTo(model: string) {
	const entries = chat.emulator.journal.entries();
	return entries.filter(
		({ path, body }) => path.includes(model) || JSON.stringify(body).includes(inBody(model)),
	);
}

/** Lets the first model fail. */
function failFirst(fault: object, times: number | 'always' = 'always', when = inBody(FIRST)) {
	chat.fail('POST /v1/*', { when, times, ...fault } as never);
}

const status = (code: number, error: object = { message: 'The model is overloaded.' }) => ({
	kind: 'status',
	status: code,
	body: { error },
});

describe('Fallback Models', () => {
	it('answer all of 60 items while the first model is down, without paying for any of them twice', async () => {
		failFirst(status(503));
		const options = { ...fallback(SECOND), parallelRequests: 20 };
		const { items, error } = await chat.run('chatCompletion', { prompt, options }, { input: rows(60) });
		expect(error).toBeUndefined();
		expect(items).toHaveLength(60);
		expect(items.map(({ json }) => json.model)).toEqual(items.map(() => SECOND));
		expect(
			items.map(({ json }) => json.text as string).filter((text, row) => !text.includes(`Question ${row}.`)),
		).toEqual([]);
		const reason = expect.stringContaining('temporarily unavailable (status 503');
		expect(items[59].json.unavailableModels).toEqual([{ model: FIRST, reason }]);
		expect(requestsTo(SECOND)).toHaveLength(60);
		// As many as were under way before the first one failed.
		expect(requestsTo(FIRST).length).toBeLessThanOrEqual(20);
	});

	it.each(operations)('are asked in their order by %s', async (operation) => {
		const when = (model: string) => (operation === 'generateContent' ? `/${model}:` : inBody(model));
		const faults = [FIRST, SECOND].map((model) => ({ ...status(503), times: 'always', when: when(model) }));
		chat.emulator.behaviour.set(OPERATIONS[operation], { faults: faults as never });
		const { items, error } = await chat.run(operation, { options: fallback(SECOND, 'prisma-2-pro') });
		expect(error).toBeUndefined();
		expect(items[0].json).toMatchObject({ model: 'prisma-2-pro' });
		expect(items[0].json.unavailableModels).toMatchObject([{ model: FIRST }, { model: SECOND }]);
	});

	it.each([
		['a rate limit', status(429)],
		['a gateway that is too busy', status(529)],
		['a model that the gateway does not have', status(404, { message: 'No such model.' })],
		[
			'a gateway without a channel for the model',
			status(503, { code: 'model_not_found', message: 'No channel.' }),
		],
		['a model whose name is rejected', status(400, { message: 'The model `aurora-4` does not exist.' })],
		['a model that is not valid', status(400, { message: 'aurora-4 is not a valid model ID' })],
		[
			'a busy gateway that calls itself invalid',
			status(503, { message: 'busy', type: 'invalid_request_error', code: '' }),
		],
		['a model in Chinese words', status(400, { message: '模型 aurora-4 不存在' })],
	])('are asked after %s', async (_what, fault) => {
		failFirst(fault);
		const { items, error } = await chat.run('chatCompletion', { options: fallback(SECOND) });
		expect(error).toBeUndefined();
		expect(items[0].json.model).toBe(SECOND);
	});

	it.each([
		['a proxy that gives up', { kind: 'html', status: 504, carriedOut: true }],
		['a lost connection', { kind: 'resetBeforeHeaders', carriedOut: true }],
		['an answer that is cut off', { kind: 'cut', afterBytes: 40 }],
		['a request that is rejected', status(400, { message: 'The prompt is too long.' })],
		[
			'a file that does not exist',
			status(400, {
				message: 'File not found: the image for model input does not exist',
				type: 'invalid_request_error',
			}),
		],
		['a message about content', status(400, { message: 'messages: model output does not exist in content' })],
		['an unknown response', status(404, { message: 'Previous response not found: resp_1' })],
		['a wrong key', status(401, { message: 'No.' })],
		['an account without credit', status(402, { message: 'Insufficient balance.' })],
		['a limit of credit', status(429, { code: 'insufficient_quota', message: 'No credit.' })],
		['an error of the gateway', status(500)],
	])('are not asked after %s', async (_what, fault) => {
		failFirst(fault);
		const { error } = await chat.run('chatCompletion', { options: fallback(SECOND) });
		expect(error).toBeDefined();
		expect(requestsTo(SECOND)).toEqual([]);
	});

	it('leave a failure that names all models when none is available', async () => {
		chat.fail('POST /v1/*', { ...status(503), times: 'always' } as never);
		const { error } = await chat.run('chatCompletion', { options: fallback(SECOND) });
		expect(error?.message).toContain('temporarily unavailable');
		expect(error?.description).toContain(
			'Other models were not available: aurora-4 (The gateway is temporarily',
		);
		expect(requestsTo(FIRST)).toHaveLength(1);
		expect(requestsTo(SECOND)).toHaveLength(1);
	});

	it('that answered are not paid for again by a retry, although the first model is back', async () => {
		chat.fail(
			'POST /v1/*',
			{ ...status(503), times: 'always', when: inBody(FIRST) } as never,
			{ ...status(400), times: 1, when: 'Question 2.' } as never,
		);
		const workflow = chat.workflow('chatCompletion', {
			prompt,
			options: { ...fallback(SECOND), parallelRequests: 1 },
		});
		const options = { credential: chat.credential(), input: rows(4) };
		const failed = await runWorkflow(workflow, options);
		expect(failed.error?.message).toContain('(row 3 of ');
		chat.emulator.behaviour.reset();
		clock.pass(60_000);
		const { items } = await retryRun(workflow, failed, options);
		expect(items.map(({ json }) => json.model)).toEqual([SECOND, SECOND, FIRST, FIRST]);
		expect(items.map(({ json }) => 'unavailableModels' in json)).toEqual([true, true, false, false]);
		for (const row of [0, 1]) {
			const asked = requestsTo(SECOND).filter(({ body }) =>
				JSON.stringify(body).includes(`Question ${row}.`),
			);
			expect(asked).toHaveLength(1);
		}
		expect(requestsTo(FIRST).filter(({ status: code }) => code === 200)).toHaveLength(2);
	});

	it('are asked once each, however often they are in the list', async () => {
		failFirst(status(503));
		const { items } = await chat.run('chatCompletion', { options: fallback(FIRST, SECOND, SECOND) });
		expect(items[0].json.unavailableModels).toHaveLength(1);
		expect(requestsTo(FIRST)).toHaveLength(1);
	});

	it('are refused without a model, or if there are more than three', async () => {
		const none = await chat.run('chatCompletion', {
			options: { fallbackModels: { model: [{ model: '' }] } },
		});
		expect(none.error?.message).toContain('Fallback Models (entry 1) has no model');
		const four = await chat.run('chatCompletion', { options: fallback('a', 'b', 'c', 'd') });
		expect(four.error?.message).toContain('Fallback Models has 4 models');
		expect(chat.emulator.journal.count()).toBe(0);
	});
});
