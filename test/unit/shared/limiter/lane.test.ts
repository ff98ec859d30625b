import { Lane } from '../../../../nodes/shared/limiter/lane';
import { PacedRequest, type SendSlot } from '../../../../nodes/shared/limiter/slot';
import { FakeClock } from '../../fakeClock';

const DAY_MS = 86_400_000;
const LATENCY_MS = 100;
const REFUSAL_MS = 10;

describe('A lane', () => {
	let clock: FakeClock;
	let lane: Lane;
	beforeEach(() => {
		clock = new FakeClock();
		jest.spyOn(clock, 'random').mockReturnValue(0);
		lane = new Lane(clock, () => {}, 100);
	});
	const automatic = () => new PacedRequest();
	const fixed = () => new PacedRequest({ most: 1000, inFlight: 0 });
	const send = (request = fixed()) => lane.send(request, clock.now())!;
	const sendMany = (count: number, request = fixed) => Array.from({ length: count }, () => send(request()));
	const waitMs = (request = fixed()) => lane.waitMs(request, clock.now());
	const accept = (slots: SendSlot[]) => slots.forEach((slot) => lane.accepted(slot));
	const refuse = (slots: SendSlot[], retryAfterMs?: number) => {
		clock.pass(REFUSAL_MS);
		return slots.map((slot) => lane.refused(slot, retryAfterMs));
	};
	/** One after the other, so that their number in flight is no reason. */
	const refuseInTurn = (count: number, retryAfterMs?: number) =>
		Array.from({ length: count }, () => refuse([send()], retryAfterMs)[0]);

	it('begins with ten, and grows threefold while latencies stay the same', () => {
		const widths = [lane.width.limit];
		for (let round = 0; round < 4; round++) {
			const slots = sendMany(lane.width.limit, automatic);
			clock.pass(LATENCY_MS);
			accept(slots);
			widths.push(lane.width.limit);
		}
		expect(widths).toEqual([10, 30, 90, 100, 100]);
	});

	it('stops growing when latencies rise', () => {
		for (const latencyMs of [100, 300]) {
			const slots = sendMany(lane.width.limit, automatic);
			clock.pass(latencyMs);
			accept(slots);
		}
		expect(lane.width.limit).toBe(10);
	});

	it.each([automatic, fixed])(
		'sends fewer at once when the gateway refuses more, without a pause',
		(request) => {
			const slots = sendMany(10, request);
			expect(refuse(slots.slice(4)).every((ms) => ms === 0)).toBe(true);
			expect(lane.width.limit).toBe(4);
			expect(waitMs(request())).toBe(Infinity);
			clock.pass(LATENCY_MS);
			accept(slots.slice(0, 4));
			expect(waitMs(request())).toBeLessThanOrEqual(0);
		},
	);

	it('undoes a cut when as many are accepted', () => {
		const slots = sendMany(10, automatic);
		refuse([slots[3]]);
		expect(lane.width.limit).toBe(9);
		accept([slots[9]]);
		expect(lane.width.limit).toBe(10);
		expect(lane.width.isCut).toBe(false);
	});

	it('waits twice as long each time for a request that is refused alone, or as long as the gateway asks', () => {
		const request = fixed();
		const waits = Array.from({ length: 7 }, () => refuse([send(request)])[0]);
		expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
		expect(refuse([send(request)], 7)).toEqual([7]);
	});

	it('gives a request up after its own refusals, but not while others are accepted after theirs', () => {
		const [alone, unlucky] = [fixed(), fixed()];
		for (let time = 1; time <= 7; time++) {
			expect(lane.mayRetry(alone)).toBe(true);
			refuse([send(alone)]);
		}
		expect(lane.mayRetry(alone)).toBe(false);
		for (let time = 1; time <= 9; time++) {
			refuse([send(unlucky)]);
			const other = fixed();
			refuse([send(other)]);
			accept([send(other)]);
		}
		expect(lane.mayRetry(unlucky)).toBe(true);
		expect([lane.mayRetry(unlucky, 8), lane.mayRetry(unlucky, 9)]).toEqual([false, true]);
	});

	it('pauses when five are refused and nothing later is admitted, for as long as the gateway asks', () => {
		refuseInTurn(4, 3000);
		expect(lane.trouble.pauseMs(clock.now())).toBe(0);
		expect(refuseInTurn(1, 3000)).toEqual([3000]);
		expect(waitMs()).toBe(3000);
		const probe = send();
		accept([probe]);
		expect(lane.trouble.pauseMs(clock.now())).toBe(0);
	});

	it('learns the rate that was accepted in the last second, and regains it after five seconds', () => {
		for (let index = 0; index < 20; index++) {
			accept([send()]);
			clock.pass(10);
		}
		expect(lane.isLimited(clock.now())).toBe(false);
		refuseInTurn(5);
		clock.pass(1000);
		accept([send()]);
		// 85 % of 20 per second; a late timer is made up for by 10 ms.
		expect(waitMs()).toBeCloseTo(1000 / 17 - 10, 5);
		clock.pass(5000);
		accept([send()]);
		expect(Math.round(waitMs())).toBe(40);
	});

	it('learns no rate before anything was accepted', () => {
		refuseInTurn(5);
		clock.pass(2000);
		expect(lane.isLimited(clock.now())).toBe(false);
	});

	it('fails fast when the limit lasts longer than any request waits, and tries again after a minute', () => {
		refuseInTurn(3, DAY_MS);
		expect(lane.trouble.limitEnd).toBe(clock.date() + DAY_MS);
		expect([waitMs(), lane.send(fixed(), clock.now())]).toEqual([0, undefined]);
		clock.pass(60_000);
		expect(send()).toBeDefined();
	});

	it('fails fast after many pauses without success', () => {
		for (let pause = 0; pause < 30 && !lane.trouble.isExhausted(clock.now()); pause++) {
			refuseInTurn(pause === 0 ? 5 : 1);
			if (!lane.trouble.isExhausted(clock.now())) clock.pass(40_000);
		}
		expect(lane.trouble.isExhausted(clock.now())).toBe(true);
	});

	it('takes what is in flight for longer than a refusal takes for admitted', () => {
		const refused = send();
		refuse([refused]);
		send();
		clock.pass(3 * REFUSAL_MS);
		waitMs();
		refuse([send(refused.request)]);
		expect(refused.request.isRefusedAlone).toBe(true);
	});

	it('exceeds no number that the user has set', () => {
		const run = { most: 2, inFlight: 0 };
		const request = new PacedRequest(run);
		const [first] = [send(request), send(request)];
		expect(waitMs(request)).toBe(Infinity);
		lane.ended(first);
		expect(waitMs(request)).toBeLessThanOrEqual(0);
	});
});
