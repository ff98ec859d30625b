import { LongWindow } from '../../../nodes/shared/pacing/longWindow';
import { newRequest, type SendSlot } from '../../../nodes/shared/pacing/sendSlot';

const MINUTE_MS = 60_000;

describe('A limit that is counted over a minute', () => {
	const slotAt = (sentAt: number, refused = false): SendSlot => ({
		request: newRequest(),
		number: 1,
		sentAt,
		pauses: 0,
		refused,
		inProgress: 1,
	});
	const windowOf = (sure: number, sentAt: number[]) => {
		const window = new LongWindow(MINUTE_MS, sure);
		for (const at of sentAt) window.add(slotAt(at));
		return window;
	};
	const perMs = 10 / MINUTE_MS;

	it('may be used up at once', () => {
		const window = windowOf(10, [0, 1, 2]);
		expect(window.waitMs(3, perMs)).toBe(0);
		expect(window.intervalMs(3, perMs)).toBe(0);
	});

	it('is free again when the window has passed, and a little more', () => {
		const sent = Array.from({ length: 10 }, (_, index) => index);
		const window = windowOf(10, sent);
		const waitMs = window.waitMs(100, perMs);
		expect(waitMs).toBeGreaterThan(MINUTE_MS - 100);
		expect(waitMs).toBeLessThan(1.02 * MINUTE_MS);
		expect(window.waitMs(100 + waitMs + 1, perMs)).toBe(0);
	});

	it('is approached with single requests beyond what was accepted before', () => {
		const window = windowOf(5, [0, 1, 2, 3, 4]);
		expect(window.waitMs(5, perMs)).toBe(0);
		expect(window.intervalMs(5, perMs)).toBe(1 / perMs);
	});

	it('does not count what was refused, and is no larger than what was accepted', () => {
		const window = windowOf(10, [0, 1, 2]);
		window.add(slotAt(3, true));
		window.refused(4);
		expect(window.intervalMs(4, perMs)).toBe(1 / perMs);
		expect(window.waitMs(4, perMs)).toBe(0);
	});

	it('holds at least one request', () => {
		expect(windowOf(1, []).holds(0.0001 / MINUTE_MS)).toBe(1);
	});
});
