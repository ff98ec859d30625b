import type { GatewayFailure } from '../../../nodes/shared/errors/gatewayFailure';
import { Ledger, NO_SPENDING, type Spending } from '../../../nodes/shared/send/ledger';
import { openSpendingLimits } from '../../../nodes/shared/run/spendingLimits';
import { FakeClock } from '../fakeClock';

const optionsOf = (limits: object) => ({ spendingLimits: { limits } });
const settled = async () => await new Promise((resolve) => setImmediate(resolve));

/** Requests that are sent as soon as they may, and end when the test says so. */
function run(options: object, spending?: Spending) {
	const ledger = new Ledger(new FakeClock(), spending);
	const limits = openSpendingLimits(optionsOf(options), ledger)!;
	const sent: Array<(isPaid: boolean) => void> = [];
	const refused: GatewayFailure[] = [];
	return {
		limits,
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
		expect(description).toContain('Increase Max Requests in Options, under Spending Limits, and retry');
	});

	it('wait for requests in progress, which may turn out not to be paid for', async () => {
		const requests = run({ maxRequests: 2 });
		await requests.ask(4);
		expect([requests.sent.length, requests.refused.length]).toEqual([2, 0]);
		requests.sent[0](false);
		// Only the first call counts.
		requests.sent[0](true);
		await settled();
		expect([requests.sent.length, requests.refused.length]).toEqual([3, 0]);
		requests.sent[1](true);
		requests.sent[2](true);
		await settled();
		expect([requests.sent.length, requests.refused.length]).toEqual([3, 1]);
	});

	it.each([
		['Max Tokens (100)', { maxTokens: 100 }, { inputTokens: 60, outputTokens: 39 }, { inputTokens: 1 }],
		// Sums of decimal fractions are a little off: 0.1 + 0.2 + … is 0.9999999999999999.
		['Max Cost (1)', { maxCost: 1 }, { cost: 0.1 + 0.2 + 0.3 + 0.1 }, { cost: 0.1 + 0.2 }],
	])('stop at %s of the answers, without those in progress', async (limit, options, first, second) => {
		const requests = run(options);
		await requests.ask(3);
		expect(requests.sent).toHaveLength(3);
		requests.ledger.used(first);
		await requests.ask(1);
		expect(requests.sent).toHaveLength(4);
		requests.ledger.used(second);
		await requests.ask(1);
		expect(requests.refused[0].message).toBe(`${limit} is reached`);
	});

	it('add to what earlier tries of the run have spent', async () => {
		const spending = { ...NO_SPENDING };
		const first = run({ maxRequests: 3, maxTokens: 100 }, spending);
		await first.ask(2);
		for (const end of first.sent) end(true);
		first.ledger.used({ inputTokens: 30, outputTokens: 30, cost: 0.5 });
		expect(first.ledger.spending).toEqual({ requests: 2, tokens: 60, cost: 0.5 });
		const second = run({ maxRequests: 3, maxTokens: 100 }, spending);
		await second.ask(2);
		expect([second.sent.length, second.refused.length]).toEqual([1, 0]);
		second.ledger.used({ inputTokens: 20, outputTokens: 20 });
		second.sent[0](false);
		await settled();
		expect(second.refused[0].message).toContain('Max Tokens (100)');
	});

	it('are read from the options', () => {
		const open = (options: object) => openSpendingLimits(optionsOf(options), new Ledger(new FakeClock()));
		expect(openSpendingLimits({}, new Ledger(new FakeClock()))).toBeUndefined();
		expect(() => open({ maxRequests: '7', maxCost: 1.5 })).not.toThrow();
		expect(() => open({ maxRequests: 'many' })).toThrow('Max Requests');
		expect(() => open({ maxCost: -1 })).toThrow('Max Cost');
	});

	it('of 0 are none', async () => {
		const requests = run({ maxRequests: 0, maxTokens: 0, maxCost: 0 });
		await requests.ask(3);
		expect(requests.sent).toHaveLength(3);
	});

	it.each([undefined, null, ''])('do not go away because a row has no value: %j', (maxRequests) => {
		const ledger = new Ledger(new FakeClock());
		expect(() => openSpendingLimits(optionsOf({ maxRequests }), ledger)).toThrow('Max Requests');
	});
});
