import { Readable } from 'node:stream';
import { type AnswerReader, readJson } from '../../../nodes/shared/answer/answerReaders';
import type { TokenUsage } from '../../../nodes/shared/answer/usage';
import { costIn, type ResponseHeaders } from '../../../nodes/shared/plain/headers';
import { ChatReader } from '../../../nodes/Chat/formats/readAnswer';
import { NOT_UPLOADED } from '../../../nodes/shared/failure/meaning';
import { answerFailure } from '../../../nodes/shared/failure/words';
import { attempt } from '../../../nodes/shared/send/attempt';
import { endpoints, utilityEndpoint } from '../../../nodes/shared/send/endpoints';
import { retry } from '../../../nodes/shared/send/retry';
import { Ledger, NO_SPENDING, SpendingLimits } from '../../../nodes/shared/send/ledger';
import { type GatewayRequest, sendingOf } from '../../../nodes/shared/send/layer';
import { Watch } from '../../../nodes/shared/send/timeLimits';
import { FakeClock } from '../fakeClock';

const LITELLM = 'x-litellm-response-cost';

describe('The cost in a header', () => {
	/** As the documentation of the gateways writes it, and reports about them. */
	it.each<[ResponseHeaders, number | undefined]>([
		[{ [LITELLM]: '0.00456' }, 0.00456],
		[{ [LITELLM]: '2.85e-05' }, 0.0000285],
		[{ [LITELLM]: '2.1E-05' }, 0.000021],
		[{ [LITELLM]: ' 12 ' }, 12],
		[{ [LITELLM]: ['0.5', '0.7'] }, 0.5],
		[{ 'x-gammainfra-cost-usd': '0.000123' }, 0.000123],
		[{ 'x-aimlapi-usd-spent': '0.0026' }, 0.0026],
		[{ 'x-aiand-cost-usd': '0.01' }, 0.01],
		// 0.00004 cents.
		[{ 'x-llmgw-cost': '4e-05' }, 0.0000004],
		[{ [LITELLM]: 'None', 'x-aimlapi-usd-spent': '0.2' }, 0.2],
		...['0', '0.0', '0e-05', '', ' ', 'None', 'null', 'nan', 'inf', '-0.5', '$0.5', '0.5 USD', '1,5'].map(
			(text): [ResponseHeaders, undefined] => [{ [LITELLM]: text }, undefined],
		),
		[{}, undefined],
		// The sum of all requests with this key, and a part of the cost.
		[{ 'x-litellm-key-spend': '7', [`${LITELLM}-original`]: '3' }, undefined],
		[{ 'x-aimlapi-credits-used': '4000' }, undefined],
	])('is read: %j', (headers, cost) => {
		const read = costIn({ headers });
		if (cost === undefined) expect(read).toBeUndefined();
		else expect(read).toBeCloseTo(cost, 15);
	});
});

