import { Ledger } from '../../../nodes/shared/send/ledger';
import { FakeClock } from '../fakeClock';

describe('Ledger', () => {
	it('counts requests, and which of them repeated an earlier one', () => {
		const ledger = new Ledger(new FakeClock());
		for (const attempts of [1, 1, 2, 3]) ledger.sent(attempts);
		expect(ledger).toMatchObject({ requests: 4, retries: 2 });
	});

	it('counts tokens as far as the gateway reports them', () => {
		const ledger = new Ledger(new FakeClock());
		ledger.used({ inputTokens: 10, outputTokens: 5, totalTokens: 15 });
		ledger.used({ totalTokens: 7 });
		ledger.used({ inputTokens: null, outputTokens: 3, totalTokens: 9 });
		ledger.used({});
		expect(ledger.tokens).toEqual({ input: 17, output: 8 });
	});

	it('counts waits that overlap once, and knows until when requests wait', async () => {
		const clock = new FakeClock();
		const ledger = new Ledger(clock);
		const begin = clock.date();
		const wait = async (milliseconds: number, known = true) =>
			await ledger.waitForLimit(
				async () => await clock.sleep(milliseconds),
				known ? milliseconds : undefined,
			);
		const waits = [wait(4000), wait(10_000), wait(6000, false)];
		expect(ledger.waitsUntil).toBe(begin + 10_000);
		await clock.run(Promise.all(waits));
		expect(ledger.waitedMs).toBe(10_000);
		expect(ledger.waitsUntil).toBeUndefined();
		await clock.run(clock.sleep(5000));
		await clock.run(wait(2000));
		expect(ledger.waitedMs).toBe(12_000);
	});

	it('counts a wait that fails, and one that goes on', async () => {
		const clock = new FakeClock();
		const ledger = new Ledger(clock);
		const failing = ledger.waitForLimit(async () => {
			await clock.sleep(1000);
			throw new Error('stopped');
		});
		await expect(clock.run(failing)).rejects.toThrow('stopped');
		void ledger.waitForLimit(async () => await new Promise(() => {}));
		await clock.run(clock.sleep(3000));
		expect(ledger.waitedMs).toBe(4000);
	});
});
