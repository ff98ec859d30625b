import {
	asksToWait,
	type FailedStatus,
	outcomeOfStatus,
	mayRepeat,
	wasAdmitted,
} from '../../../nodes/shared/errors/outcome';

const kindOf = (status: number, more: Partial<FailedStatus> = {}) =>
	outcomeOfStatus({ status, hasErrorObject: true, repeatability: 'generate', ...more });
const everything = ['read', 'generate', 'create'] as const;

describe('The outcome of a failing status', () => {
	it.each([
		[[429], 'refused'],
		[[503, 529], 'notTaken'],
		[[400, 401, 403, 404, 409, 413, 422, 501, 505, 511], 'rejected'],
		[[303, 408, 499, 502, 504, 520, 524, 599], 'unclear'],
	])('of %p is %p, whatever was requested, and from whomever it comes', (statuses, kind) => {
		for (const status of statuses) {
			for (const repeatability of everything) {
				for (const hasErrorObject of [true, false]) {
					expect(kindOf(status, { repeatability, hasErrorObject })).toBe(kind);
				}
			}
		}
	});

	it('of 500 is clear only with the error object of a gateway, and never for what creates', () => {
		expect(kindOf(500)).toBe('notTaken');
		expect(kindOf(500, { hasErrorObject: false })).toBe('unclear');
		expect(kindOf(500, { repeatability: 'create' })).toBe('unclear');
	});

	it('is unclear when the answer says that the work was done', () => {
		for (const status of [200, 400, 429, 500, 503]) {
			expect(kindOf(status, { workWasDone: true })).toBe('unclear');
		}
	});

	it('of 409 is a request in progress if the request has an idempotency key', () => {
		expect(kindOf(409, { hasIdempotencyKey: true })).toBe('unclear');
	});
});

describe('An outcome', () => {
	it('allows to repeat what was not carried out', () => {
		for (const kind of ['notConnected', 'refused', 'notTaken'] as const) {
			for (const repeatability of everything) expect(mayRepeat({ kind }, repeatability)).toBe(true);
		}
		expect(mayRepeat({ kind: 'rejected' }, 'read', true)).toBe(false);
	});

	it('allows to repeat what may be paid for only if the user wants it, or if it only reads', () => {
		const unclear = { kind: 'unclear' } as const;
		expect(everything.map((repeatability) => mayRepeat(unclear, repeatability))).toEqual([
			true,
			false,
			false,
		]);
		expect(everything.every((repeatability) => mayRepeat(unclear, repeatability, true))).toBe(true);
	});

	it('asks to wait if it is a refusal, or comes from a busy gateway that says for how long', () => {
		expect(asksToWait({ kind: 'refused', status: 429 })).toBe(true);
		expect(asksToWait({ kind: 'notTaken', status: 503 })).toBe(false);
		expect(asksToWait({ kind: 'notTaken', status: 503, retryAfterMs: 0 })).toBe(true);
		expect(asksToWait({ kind: 'notTaken', status: 500, retryAfterMs: 0 })).toBe(false);
		expect(asksToWait({ kind: 'unclear', status: 503, retryAfterMs: 0 })).toBe(false);
	});

	it('shows that the limit of the gateway let the request pass, unless the server was in trouble', () => {
		expect(wasAdmitted({ kind: 'rejected', status: 400 })).toBe(true);
		expect(wasAdmitted({ kind: 'refused', status: 429 })).toBe(false);
		expect(wasAdmitted({ kind: 'notTaken', status: 503 })).toBe(false);
		expect(wasAdmitted({ kind: 'unclear' })).toBe(false);
	});
});