describe('An attempt', () => {
	const reading =
		(usage: TokenUsage): AnswerReader<unknown> =>
		async (answer) => {
			const read = await readJson(answer);
			answer.used?.(usage);
			return read;
		};
	const unusable: AnswerReader<unknown> = async (answer) => {
		await readJson(answer);
		throw answerFailure('it is not the right one');
	};

	interface Answered {
		status?: number;
		headers?: ResponseHeaders;
		/** JSON, or anything else as it is. */
		body?: unknown;
		/** True if the connection is lost behind the body. */
		isCut?: boolean;
	}

	async function* bytesOf({ body = { id: 'answer-1' }, isCut }: Answered) {
		yield Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
		if (isCut) throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
	}

	/** What the ledger has after a request with these answers, and whether a limit can no longer be kept. */
	async function ledgerAfter(
		answers: Answered[],
		read: AnswerReader<unknown> = readJson,
		{ key, ...request }: Partial<GatewayRequest> & { key?: string } = {},
	) {
		const clock = new FakeClock();
		const limits = new SpendingLimits({ ...NO_SPENDING, cost: 9 });
		const ledger = new Ledger(clock, limits);
		const left = [...answers];
		const exchange = async () => {
			const answer = left.shift()!;
			return { status: 200, headers: {}, ...answer, body: Readable.from(bytesOf(answer)) };
		};
		const signal = new AbortController().signal;
		const run = { clock, ledger, watch: new Watch(clock), log: () => {}, signal, aside: () => () => {} };
		const road = retry({ ...run, moment: () => ({ now: 0, timeZone: 'UTC' }) }, key)(attempt(run, exchange));
		const all = { endpoint: endpoints.speech, maxRetries: answers.length - 1, ...request };
		await clock.run(road(sendingOf(all, ['https://gateway.example']), read).catch(() => {}));
		const { cost, tokens } = ledger;
		return { cost, tokens: tokens.input + tokens.output, unreported: limits.spending.unreported };
	}
	const priced: Answered = { headers: { [LITELLM]: '0.5' } };
	const nothing = { cost: 0, tokens: 0, unreported: undefined };
	const uncounted = { unreported: 'Max Cost' };
	const half = { cost: 0.5 };

	it.each<[string, Parameters<typeof ledgerAfter>, object?]>([
		['the cost of its body rather than its header', [[priced], reading({ cost: 0.25 })], { cost: 0.25 }],
		['the cost of 0 of a free model', [[priced], reading({ inputTokens: 3, cost: 0 })], { tokens: 3 }],
		['its header if the answer cannot be used', [[priced], unusable], half],
		['that nobody knows what was used', [[{}], unusable], uncounted],
		['a utility', [[priced], readJson, { endpoint: utilityEndpoint('/v2/apis/60s') }], half],
		['nothing for a list', [[priced], readJson, { endpoint: endpoints.models }]],
		['nothing for what was refused', [[{ ...priced, status: 400 }]]],
	])('counts %s', async (_what, given, expected = {}) => {
		expect(await ledgerAfter(...given)).toEqual({ ...nothing, ...expected });
	});

	const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5, cost: 0.25 };
	const error = { message: 'It failed', code: 502 };
	const beside = { choices: [{ message: { content: 'half' } }], error };
	const counted = { cost: 0.25, tokens: 5 };
	const stored = { error: { message: NOT_UPLOADED }, usage };

	it.each<[string, Answered, object?]>([
		['an error beside a result, with a usage', { body: { ...beside, usage } }, counted],
		['an error beside a result, without a usage', { body: beside }, uncounted],
		['an error that says that the work was done', { body: stored }, counted],
		['a rejection, whatever its usage', { body: { error: 'No', usage: { cost: 0.25 } } }],
		['a web page', { body: '<!doctype html><html></html>' }, uncounted],
		['status 504 with a cost in a header', { ...priced, status: 504 }, half],
		['status 504 with a usage', { status: 504, body: { error, usage } }, counted],
		['status 504', { status: 504, body: { error } }],
		['a lost connection', { body: '{', isCut: true }],
		['one with a cost in a header', { ...priced, body: '{', isCut: true }, half],
	])('counts what a failing answer reports, unless it is free: %s', async (_what, answer, expected = {}) => {
		expect(await ledgerAfter([answer])).toEqual({ ...nothing, ...expected });
	});

	const events = (...all: object[]) => all.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('');
	const message = {
		type: 'message',
		role: 'assistant',
		content: [],
		usage: { input_tokens: 3, output_tokens: 2 },
	};
	const text = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'half' } };
	const usageMetadata = { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 };
	const candidates = [{ content: { parts: [{ text: 'half' }] } }];
	const streams = {
		'chat completions': events({ choices: [{ index: 0, delta: { content: 'half' } }], usage }),
		messages: events({ type: 'message_start', message }, text),
		'generate content': events({ candidates, usageMetadata }),
	};

	it.each(Object.entries(streams))(
		'counts what a stream has used that ends in a failure: %s',
		async (_format, body) => {
			const { read } = new ChatReader(true);
			const request = { endpoint: endpoints.chatCompletions, streamed: 'events' } as const;
			for (const answer of [{ body }, { body, isCut: true }, { body: body + events({ error }) }])
				expect(await ledgerAfter([answer], read, request)).toMatchObject({ tokens: 5 });
		},
	);

	it.each<[string, ...object[]]>([
		[
			'chat completions',
			{ choices: [{ index: 0, delta: { content: 'half' }, finish_reason: 'stop' }] },
			{ usage },
		],
		[
			'messages',
			{ type: 'message_start', message },
			text,
			{ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } },
		],
		['generate content', { candidates: [{ ...candidates[0], finishReason: 'STOP' }], usageMetadata }],
	])('counts what a whole stream has used: %s', async (_format, ...all) => {
		const request = { endpoint: endpoints.chatCompletions, streamed: 'events' } as const;
		const { read } = new ChatReader(true);
		const ledger = await ledgerAfter([{ body: events(...all) }], read, request);
		expect(ledger).toMatchObject({ tokens: 5, unreported: expect.not.stringContaining('Tokens') });
	});

	const output = { type: 'message', role: 'assistant', content: [], usage: { input_tokens: 3 } };
	const failed = { type: 'error', error };

	it.each<[string, ...object[]]>([
		['chat completions', { choices: [{ index: 0, delta: { content: 'half' } }] }, { error, usage }],
		['chat completions, as the first event', { error, usage }],
		['chat completions (Groq)', { x_groq: { usage, error: 'It failed' }, choices: [], error }],
		['messages', { type: 'message_start', message: output }, { ...failed, usage: { output_tokens: 2 } }],
		['messages, as the first event', { ...failed, usage: message.usage }],
		['generate content', { candidates }, { error, usageMetadata }],
		['generate content, as the first event', { error, usageMetadata }],
		['the Responses API', { type: 'response.failed', response: { error, output: [], usage: message.usage } }],
	])('counts what only the error of a stream reports: %s', async (_format, ...all) => {
		const request = { endpoint: endpoints.chatCompletions, streamed: 'events' } as const;
		for (const body of [events(...all), JSON.stringify(all)]) {
			const { read } = new ChatReader(true);
			expect(await ledgerAfter([{ body }], read, request)).toMatchObject({ tokens: 5 });
		}
	});

	const lost = { ...priced, isCut: true };

	it.each<[string, Answered[], Partial<GatewayRequest> & { key?: string }, number]>([
		['with a key', [lost, lost, priced], { key: 'idempotency-key' }, 0.5],
		['with a key, more of it', [lost, { headers: { [LITELLM]: '0.75' } }], { key: 'idempotency-key' }, 0.75],
		['without', [lost, priced], { repeatsUnclear: true }, 1],
	])('counts once what is charged for once: a repetition %s', async (_what, answers, request, cost) => {
		expect(await ledgerAfter(answers, readJson, request)).toMatchObject({ cost });
	});
});
