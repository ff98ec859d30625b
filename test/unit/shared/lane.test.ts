import { Lane } from '../../../nodes/shared/limiter/lane';
import { newRequest, type PacedRequest, type SendSlot } from '../../../nodes/shared/limiter/sendSlot';
import { FakeClock } from '../fakeClock';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

describe('A lane', () => {
	let clock: FakeClock;
	let lane: Lane;
	let changes: number;
	beforeEach(() => {
		clock = new FakeClock();
		jest.spyOn(clock, 'random').mockReturnValue(0);
		changes = 0;
		lane = new Lane(clock, () => (changes += 1));
	});
	const send = (request: PacedRequest = newRequest()) => lane.send(request, clock.now());
	const waitMs = () => lane.waitMs(clock.now());
	const refuse = (slots: SendSlot[], retryAfterMs?: number) =>
		slots.map((slot) => lane.refused(slot, retryAfterMs));
	/** Two requests that are refused together, so that the lane counts as refused. */
	const refuseTwo = (retryAfterMs?: number, requests = [newRequest(), newRequest()]) =>
		refuse(
			requests.map((request) => send(request)),
			retryAfterMs,
		);

	it('tells since when it is idle, and each change', () => {
		const slot = send();
		const sentAt = clock.now();
		expect(lane.idleSince).toBeUndefined();
		clock.pass(100);
		lane.accepted(slot);
		expect(lane.idleSince).toBe(sentAt);
		lane.refused(send(), undefined);
		lane.ended(send());
		expect(lane.idleSince).toBe(sentAt + 100);
		expect(changes).toBe(3);
	});

	it('makes a request that is refused alone wait twice as long each time, up to a minute', () => {
		const request = newRequest();
		const waits = Array.from({ length: 8 }, () => refuse([send(request)])[0]);
		expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
		expect(waitMs()).toBeLessThan(10);
		expect(lane.isRefused(clock.now())).toBe(false);
		expect(refuse([send(request)], 7)).toEqual([7]);
	});

	it('pauses for all when two requests are refused: twice as long each time, up to a minute', () => {
		const requests = [newRequest(), newRequest()];
		const waits = Array.from({ length: 8 }, () => {
			const [, second] = refuseTwo(undefined, requests);
			expect(Math.round(waitMs())).toBeGreaterThanOrEqual(second);
			clock.pass(Math.max(second, waitMs()));
			return Math.round(second);
		});
		expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
	});

	it('pauses for as long as the gateway says, and for the longest of the refused requests', () => {
		const slots = [send(), send(), send()];
		lane.refused(slots[0], 5000);
		expect(lane.refused(slots[1], 5000)).toBe(5000);
		expect(waitMs()).toBe(5000);
		expect(lane.refused(slots[2], 9000)).toBe(9000);
		expect(waitMs()).toBe(9000);
		clock.pass(4000);
		expect(waitMs()).toBe(5000);
	});

	it.each([
		['each pause without success', undefined, [0, 1, 2, 3]],
		['each pause after the third one, if the gateway asks for pauses', 0, [0, 0, 0, 1]],
	])('doubles the distance of requests with %s', (_name, retryAfterMs, doublings) => {
		const requests = [newRequest(), newRequest()];
		const spacings = doublings.map(() => {
			refuseTwo(retryAfterMs, requests);
			clock.pass(100_000);
			const slot = send();
			const spacing = waitMs();
			lane.ended(slot);
			clock.pass(spacing);
			return spacing;
		});
		expect(Math.round(spacings[0])).toBe(990);
		expect(spacings.map((spacing) => Math.round(Math.log2(spacing / spacings[0])))).toEqual(doublings);
	});

	it('is exhausted for a minute when the gateway refuses it for more than ten minutes', () => {
		expect(refuseTwo(10 * MINUTE_MS)).toEqual([10 * MINUTE_MS, 10 * MINUTE_MS]);
		expect(lane.isExhausted(clock.now())).toBe(false);
		expect(lane.limitEnd).toBeUndefined();

		const other = new Lane(clock, () => {});
		const slots = [newRequest(), newRequest(), newRequest()].map((request) =>
			other.send(request, clock.now()),
		);
		for (const slot of slots.slice(0, 2))
			expect(other.refused(slot, 10 * MINUTE_MS + 1)).toBe(10 * MINUTE_MS + 1);
		expect(other.limitEnd).toBe(clock.date() + 10 * MINUTE_MS + 1);
		// The third one may still prove the opposite.
		expect([other.isExhausted(clock.now()), other.waitMs(clock.now())]).toEqual([
			false,
			Number.POSITIVE_INFINITY,
		]);
		other.ended(slots[2]);
		expect([other.isExhausted(clock.now()), other.waitMs(clock.now())]).toEqual([true, 0]);
		clock.pass(MINUTE_MS - 1);
		expect(other.isExhausted(clock.now())).toBe(true);
		clock.pass(1);
		expect(other.isExhausted(clock.now())).toBe(false);
	});

	it('is not exhausted when one request is refused for a day, or when another is told to wait for a moment', () => {
		expect(refuse([send()], DAY_MS)).toEqual([DAY_MS]);
		expect(lane.limitEnd).toBeUndefined();
		refuse([send()], 1000);
		refuse([send()], DAY_MS);
		expect(lane.limitEnd).toBeUndefined();
	});

	it('needs two requests that were given up, and none that was refused alone', () => {
		const requests = [newRequest(), newRequest()];
		for (let time = 0; time < 6; time++) {
			refuseTwo(1000, requests);
			clock.pass(Math.max(1000, waitMs()));
		}
		lane.gaveUp({ ...requests[0], isRefusedAlone: true });
		lane.gaveUp(requests[0]);
		expect(lane.isExhausted(clock.now())).toBe(false);
		lane.gaveUp(requests[1]);
		expect(lane.isExhausted(clock.now())).toBe(true);
	});

	it('allows a refused request its retries, and no others', () => {
		const request = newRequest();
		refuse([send(request)]);
		expect([lane.mayRetry(request, 0), lane.mayRetry(request, -1), lane.mayRetry(request, 1)]).toEqual([
			false,
			false,
			true,
		]);
		refuse([send(request)]);
		expect([lane.mayRetry(request, 1), lane.mayRetry(request, 2)]).toEqual([false, true]);
	});

	it('counts the pauses instead of the refusals while all are refused', () => {
		const requests = [newRequest(), newRequest()];
		for (let time = 0; time < 2; time++) {
			refuseTwo(1000, requests);
			clock.pass(Math.max(1000, waitMs()));
		}
		expect([lane.mayRetry(requests[0], 1), lane.mayRetry(requests[0], 2)]).toEqual([false, true]);
	});

	it('continues at once, with nothing learned from it, when a later request is accepted', () => {
		const slots = [send(), send(), send()];
		refuse(slots.slice(0, 2), 5000);
		expect(lane.isRefused(clock.now())).toBe(true);
		lane.accepted(slots[2]);
		expect(lane.isRefused(clock.now())).toBe(false);
		expect(waitMs()).toBeLessThanOrEqual(3);
		expect(slots.map(({ request }) => request.isRefusedAlone)).toEqual([true, true, false]);
	});

	it('takes a request for one that is refused alone after two pauses that helped others', () => {
		const unlucky = newRequest();
		const pauses = () => {
			refuseTwo(1000, [unlucky, newRequest()]);
			clock.pass(Math.max(1000, waitMs()));
			lane.accepted(send());
			return unlucky.isRefusedAlone;
		};
		expect([pauses(), pauses()]).toEqual([false, true]);
	});

	it('forgets refusals after two minutes', () => {
		refuseTwo(1000);
		clock.pass(119_999);
		expect(lane.isRefused(clock.now())).toBe(true);
		clock.pass(1);
		expect(lane.isRefused(clock.now())).toBe(false);
		refuse([send()]);
		expect(lane.isRefused(clock.now())).toBe(false);
	});
});
