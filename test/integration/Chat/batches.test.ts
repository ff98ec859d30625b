import type { Emulator } from '../../../emulator';
import { oneNode, runWorkflow } from '../engine/runWorkflow';
import { startStrictEmulator } from '../engine/strictEmulator';

let emulator: Emulator;
let testNumber = 0;
/** The learned rate of a credential is kept, so each test uses a different credential, with a rate of its own. */
const credential = () => ({
	baseUrl: emulator.url,
	apiKey: emulator.apiKey,
	requestsPerMinute: 1e7 + testNumber,
});
const chat = (parameters: object = {}, settings = {}) =>
	oneNode(
		'chat',
		{
			operation: 'chatCompletion',
			model: { __rl: true, mode: 'id', value: 'aurora-4-mini' },
			prompt: '={{ $json.prompt }}',
			systemPrompt: '',
			simplify: true,
			options: { maxConcurrency: 10 },
			...parameters,
		},
		settings,
	);
const rows = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ json: { prompt: `Row ${index}` } }));

beforeAll(async () => {
	emulator = await startStrictEmulator();
});
afterAll(async () => await emulator.close());
beforeEach(() => {
	testNumber += 1;
	emulator.behaviour.reset();
	emulator.journal.clear();
});

describe('Batch of Unified AI Chat', () => {
	it('returns the simplified output', async () => {
		const { items, error } = await runWorkflow(chat(), { credential: credential(), input: rows(1) });
		expect(error).toBeUndefined();
		expect(items[0].json).toEqual({
			text: expect.stringMatching(/\S/),
			model: 'aurora-4-mini',
			finishReason: 'stop',
			inputTokens: expect.any(Number),
			outputTokens: expect.any(Number),
			totalTokens: expect.any(Number),
			id: expect.stringMatching(/^chatcmpl-/),
		});
		expect(items[0].pairedItem).toEqual({ item: 0 });
	});

	it('runs 60 items ten at a time and returns them in input order', async () => {
		emulator.behaviour.set('POST /v1/chat/completions', { latencyMs: 100 });
		const warmUp = await runWorkflow(chat(), { credential: credential(), input: rows(10) });
		expect(warmUp.error).toBeUndefined();
		emulator.journal.clear();

		const { items } = await runWorkflow(chat(), { credential: credential(), input: rows(60) });
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(rows(60).map((_, item) => ({ item })));
		// That ten are in progress at once is seen when a run is canceled, below.
		const atOnce = emulator.journal.entries().map(({ concurrent }) => concurrent);
		expect(Math.max(...atOnce)).toBeLessThanOrEqual(10);
	});

	it('loses no other item when one of 20 fails and the node continues on failure', async () => {
		emulator.behaviour.set('POST /v1/chat/completions', {
			faults: [{ kind: 'status', status: 400, when: 'Row 7"', times: 'always' }],
		});
		const { outputs } = await runWorkflow(chat({}, { onError: 'continueErrorOutput' }), {
			credential: credential(),
			input: rows(20),
		});
		expect(outputs[0]).toHaveLength(19);
		expect(outputs[1]).toHaveLength(1);
		expect(outputs[1][0].pairedItem).toEqual({ item: 7 });
		expect(outputs[1][0].json).toEqual({
			error: expect.stringContaining('rejected the request'),
			details: expect.objectContaining({ status: 400, attempts: 1 }),
		});
	});

	it('finishes the items in progress when it stops at a failing item, and keeps them in the thrown error', async () => {
		emulator.behaviour.set('POST /v1/chat/completions', {
			latencyMs: 50,
			faults: [{ kind: 'status', status: 400, when: 'Row 2"' }],
		});
		const { error } = await runWorkflow(chat({ options: { maxConcurrency: 3 } }), {
			credential: credential(),
			input: rows(20),
		});
		expect(error?.message).toContain('[item 2]');
		const finished = error?.context.finishedResults as unknown as Array<{
			item: number;
			json: { text: string };
		}>;
		const paid = emulator.journal.entries(({ status }) => status === 200).length;
		expect(finished).toHaveLength(paid);
		expect(paid).toBeLessThan(6);
		expect(finished[0]).toEqual({ item: 0, json: expect.objectContaining({ text: expect.any(String) }) });
	});

	it('stops when it is canceled, without waiting for answers, and closes the connections', async () => {
		// If the run waited for an answer, the test would exceed its time limit.
		emulator.behaviour.set('POST /v1/chat/completions', { latencyMs: 600_000 });
		const running = runWorkflow(chat(), {
			credential: credential(),
			input: rows(20),
			onStart: (cancel) => void emulator.journal.until(10).then(cancel),
		});
		await running.catch(() => undefined);
		await emulator.journal.until(10, ({ closedByClient }) => closedByClient);
		expect(emulator.journal.count()).toBe(10);
	});

	it('uses the alternate address while the base address cannot be reached', async () => {
		const { items, error } = await runWorkflow(chat(), {
			credential: { baseUrl: 'http://127.0.0.1:9', alternateBaseUrl: emulator.url, apiKey: emulator.apiKey },
			input: rows(3),
		});
		expect(error).toBeUndefined();
		expect(items).toHaveLength(3);
	});

	it('retries a 503, and rejects an empty prompt before anything is sent', async () => {
		emulator.behaviour.set('POST /v1/chat/completions', { faults: [{ kind: 'html', status: 503 }] });
		const { items } = await runWorkflow(chat(), { credential: credential(), input: rows(1) });
		expect(items[0].json.finishReason).toBe('stop');
		expect(emulator.journal.count()).toBe(2);

		emulator.journal.clear();
		const { error } = await runWorkflow(chat({ prompt: ' ' }), { credential: credential(), input: rows(1) });
		expect(error?.message).toBe('Prompt is empty [item 0]');
		expect(emulator.journal.count()).toBe(0);
	});

	it('never sends the key to another origin after a redirect', async () => {
		const stranger = await startStrictEmulator();
		emulator.behaviour.set('POST /v1/chat/completions', {
			faults: [{ kind: 'redirect', status: 307, location: `${stranger.url}/v1/chat/completions` }],
		});
		const { error } = await runWorkflow(chat(), { credential: credential(), input: rows(1) });
		expect(error?.message).toContain('another address');
		expect(stranger.journal.count()).toBe(0);
		await stranger.close();
	});

	it('fails the batch immediately when the rate limit is reached for a day', async () => {
		emulator.behaviour.set('POST /v1/chat/completions', {
			faults: [{ kind: 'status', status: 429, headers: { 'retry-after': '86400' }, times: 'always' }],
		});
		const { outputs } = await runWorkflow(
			chat({ options: { maxConcurrency: 2 } }, { onError: 'continueErrorOutput' }),
			{
				credential: credential(),
				input: rows(30),
			},
		);
		expect(outputs[1]).toHaveLength(30);
		expect(outputs[1][29].json.error).toContain('was not sent');
		expect(emulator.journal.count()).toBeLessThanOrEqual(4);
	});

	it('accepts a Base URL that ends with /v1', async () => {
		const { items } = await runWorkflow(chat(), {
			credential: { ...credential(), baseUrl: `${emulator.url}/v1/` },
			input: rows(1),
		});
		expect(items[0].json.finishReason).toBe('stop');
	});
});

