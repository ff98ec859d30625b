import { GatewayFailure } from '../../../nodes/shared/errors/gatewayFailure';
import { mayRepeat, type Outcome } from '../../../nodes/shared/errors/outcome';
import { compose, type Layer, type Send } from '../../../nodes/shared/send/layer';
import { Ledger } from '../../../nodes/shared/send/ledger';
import { endpoints } from '../../../nodes/shared/send/endpoints';
import { reach } from '../../../nodes/shared/send/reach';
import type { GatewayRequest } from '../../../nodes/shared/send/request';
import { retry } from '../../../nodes/shared/send/retry';
import { spend, SpendingLimits } from '../../../nodes/shared/send/spend';
import { AddressHealth } from '../../../nodes/shared/send/reach';
import { FakeClock } from '../fakeClock';

const REQUEST: GatewayRequest = { endpoint: endpoints.chatCompletions };
const read = async () => await Promise.reject(new Error('not read'));
const moment = () => ({ now: 0, timeZone: 'UTC' });
const failed = (outcome?: Outcome, facts = {}) =>
	new GatewayFailure('gateway', outcome?.kind ?? 'final', '', facts).after(outcome);

/** The end of a road: fails with these failures in turn, and then succeeds. */
function ending(...failures: GatewayFailure[]) {
	const requests: GatewayRequest[] = [];
	const send = (async (request: GatewayRequest) => {
		requests.push(request);
		const failure = failures.shift();
		if (failure) throw failure;
		return 'done';
	}) as Send;
	return { requests, send };
}

it('Layers are passed from the first to the last', async () => {
	const passed: string[] = [];
	const layer =
		(name: string): Layer =>
		(next) =>
		async (request, reader) => {
			passed.push(name);
			return await next(request, reader);
		};
	await compose([layer('one'), layer('two')], ending().send)(REQUEST, read);
	expect(passed).toEqual(['one', 'two']);
});

describe('Retry', () => {
	const retrying = (...failures: GatewayFailure[]) => {
		const clock = new FakeClock();
		const { requests, send } = ending(...failures);
		const ledger = new Ledger(clock);
		const rule = (outcome: Outcome) => mayRepeat(outcome, 'generate', true);
		const road = retry({ clock, ledger, aside: () => () => {}, moment }, rule)(send);
		const startedAt = clock.now();
		return {
			requests,
			ledger,
			send: async (request: Partial<GatewayRequest> = {}) =>
				await clock.run(road({ ...REQUEST, ...request }, read)),
			took: () => clock.now() - startedAt,
		};
	};
	const busy: Outcome = { kind: 'notTaken', status: 503 };
	const refused: Outcome = { kind: 'refused', status: 429, retryAfterMs: 20_000 };

	it('doubles its waits, gives up after Max Retries, and is never shorter than what the gateway asks for', async () => {
		const always = retrying(failed(busy), failed(busy), failed(busy), failed(busy));
		await expect(always.send()).rejects.toThrow('notTaken');
		expect(always.requests).toHaveLength(4);
		expect(always.took()).toBeGreaterThanOrEqual(3_500);
		expect(always.took()).toBeLessThanOrEqual(10_500);
		const asked = retrying(failed({ ...busy, retryAfterMs: 5_000 }));
		await asked.send();
		expect(asked.took()).toBeGreaterThanOrEqual(5_000);
	});

	it('counts waits for a limit separately from failures', async () => {
		const failures = [refused, busy, refused].map((outcome) => failed(outcome));
		const { send, requests, ledger } = retrying(...failures);
		expect(await send({ maxRetries: 1, maxRateLimitRetries: 2 })).toBe('done');
		expect(requests.map(({ history }) => history?.attempts)).toEqual([4, 4, 4, 4]);
		expect(ledger.waitedMs).toBeGreaterThanOrEqual(40_000);
	});

	it('never takes place without any retries, or for a failure without an outcome', async () => {
		for (const failure of [failed(busy), failed(refused), failed()]) {
			const { send, requests } = retrying(failure);
			await expect(send({ maxRetries: 0, maxRateLimitRetries: 0 })).rejects.toThrow();
			expect(requests).toHaveLength(1);
		}
		const { send, requests } = retrying(failed());
		await expect(send()).rejects.toThrow('final');
		expect(requests).toHaveLength(1);
	});

	it('ends with what earlier attempts have left behind', async () => {
		const unclear = failed({ kind: 'unclear' }, { mayHaveBeenCarriedOut: true, partial: { text: 'Hel' } });
		const later = failed({ kind: 'unclear' }, { partial: { text: 'Hello' } });
		for (const [failures, text] of [
			[[unclear], 'Hel'],
			[[unclear, later], 'Hello'],
		] as const) {
			const { send } = retrying(...failures, failed({ kind: 'rejected', status: 400 }));
			await expect(send()).rejects.toMatchObject({
				message: 'rejected',
				description: expect.stringContaining('may have carried out an earlier attempt'),
				facts: { mayHaveBeenCarriedOut: true, partial: { text } },
			});
		}
		const clear = retrying(failed(busy), failed({ kind: 'rejected', status: 400 }));
		await expect(clear.send()).rejects.not.toHaveProperty('facts.mayHaveBeenCarriedOut');
		for (const partial of [undefined, { event: 'an error' }]) {
			const { send } = retrying(unclear, failed({ kind: 'rejected', status: 400 }, { partial }));
			await expect(send()).rejects.toMatchObject({
				message: 'rejected',
				facts: { mayHaveBeenCarriedOut: true, partial: { text: 'Hel', ...partial } },
			});
		}
	});
});

