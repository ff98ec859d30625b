import {
	Ceiling,
	noSpending,
	readCeiling,
	type Limits,
	type Prices,
} from '../../../nodes/shared/runtime/ceiling';
import { Ledger } from '../../../nodes/shared/gateway/ledger';
import type { GatewayFailure } from '../../../nodes/shared/errors/gatewayFailure';
import { systemClock } from '../../../nodes/shared/pacing/clock';

const NO_PRICES: Prices = {
	request: 0,
	thousandCharacters: 0,
	millionInputTokens: 0,
	millionOutputTokens: 0,
};

/** Requests that are sent as soon as they may, and end when the test says so. */
function run(limits: Limits, prices: Partial<Prices> = {}, spending = noSpending()) {
	const ledger = new Ledger(systemClock);
	const ceiling = new Ceiling(limits, { ...NO_PRICES, ...prices }, ledger, spending);
	const sent: Array<Awaited<ReturnType<Ceiling['reserve']>>> = [];
	const refused: GatewayFailure[] = [];
	return {
		ceiling,
		ledger,
		sent,
		refused,
		async ask(count: number, characters = 0): Promise<void> {
			for (let index = 0; index < count; index++) {
				void ceiling.reserve(characters).then(
					(reservation) => sent.push(reservation),
					(failure: GatewayFailure) => refused.push(failure),
				);
			}
			await settled();
		},
	};
}
const settled = async () => await new Promise((resolve) => setImmediate(resolve));