describe('Error message of Unified AI Chat', () => {
	const CANARY = 'canary-key-0123456789';

	async function failing(overrides: object, options: object = { maxRetries: 0, maxRateLimitRetries: 0 }) {
		const result = await runWorkflow(chat({ options }), {
			credential: { ...credential(), ...overrides },
			input: rows(1),
		});
		expect(result.error).toBeDefined();
		expect(`${result.saved}${JSON.stringify(result.error)}`).not.toContain(CANARY);
		return { message: result.error!.message, description: String(result.error!.description) };
	}

	it('explains a wrong key', async () => {
		const { message, description } = await failing({ apiKey: CANARY });
		expect(message).toMatch(/^The gateway did not accept the API key: .* \[item 0\]$/);
		expect(description).toContain('enter the API Key again');
	});

	it('explains a wrong host', async () => {
		const { message, description } = await failing({ baseUrl: 'http://no-such-gateway.invalid' });
		expect(message).toBe('The address no-such-gateway.invalid does not exist [item 0]');
		expect(description).toContain('Base URL');
	});

	it('explains a port where nothing listens', async () => {
		const { message, description } = await failing({ baseUrl: 'http://127.0.0.1:9' });
		expect(message).toBe('No gateway answers at 127.0.0.1:9 [item 0]');
		expect(description).toContain('Nothing was sent');
	});

	it('explains a Base URL that is not a web address', async () => {
		const { message } = await failing({ baseUrl: 'my gateway' });
		expect(message).toContain('Base URL in the credential does not start with https:// or http://');
	});

	it('explains a web page instead of JSON', async () => {
		emulator.behaviour.set('POST /v1/chat/completions', { faults: [{ kind: 'html', status: 200 }] });
		const { message, description } = await failing({});
		expect(message).toBe('127.0.0.1 answered with a web page instead of data [item 0]');
		expect(description).toContain('web console');
	});

	it('explains an empty response with status 429', async () => {
		emulator.behaviour.set('POST /v1/chat/completions', {
			faults: [{ kind: 'empty', status: 429, times: 'always' }],
		});
		const { message, description } = await failing({ apiKey: emulator.apiKey });
		expect(message).toBe('The rate limit of the gateway is reached (tried once) [item 0]');
		expect(description).toContain('Requests per Minute');
	});

	it('explains a response that was cut off, which is not requested again', async () => {
		emulator.behaviour.set('POST /v1/chat/completions', { faults: [{ kind: 'cut', afterBytes: 40 }] });
		const { message, description } = await failing({}, {});
		expect(message).toBe('The connection to the gateway was lost before the response was complete [item 0]');
		expect(description).toContain('it was not sent again');
		expect(emulator.journal.count()).toBe(1);
	});

	it('says that a request may be paid for after the page of a proxy with status 408', async () => {
		const fault = { kind: 'html', status: 408, times: 'always' } as const;
		emulator.behaviour.set('POST /v1/chat/completions', { faults: [fault] });
		const { description } = await failing({}, {});
		expect(description).toContain('may have carried the request out and charged for it');
		expect(description).not.toContain('Base URL');
	});

	it('explains a response that does not arrive in time', async () => {
		emulator.behaviour.set('POST /v1/chat/completions', { latencyMs: 5_000 });
		const { message, description } = await failing({}, { timeoutSeconds: 1 });
		expect(message).toBe('The gateway did not respond in time [item 0]');
		expect(description).toContain('Timeout (Seconds)');
	});

	it('does not contain a key that the gateway repeats in its message', async () => {
		const repeating = await startStrictEmulator({ apiKey: CANARY });
		repeating.behaviour.set('*', {
			faults: [{ kind: 'status', status: 401, body: { error: { message: `Incorrect key ${CANARY}` } } }],
		});
		const { message } = await failing({ baseUrl: repeating.url, apiKey: CANARY });
		expect(message).toContain('Incorrect key [API key]');
		await repeating.close();
	});

	it('explains a connection that was reset before the response, which is not requested again', async () => {
		emulator.behaviour.set('POST /v1/chat/completions', { faults: [{ kind: 'resetBeforeHeaders' }] });
		await failing({}, {});
		expect(emulator.journal.count()).toBe(1);
	});
});
