import { Readable } from 'node:stream';
import { type AnswerReader, readJson, type TokenUsage } from '../../../nodes/shared/answer/answerReaders';
import { costIn, type ResponseHeaders } from '../../../nodes/shared/answer/headers';
import { answerFailure } from '../../../nodes/shared/failure/words';
import { attempt } from '../../../nodes/shared/send/attempt';
import { type Endpoint, endpoints, utilityEndpoint } from '../../../nodes/shared/send/endpoints';
import { Ledger } from '../../../nodes/shared/send/ledger';
import { sendingOf } from '../../../nodes/shared/send/request';
import { NO_SPENDING, SpendingLimits } from '../../../nodes/shared/send/spendingLimits';
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
	const body = { id: 'answer-1' };
	const reading =
		(usage?: TokenUsage): AnswerReader<unknown> =>
		async (answer) => {
			const read = await readJson(answer);
			if (usage) answer.used?.(usage);
			return read;
		};
	const unusable: AnswerReader<unknown> = async (answer) => {
		await readJson(answer);
		throw answerFailure('it is not the right one');
	};

	/** What the ledger has after one attempt, and whether a limit can no longer be kept. */
	async function ledgerAfter(
		headers: Record<string, string>,
		read: AnswerReader<unknown>,
		endpoint: Endpoint = endpoints.speech,
		status = 200,
	) {
		const clock = new FakeClock();
		const limits = new SpendingLimits({ ...NO_SPENDING, cost: 9 });
		const ledger = new Ledger(clock, limits);
		const exchange = async () => ({
			status,
			headers,
			body: Readable.from([Buffer.from(JSON.stringify(body))]),
		});
		const run = { clock, ledger, watch: new Watch(clock), log: () => {} };
		const send = attempt(run, exchange)(sendingOf({ endpoint }, ['https://gateway.example']), read);
		await clock.run(send.catch(() => {}));
		const { cost, tokens } = ledger;
		return { cost, tokens: tokens.input + tokens.output, unreported: limits.spending.unreported };
	}
	const priced = { [LITELLM]: '0.5' };

	it.each<[string, Parameters<typeof ledgerAfter>, Awaited<ReturnType<typeof ledgerAfter>>]>([
		[
			'the cost of its body rather than its header',
			[priced, reading({ inputTokens: 3, cost: 0.25 })],
			{ cost: 0.25, tokens: 3, unreported: undefined },
		],
		[
			'the cost of 0 of a free model rather than its header',
			[priced, reading({ inputTokens: 3, cost: 0 })],
			{ cost: 0, tokens: 3, unreported: undefined },
		],
		[
			'its header if the answer cannot be used',
			[priced, unusable],
			{ cost: 0.5, tokens: 0, unreported: undefined },
		],
		['that nobody knows what was used', [{}, unusable], { cost: 0, tokens: 0, unreported: 'Max Cost' }],
		[
			'a utility',
			[priced, reading(), utilityEndpoint('/v2/apis/60s')],
			{ cost: 0.5, tokens: 0, unreported: undefined },
		],
		[
			'nothing for a list',
			[priced, reading(), endpoints.models],
			{ cost: 0, tokens: 0, unreported: undefined },
		],
		[
			'nothing for what was refused',
			[priced, reading(), endpoints.speech, 400],
			{ cost: 0, tokens: 0, unreported: undefined },
		],
	])('counts %s', async (_what, given, expected) => {
		expect(await ledgerAfter(...given)).toEqual(expected);
	});
});