describe('Spend', () => {
	const spending = (requests: number, ...failures: GatewayFailure[]) => {
		const ledger = new Ledger(new FakeClock());
		const limits = new SpendingLimits({ requests, tokens: 0, cost: 0 }, ledger);
		const end = ending(...failures);
		const send = async (request: Partial<GatewayRequest> = {}) =>
			await spend(limits)(end.send)({ ...REQUEST, ...request }, read);
		return { send, end, ledger };
	};

	it('counts what may have been charged for', async () => {
		const charged = failed({ kind: 'unclear' }, { mayHaveBeenCarriedOut: true });
		const { send, ledger } = spending(2, failed({ kind: 'notTaken' }), charged);
		await expect(send()).rejects.toThrow('notTaken');
		await expect(send()).rejects.toThrow('unclear');
		expect(await send()).toBe('done');
		await expect(send()).rejects.toMatchObject({ kind: 'spendingLimit' });
		expect(ledger.spending.requests).toBe(2);
	});

	it('leaves alone what only reads', async () => {
		const { send, ledger } = spending(1);
		for (let count = 0; count < 3; count++) await send({ endpoint: endpoints.models });
		expect(ledger.spending.requests).toBe(0);
	});
});

describe('Reach', () => {
	const addresses = { base: 'https://one.example', alternate: 'https://two.example', utilities: '' };
	const notConnected = failed({ kind: 'notConnected' });
	const hostsOf = (requests: GatewayRequest[]) => requests.map(({ url = '' }) => new URL(url).hostname);

	it('tries the other address only if nothing was sent, and then first for a while', async () => {
		const health = new AddressHealth(new FakeClock());
		const end = ending(notConnected);
		const send = reach({}, addresses, health)(end.send);
		await send(REQUEST, read);
		await send(REQUEST, read);
		expect(hostsOf(end.requests)).toEqual(['one.example', 'two.example', 'two.example']);
		const lost = ending(failed({ kind: 'unclear' }));
		await expect(reach({}, addresses, health)(lost.send)(REQUEST, read)).rejects.toThrow();
		expect(lost.requests).toHaveLength(1);
	});

	it('ends with an outcome that may be tried again, or stops when the run does', async () => {
		const health = new AddressHealth(new FakeClock());
		const both = ending(notConnected, notConnected);
		const send = reach({}, addresses, health)(both.send)(REQUEST, read);
		await expect(send).rejects.toMatchObject({ outcome: { kind: 'notConnected' } });
		const stopped = ending(notConnected);
		const signal = AbortSignal.abort();
		await expect(reach({ signal }, addresses, health)(stopped.send)(REQUEST, read)).rejects.toThrow();
		expect(stopped.requests).toHaveLength(1);
	});
});
