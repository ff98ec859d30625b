import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { GatewayFailure } from '../../../nodes/shared/failure/failure';
import { openSpendingLimits } from '../../../nodes/shared/run/runResources';
import { Ledger, type Spending } from '../../../nodes/shared/send/ledger';
import type { TokenUsage } from '../../../nodes/shared/answer/usage';
import { nodeTypes } from '../../integration/engine/nodeTypes';
import { FakeClock } from '../fakeClock';

const optionsOf = (limits: object) => limits as IDataObject;
const settled = async () => await new Promise((resolve) => setImmediate(resolve));

/** Requests that are sent as soon as they may, and end when the test says so. */
function run(options: object, spending?: Spending) {
	const limits = openSpendingLimits(optionsOf(options), spending && (() => spending))!;
	const ledger = new Ledger(new FakeClock(), limits);
	const sent: Array<(isPaid: boolean) => void> = [];
	const refused: GatewayFailure[] = [];
	return {
		ledger,
		sent,
		refused,
		async ask(count: number): Promise<void> {
			for (let index = 0; index < count; index++) {
				void limits.reserve().then(
					(end) => sent.push(end),
					(failure: GatewayFailure) => refused.push(failure),
				);
			}
			await settled();
		},
	};
}

describe('Spending Limits', () => {
	it.each([1, 3, 10, 100])('let no more than the requests through, with %i at once', async (width) => {
		const requests = run({ maxRequests: 25 });
		let answered = 0;
		let paid = 0;
		while (requests.refused.length === 0) {
			await requests.ask(width);
			for (const end of requests.sent.splice(0)) {
				// The gateway refuses every third request, which is not paid for.
				const isPaid = answered++ % 3 !== 2;
				end(isPaid);
				if (isPaid) paid += 1;
			}
			await settled();
		}
		expect(paid).toBe(25);
		const [{ kind, message, description, facts }] = requests.refused;
		expect([kind, message, facts]).toEqual([
			'spendingLimit',
			'Max Requests (25) is reached',
			{ attempts: 0 },
		]);
		expect(description).toMatch(/^Nothing more was sent\. .* increase Max Requests in Spending Limits\.$/);
	});

	it.each([
		[
			'Max Total Tokens (100)',
			{ maxTotalTokens: 100 },
			{ inputTokens: 60, outputTokens: 39 },
			{ inputTokens: 1 },
		],
		// Some gateways count reasoning only in the total.
		[
			'Max Total Tokens (100)',
			{ maxTotalTokens: 100 },
			{ inputTokens: 60, outputTokens: 9, totalTokens: 99 },
			{ totalTokens: 1 },
		],
		// Sums of decimal fractions are a little off: 0.7 + 0.1 is 0.7999999999999999.
		['Max Cost (0.8)', { maxCost: 0.8 }, { cost: 0.7 }, { cost: 0.1 }],
	])('stop at %s of the answers, without those in progress', async (limit, options, first, second) => {
		const requests = run(options);
		await requests.ask(3);
		// The others wait until it is known whether answers report what the limit counts.
		expect(requests.sent).toHaveLength(1);
		requests.ledger.used(first);
		await requests.ask(1);
		expect(requests.sent).toHaveLength(4);
		requests.ledger.used(second);
		await requests.ask(1);
		expect(requests.refused[0].message).toBe(`${limit} is reached`);
	});

	const COUNTED: TokenUsage = { inputTokens: 5, outputTokens: 2, totalTokens: 7, cost: 0.01 };
	const NO_TOKENS: Record<string, TokenUsage> = {
		nothing: {},
		nulls: { inputTokens: null, outputTokens: null, totalTokens: null },
		zeros: { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
		'a total of zero': { totalTokens: 0 },
		'less than nothing': { inputTokens: -5, outputTokens: 0 },
	};
	const UNCOUNTED: Array<[limit: string, options: object, what: string, usage: TokenUsage]> = [
		...Object.entries(NO_TOKENS).flatMap(([what, usage]): typeof UNCOUNTED => [
			['Max Total Tokens', { maxTotalTokens: 1e6 }, `${what}, with a cost`, { ...usage, cost: 0.01 }],
			['Max Cost', { maxCost: 1e6 }, what, usage],
			['Max Cost', { maxCost: 1e6 }, `${what}, with a cost of 0`, { ...usage, cost: 0 }],
		]),
		['Max Cost', { maxCost: 1e6 }, 'only tokens', { inputTokens: 5 }],
		['Max Cost', { maxCost: 1e6 }, 'a cost below 0', { ...COUNTED, cost: -0.01 }],
	];

	describe.each([0, 1, 9])('after %i answers that report everything', (before) => {
		it.each(UNCOUNTED)('end if %s (%j) cannot be kept: %s', async (limit, options, _what, usage) => {
			const requests = run(options);
			for (let answer = 0; answer < before; answer++) requests.ledger.used(COUNTED);
			await requests.ask(1);
			expect(requests.sent).toHaveLength(1);
			requests.ledger.used(usage);
			// What was under way is counted as well, and does not let anything through again.
			requests.ledger.used(COUNTED);
			await requests.ask(2);
			expect(requests.sent).toHaveLength(1);
			expect(requests.refused.map(({ message }) => message)).toEqual(
				Array(2).fill(expect.stringContaining(`${limit} cannot be kept`)),
			);
		});
	});

	it.each<[object, TokenUsage]>([
		[{ maxTotalTokens: 99 }, { inputTokens: 1 }],
		[{ maxTotalTokens: 99 }, { inputTokens: 0, outputTokens: 1 }],
		[{ maxTotalTokens: 99 }, { totalTokens: 1 }],
		[{ maxCost: 1 }, { cost: 0.01 }],
		[{ maxCost: 1 }, { inputTokens: 0, outputTokens: 0, cost: 0.01 }],
		// A free model.
		[{ maxCost: 1 }, { inputTokens: 5, outputTokens: 2, cost: 0 }],
		[{ maxRequests: 9 }, {}],
		// Limits that are 0.
		[{ maxCost: 0, maxTotalTokens: 0 }, {}],
	])('go on as long as answers report what they count: %j after %j', async (options, usage) => {
		const requests = run(options);
		for (let answer = 0; answer < 5; answer++) requests.ledger.used(usage);
		await requests.ask(1);
		expect([requests.sent.length, requests.refused.length]).toEqual([1, 0]);
	});

	it('wait for what the first answer has used', async () => {
		const requests = run({ maxTotalTokens: 9 });
		await requests.ask(3);
		requests.ledger.used({});
		requests.sent[0](true);
		await settled();
		expect([requests.sent.length, requests.refused.length]).toEqual([1, 2]);
	});

	it.each(['tokens', 'cost'])(
		'send at once what may be sent if an earlier run has shown %s',
		async (known) => {
			const requests = run({ maxCost: 1 }, { requests: 0, tokens: 0, cost: 0, [known]: 0.5 });
			await requests.ask(3);
			expect(requests.sent).toHaveLength(3);
		},
	);

	const open = (options: object) => openSpendingLimits(optionsOf(options));

	it.each([
		['Max Requests', { maxRequests: 'many' }],
		['Max Cost', { maxCost: -1 }],
		// A limit does not go away because a row has no value.
		...[undefined, null, ''].map((no): [string, object] => ['Max Requests', { maxRequests: no }]),
	])('are refused by name: %s in %j', (name, options) => {
		expect(() => open(options)).toThrow(name);
	});

	it('are nothing if none is set', () => expect(open({})).toBeUndefined());

	it.each(Object.entries(nodeTypes))('are those that responses can reach: %s', (type, { description }) => {
		const { properties } = description;
		const lists = properties.filter(({ name }) => name === 'spending').map(({ options = [] }) => options);
		const offered = [
			...new Set(
				lists.map((list) => (list as INodeProperties[]).map(({ displayName }) => displayName).join()),
			),
		];
		const expected = /account/.test(type)
			? []
			: [`Max Cost,Max Requests${/chat|embed|rerank/.test(type) ? ',Max Total Tokens' : ''}`];
		expect(offered).toEqual(expected);
	});
});