describe('Ceiling of a run', () => {
	it.each([1, 3, 10, 100])('lets no more than the requests through, with %i at once', async (width) => {
		const requests = run({ requests: 25 });
		let answered = 0;
		let paid = 0;
		while (requests.refused.length === 0) {
			await requests.ask(width);
			for (const reservation of requests.sent.splice(0)) {
				// The gateway refuses every third request, which is not paid for.
				const isRefused = answered++ % 3 === 2;
				if (isRefused) reservation.release();
				else reservation.paid();
				paid += isRefused ? 0 : 1;
			}
			await settled();
		}
		expect(paid).toBe(25);
		expect(requests.refused[0]).toMatchObject({ kind: 'ceiling', facts: { attempts: 0 } });
		expect(requests.refused[0].message).toContain('Max Requests (25)');
	});

	it('waits for requests in progress, which may turn out not to be paid for', async () => {
		const requests = run({ requests: 2 });
		await requests.ask(4);
		expect([requests.sent.length, requests.refused.length]).toEqual([2, 0]);
		requests.sent[0].release();
		await settled();
		expect([requests.sent.length, requests.refused.length]).toEqual([3, 0]);
		requests.sent[1].paid();
		requests.sent[2].paid();
		await settled();
		expect([requests.sent.length, requests.refused.length]).toEqual([3, 1]);
	});

	it('stops at the tokens that are used, without those in progress', async () => {
		const requests = run({ tokens: 100 });
		await requests.ask(3);
		expect(requests.sent).toHaveLength(3);
		requests.ledger.used({ inputTokens: 60, outputTokens: 39 });
		await requests.ask(1);
		expect(requests.sent).toHaveLength(4);
		requests.ledger.used({ inputTokens: 1, outputTokens: 0 });
		await requests.ask(1);
		expect(requests.refused[0].message).toContain('Max Tokens (100)');
	});

	it('never exceeds a cost that is known beforehand', async () => {
		const images = run({ cost: 1 }, { request: 0.3 });
		await images.ask(5);
		expect(images.sent).toHaveLength(3);
		for (const reservation of images.sent) reservation.paid();
		await settled();
		expect(images.refused).toHaveLength(2);
		const speech = run({ cost: 0.1 }, { thousandCharacters: 0.02 });
		await speech.ask(1, 4000);
		await speech.ask(1, 2000);
		expect([speech.sent.length, speech.refused.length]).toEqual([1, 0]);
		speech.sent[0].paid();
		await settled();
		expect(speech.refused[0].message).toContain('Max Cost (0.1)');
		await speech.ask(1, 1000);
		expect(speech.sent).toHaveLength(2);
	});

	it('counts the cost that the gateway reports, and prices only what has none', async () => {
		const prices = { millionInputTokens: 1000, millionOutputTokens: 4000 };
		const requests = run({ cost: 1 }, prices);
		requests.ledger.used({ inputTokens: 1e6, outputTokens: 1e6, cost: 0.5 });
		requests.ledger.used({ inputTokens: 100, outputTokens: 50 });
		await requests.ask(1);
		expect(requests.sent).toHaveLength(1);
		requests.ledger.used({ inputTokens: 0, outputTokens: 50 });
		await requests.ask(1);
		expect(requests.refused).toHaveLength(1);
	});

	it('is read from the options, and is none without a limit', () => {
		const options = (limits: object) => ({ runCeiling: { limits } });
		expect(readCeiling({})).toBeUndefined();
		expect(readCeiling(options({ maxRequests: 0, pricePerRequest: 3 }))).toBeUndefined();
		expect(readCeiling(options({ maxRequests: '7', maxCost: 1.5, pricePerRequest: 0.2 }))).toEqual({
			limits: { requests: 7, tokens: undefined, cost: 1.5 },
			prices: { ...NO_PRICES, request: 0.2 },
		});
		expect(() => readCeiling(options({ maxRequests: 'many' }))).toThrow('Max Requests');
		expect(() => readCeiling(options({ maxCost: -1 }))).toThrow('Max Cost');
	});

	it.each([undefined, null, ''])('does not go away because a row has no value for it: %j', (value) => {
		const options = { runCeiling: { limits: { maxRequests: value } } };
		expect(() => readCeiling(options)).toThrow('Max Requests');
	});

	it.each([
		[{ request: 0.1 }, 0.3, 3],
		[{ request: 0.1 }, 1, 10],
		[{ request: 0.7 }, 2.1, 3],
	])(
		'pays for exactly what a cost allows, although sums of decimal fractions are a little off',
		async (prices, cost, expected) => {
			const requests = run({ cost }, prices);
			for (let index = 0; index < expected + 2; index++) {
				await requests.ask(1);
				requests.sent.at(-1)?.paid();
			}
			expect(requests.sent).toHaveLength(expected);
			expect(requests.refused).toHaveLength(2);
		},
	);

	it('stops when reported costs add up to the limit', async () => {
		const requests = run({ cost: 1 });
		for (let index = 0; index < 15; index++) {
			await requests.ask(1);
			if (requests.sent.length <= index) break;
			requests.sent.at(-1)!.paid();
			requests.ledger.used({ cost: 0.1 });
		}
		expect(requests.sent).toHaveLength(10);
	});

	it('adds to what earlier tries of the run have spent', async () => {
		const spending = noSpending();
		const first = run({ requests: 3, tokens: 100 }, {}, spending);
		await first.ask(2);
		for (const reservation of first.sent) reservation.paid();
		first.ledger.used({ inputTokens: 30, outputTokens: 30 });
		first.ceiling.count();
		const second = run({ requests: 3, tokens: 100 }, {}, spending);
		await second.ask(2);
		expect([second.sent.length, second.refused.length]).toEqual([1, 0]);
		second.ledger.used({ inputTokens: 20, outputTokens: 20 });
		second.sent[0].release();
		await settled();
		expect(second.refused[0].message).toContain('Max Tokens (100)');
	});

	it('lets a request that may be paid for be repeated only within the limits', async () => {
		const requests = run({ requests: 2 });
		await requests.ask(1);
		const [reservation] = requests.sent;
		await reservation.repeat();
		await expect(reservation.repeat()).rejects.toMatchObject({ kind: 'ceiling' });
		await requests.ask(1);
		expect(requests.refused).toHaveLength(1);
	});

	it('waits without the slot of the item', async () => {
		const requests = run({ requests: 1 });
		await requests.ask(1);
		let rests = 0;
		const second = requests.ceiling.reserve(0, async (wait) => {
			rests += 1;
			await wait();
		});
		await settled();
		expect(rests).toBe(1);
		requests.sent[0].release();
		(await second).paid();
	});
});
