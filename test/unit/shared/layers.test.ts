import { cancelledFailure } from '../../../nodes/shared/failure/words';
import type { Answer } from '../../../nodes/shared/answer/answerReaders';
import { GatewayFailure, toFailure } from '../../../nodes/shared/failure/failure';
import type { FailureKind, Verdict } from '../../../nodes/shared/failure/kinds';
import { type Send, type GatewayRequest, type Sending, sendingOf } from '../../../nodes/shared/send/layer';
import { Ledger, NO_SPENDING, type Spending, SpendingLimits } from '../../../nodes/shared/send/ledger';
import { type Endpoint, endpoints, utilityEndpoint } from '../../../nodes/shared/send/endpoints';
import { inTurn } from '../../../nodes/shared/send/download';
import { Gate } from '../../../nodes/shared/plain/turns';
import { reach, AddressHealth } from '../../../nodes/shared/send/reach';
import { retry } from '../../../nodes/shared/send/retry';
import { spend } from '../../../nodes/shared/send/spend';
import { Watch } from '../../../nodes/shared/send/timeLimits';
import { FakeClock } from '../fakeClock';
import { credentialStateOf } from '../../../nodes/shared/send/client';
import { laneKeyOf, pace, RunLanes } from '../../../nodes/shared/send/pace';
import { Pacer } from '../../../nodes/shared/limiter/pacer';

const REQUEST: GatewayRequest = { endpoint: endpoints.chatCompletions };
const read = async () => await Promise.reject(new Error('not read'));
const moment = () => ({ now: 0, timeZone: 'UTC' });
const failed = (verdict: Partial<Verdict> = {}, facts = {}, kind: FailureKind = 'gateway') =>
	new GatewayFailure(kind, verdict.again ?? 'never', '', facts).judged(verdict);
const lost = (facts = {}) => failed({ again: 'ifFree', charge: 'possible' }, facts);
const rejected = () => failed({}, { status: 400 }, 'request');
/** What a client sends. */
const sending = (request: Partial<GatewayRequest> = {}, urls = ['https://one.example']) =>
	sendingOf({ ...REQUEST, ...request }, urls);
const log = () => {};
const settled = async () => await new Promise((resolve) => setImmediate(resolve));

/** The end of a road: fails with these failures in turn, and then succeeds. */
function ending(...failures: GatewayFailure[]) {
	const requests: Sending[] = [];
	const send = (async (sent: Sending) => {
		requests.push(sent);
		const failure = failures.shift();
		if (failure) throw failure;
		return 'done';
	}) as Send;
	return { requests, send };
}

describe('Retry', () => {
	const retryingWith =
		(header: string) =>
		(...failures: GatewayFailure[]) => {
			const clock = new FakeClock();
			const { requests, send } = ending(...failures);
			const ledger = new Ledger(clock);
			const road = retry(
				{ clock, ledger, aside: () => () => {}, moment, watch: new Watch(clock), log },
				header,
			)(send);
			const startedAt = clock.now();
			return {
				requests,
				ledger,
				send: async (request: Partial<GatewayRequest> = {}) =>
					await clock.run(road(sending({ repeatsUnclear: true, ...request }), read)),
				took: () => clock.now() - startedAt,
			};
		};
	const retrying = retryingWith('');
	const busy = { again: 'soon' } as const;
	const refused = { again: 'afterWait', waitMs: 20_000 } as const;

	it('doubles its waits, gives up after Max Retries, and is never shorter than what the gateway asks for', async () => {
		const always = retrying(failed(busy), failed(busy), failed(busy), failed(busy));
		await expect(always.send()).rejects.toThrow('soon');
		expect(always.requests).toHaveLength(4);
		expect(always.took()).toBeGreaterThanOrEqual(3_500);
		expect(always.took()).toBeLessThanOrEqual(10_500);
		const asked = retrying(failed({ ...busy, waitMs: 5_000 }));
		await asked.send();
		expect(asked.took()).toBeGreaterThanOrEqual(5_000);
		const hurried = retrying(failed({ ...refused, waitMs: 0 }));
		await hurried.send();
		expect(hurried.took()).toBeGreaterThanOrEqual(500);
	});

	it('counts waits for a limit separately from failures', async () => {
		const failures = [refused, busy, refused].map((verdict) => failed(verdict));
		const { send, requests, ledger } = retrying(...failures);
		expect(await send({ maxRetries: 1, maxRateLimitRetries: 2 })).toBe('done');
		expect(requests.map(({ attempts }) => attempts)).toEqual([1, 2, 3, 4]);
		expect(ledger.waitedMs).toBeGreaterThanOrEqual(40_000);
		const tooMany = retrying(failed(refused), failed(refused), failed(refused));
		await expect(tooMany.send({ maxRateLimitRetries: 2 })).rejects.toThrow('afterWait');
		expect(tooMany.requests).toHaveLength(3);
	});

	it('repeats what may have been carried out only with a key of its own, or if the user wants that', async () => {
		const [without, withKey, free] = [
			retrying(lost()),
			retryingWith('Key')(lost()),
			retryingWith('Key')(failed(busy)),
		];
		await expect(without.send({ repeatsUnclear: false })).rejects.toThrow('ifFree');
		expect(without.requests).toMatchObject([{ idempotencyHeader: undefined }]);
		expect(await withKey.send({ repeatsUnclear: false })).toBe('done');
		const [first, second] = withKey.requests.map(({ idempotencyHeader }) => idempotencyHeader);
		expect(first).toMatchObject({ name: 'Key', value: expect.any(String) });
		expect(second).toEqual(first);
		await free.send({ endpoint: endpoints.models });
		expect(free.requests[0].idempotencyHeader).toBeUndefined();
	});

	it('ends ten minutes after the first failure', async () => {
		const slow = () => failed({ ...busy, waitMs: 250_000 });
		const { send, requests } = retrying(slow(), slow(), slow(), slow());
		await expect(send({ maxRetries: 9 })).rejects.toThrow('soon');
		expect(requests).toHaveLength(3);
	});

	it.each([busy, refused])('does not wait for its next attempt once it is stopped: %j', async (verdict) => {
		const { send, took } = retrying(failed({ ...verdict, waitMs: 300_000 }));
		await send({ stop: AbortSignal.abort() });
		expect(took()).toBe(0);
	});

	it('ends with what earlier attempts have left behind', async () => {
		const unclear = lost({ partial: { text: 'Hel' } });
		const later = failed({ again: 'ifFree' }, { partial: { text: 'Hello' } });
		for (const [failures, text] of [
			[[unclear], 'Hel'],
			[[unclear, later], 'Hello'],
			[[later, unclear], 'Hello'],
		] as const) {
			const { send } = retrying(...failures, rejected());
			await expect(send()).rejects.toMatchObject({
				kind: 'request',
				description: expect.stringContaining('may have carried out one of the attempts'),
				charge: 'possible',
				facts: { partial: { text } },
			});
		}
		const clear = retrying(failed(busy), rejected());
		await expect(clear.send()).rejects.toMatchObject({ charge: 'none', facts: { status: 400 } });
	});
});

describe('Spend', () => {
	const withKey = { idempotencyHeader: { name: 'key', value: '1' } };
	const [paid, unpaid] = [lost(), failed({ again: 'soon' })].map((earlier) => ({ earlier }));
	const ofUtility = sending({ endpoint: utilityEndpoint('/v2/apis/news') });
	const ofList = sending({ endpoint: endpoints.models });
	const spending = (most: Partial<Spending>, ...failures: GatewayFailure[]) => {
		const spent = { ...NO_SPENDING };
		const limits = new SpendingLimits({ ...NO_SPENDING, ...most }, spent);
		const road = spend(limits)(ending(...failures).send);
		return { spent, send: async (more: object = {}) => await road({ ...sending(), ...more }, read) };
	};

	it.each<[string, Partial<Sending>, GatewayFailure | undefined, number]>([
		['a success', {}, undefined, 1],
		['what may have been charged for', {}, lost(), 1],
		['an answer that cannot be used', {}, failed({ charge: 'certain' }), 1],
		['what was not taken', {}, failed({ again: 'soon' }), 0],
		['what was rejected', {}, failed(), 0],
		['a utility of which nothing is clear', ofUtility, failed({ again: 'soon', charge: 'possible' }), 1],
		['what costs nothing', ofList, undefined, 0],
		['a repetition with a key', { ...withKey, ...paid }, undefined, 0],
		['a repetition without a key', paid, undefined, 1],
		['a repetition with a key of what was not carried out', { ...withKey, ...unpaid }, undefined, 1],
	])('counts what may have been charged for: %s', async (_what, more, failure, count) => {
		const { send, spent } = spending({ requests: 9 }, ...(failure ? [failure] : []));
		await send(more).catch((error: unknown) => expect(error).toBe(failure));
		expect(spent.requests).toBe(count);
	});

	it.each<[what: string, end: (limits: SpendingLimits, stop: AbortController) => void, message: string]>([
		['is reached', (limits) => limits.used({ tokens: 1, cost: 0 }), 'Max Total Tokens (10) is reached'],
		['cannot be kept', (limits) => limits.answered({}), 'Max Total Tokens cannot be kept'],
		['does not end, but the run', (_limits, stop) => stop.abort(), 'The execution was stopped'],
	])('does not send what still waits for its turn when Max Total Tokens %s', async (_what, end, message) => {
		const limits = new SpendingLimits({ requests: 0, tokens: 10, cost: 0 });
		const waits: Send = async ({ stop }) => {
			await new Promise((resolve) => stop!.addEventListener('abort', resolve));
			throw cancelledFailure();
		};
		const stop = new AbortController();
		const waiting = spend(limits)(waits)(sending({ stop: stop.signal }), read);
		await settled();
		limits.used({ tokens: 9, cost: 0 });
		expect(limits.reached.aborted).toBe(false);
		end(limits, stop);
		await expect(waiting).rejects.toThrow(message);
	});
});

describe('Pace', () => {
	const refused = (waitMs: number, facts = {}) =>
		failed({ again: 'afterWait', waitMs }, { status: 429, attempts: 1, ...facts }, 'rateLimit');
	/** A run whose requests end with these failures in turn; `most` of it may be in progress at once. */
	const pacing = (failures: GatewayFailure[], most?: number) => {
		const clock = new FakeClock();
		const lanes = new RunLanes(new Pacer(clock, 0), most);
		const ledger = new Ledger(clock);
		const back = jest.fn();
		const aside = jest.fn(() => back);
		const moments = () => ({ now: clock.date(), timeZone: 'UTC' });
		const layer = pace({ clock, ledger, aside, moment: moments, watch: new Watch(clock), log }, lanes);
		const { requests, send: last } = ending(...failures);
		const road = layer(last);
		const send = async (sent: Sending) => await road(sent, read);
		/** What so many requests end with, that are sent at the same time. */
		const ends = async (count = 1) => {
			const sent = Array.from({ length: count }, async () => await send(sending()));
			return await clock.run(Promise.allSettled(sent));
		};
		return { clock, lanes, ledger, layer, aside, back, requests, ends, send };
	};

	it('holds a refused request back until it may be sent again, as often as it may', async () => {
		const { send, clock, ledger, back } = pacing([refused(20_000), refused(0)]);
		jest.spyOn(clock, 'random').mockReturnValue(0);
		const sent = sending({ maxRateLimitRetries: 1 });
		const startedAt = clock.now();
		await expect(send(sent)).rejects.toMatchObject({ kind: 'rateLimit', verdict: { again: 'inTurn' } });
		expect(clock.now()).toBe(startedAt);
		const again = clock.run(send({ ...sent, attempts: 2 }));
		expect(ledger.waitsUntil).toBe(clock.date() + 20_000);
		await expect(again).rejects.toMatchObject({ kind: 'rateLimit', verdict: { again: 'never' } });
		expect([clock.now() - startedAt, ledger.waitedMs]).toEqual([20_000, 20_000]);
		expect(back).toHaveBeenCalledTimes(1);
	});

	it('does not send what must not be sent again, because somebody has seen a part of it', async () => {
		const { send } = pacing([failed({ again: 'never' }, { status: 429 }, 'rateLimit')]);
		await expect(send(sending())).rejects.toMatchObject({ verdict: { again: 'never' } });
	});

	it('gives a refused request up ten minutes after it was first sent', async () => {
		const { send, clock } = pacing([refused(250_000), refused(250_000), refused(250_000)]);
		jest.spyOn(clock, 'random').mockReturnValue(0);
		const sent = sending({ maxRateLimitRetries: 20 });
		for (const [attempts, again] of ['inTurn', 'inTurn', 'never'].entries()) {
			const ended = clock.run(send({ ...sent, attempts: attempts + 1 }));
			await expect(ended).rejects.toMatchObject({ verdict: { again } });
		}
	});

	it('sends nothing more when it is stopped in such a wait', async () => {
		const { send, clock, ledger, requests } = pacing([refused(20_000)]);
		const stop = new AbortController();
		const sent = { ...sending(), attempts: 2, stop: stop.signal };
		await expect(send(sent)).rejects.toMatchObject({ verdict: { again: 'inTurn' } });
		const again = send(sent);
		clock.pass(5_000);
		expect(ledger.waitedMs).toBe(5_000);
		stop.abort();
		await expect(clock.run(again)).rejects.toMatchObject({ kind: 'cancelled', facts: { attempts: 1 } });
		expect([requests.length, ledger.waitsUntil]).toEqual([1, undefined]);
	});

	it('gives up at once what would have to wait for too long, until the limit ends', async () => {
		const said = { gatewayMessage: 'Slow down' };
		const { send, ends, clock, requests } = pacing(Array.from({ length: 5 }, () => refused(690_000, said)));
		const first = sending();
		const message = expect.stringMatching(/^The rate limit of the gateway is reached until 22:25 /);
		const reason = { kind: 'rateLimit', message, verdict: { again: 'never', waitMs: 690_000 } };
		await expect(send(first)).rejects.toMatchObject(reason);
		for (let sent = 2; sent <= 5; sent++) expect(await ends()).toMatchObject([{ reason }]);
		const unsent = 'The rate limit of the gateway is reached until 22:25, so this item was not sent';
		expect(await ends()).toMatchObject([{ reason: { message: unsent } }]);
		await expect(clock.run(send(first))).rejects.toThrow(/ \(tried once\): Slow down$/);
		expect(requests).toHaveLength(5);
	});

	it('lets something else start while a model is refused, and knows until when', async () => {
		const { send, ends, clock, ledger, aside, back } = pacing(
			Array.from({ length: 5 }, () => refused(60_000)),
		);
		for (let sent = 1; sent <= 5; sent++) await ends();
		expect(aside).not.toHaveBeenCalled();
		const endOfLimit = clock.date() + 60_000;
		const waiting = send(sending());
		await settled();
		expect([aside.mock.calls.length, back.mock.calls.length]).toEqual([1, 0]);
		expect(ledger.waitsUntil).toBe(endOfLimit);
		await clock.run(waiting);
		expect([back.mock.calls.length, clock.date()]).toEqual([1, endOfLimit]);
	});

	it('counts the requests that cost nothing', async () => {
		const { send, ledger } = pacing([]);
		for (const endpoint of [endpoints.chatCompletions, endpoints.models, utilityEndpoint('/v2/apis/news')]) {
			await send(sending({ endpoint }));
		}
		expect([ledger.requests, ledger.free]).toEqual([3, 1]);
	});

	it('learns from what was not refused, but nothing of latencies from what was not done', async () => {
		const busy = failed({ again: 'soon' }, { status: 503 });
		const { ends, lanes } = pacing([refused(0), lost(), busy, ...Array.from({ length: 10 }, rejected)]);
		const { breaker } = lanes.of(REQUEST);
		const isUnclear = [];
		for (const count of [1, 1, 1, 10, 10]) {
			await ends(count);
			isUnclear.push([breaker.isUnclear, lanes.width]);
		}
		expect(isUnclear).toEqual([
			[true, 10],
			[true, 10],
			[true, 10],
			[false, 10],
			[false, 30],
		]);
		// Those of another lane come on top.
		lanes.of({ endpoint: endpoints.images });
		expect(lanes.width).toBe(36);
	});

	it('learns that the limit is over from an answer that breaks off, but not from a lost connection', async () => {
		const { clock, layer, ends, lanes } = pacing([refused(0)]);
		const { breaker } = lanes.of(REQUEST);
		const isUnclear = [];
		await ends();
		for (const hasBegun of [false, true]) {
			const road = layer(async (_sent, readAnswer) => {
				if (hasBegun) await readAnswer({} as Answer);
				throw failed({}, {}, 'interrupted');
			});
			await expect(clock.run(road(sending(), async () => {}))).rejects.toThrow();
			isUnclear.push(breaker.isUnclear);
		}
		expect(isUnclear).toEqual([true, false]);
	});

	it('sends as many of a run at once as the user has set, and notes their models', async () => {
		const { layer, ledger } = pacing([], 2);
		let sent = 0;
		const held: Send = async () => {
			sent += 1;
			return await new Promise(() => {});
		};
		const road = layer(held);
		for (const model of ['one', 7, 'two']) void road(sending({ json: { model } }), read);
		await settled();
		expect([sent, [...ledger.models]]).toEqual([2, ['one']]);
	});
});

describe('A download', () => {
	it('leaves the gateway alone only until it ends', async () => {
		const back = jest.fn();
		const { send } = ending(lost());
		const road = inTurn(new Gate(() => 1), () => back)(send);
		await expect(road(sending(), read)).rejects.toThrow();
		await road(sending(), read);
		expect(back).toHaveBeenCalledTimes(2);
	});
});

describe('Reach', () => {
	const addresses = { base: 'https://one.example', alternate: 'https://two.example', utilities: '' };
	const notConnected = failed({ again: 'elsewhere' });
	const both = () => sending({}, [addresses.base, addresses.alternate]);

	it('takes an address that answers, even with an error, for one that can be reached', async () => {
		const health = new AddressHealth(new FakeClock());
		const firstAfter = async (...failures: GatewayFailure[]) => {
			health.notConnected(addresses.base);
			const { send } = ending(...failures);
			await reach({ ...addresses, alternate: undefined }, health)(send)(sending(), read).catch(toFailure);
			return health.inOrder([addresses.base, addresses.alternate])[0];
		};
		expect(await firstAfter(failed({ again: 'soon' }))).toBe(addresses.alternate);
		expect(await firstAfter(failed({ again: 'soon' }, { status: 503 }))).toBe(addresses.base);
		expect(await firstAfter()).toBe(addresses.base);
	});

	it('repeats what may have been carried out only there, also if the first address is back', async () => {
		const clock = new FakeClock();
		const health = new AddressHealth(clock);
		health.notConnected(addresses.base);
		const { send, requests } = ending(lost());
		const sent = both();
		const road = reach(addresses, health)(send);
		await road(sent, read).catch(toFailure);
		clock.pass(30_000);
		await road(sent, read);
		expect(requests.map(({ urls }) => urls)).toEqual(Array(2).fill([addresses.alternate]));
	});

	it('ends with a failure that may be tried again, or stops when the run does', async () => {
		const health = new AddressHealth(new FakeClock());
		const neither = ending(notConnected, notConnected);
		const send = reach(addresses, health)(neither.send)(both(), read);
		await expect(send).rejects.toMatchObject({ verdict: { again: 'elsewhere' } });
		const stopped = ending(notConnected);
		const sent = { ...both(), stop: AbortSignal.abort() };
		await expect(reach(addresses, health)(stopped.send)(sent, read)).rejects.toThrow();
		expect(stopped.requests).toHaveLength(1);
	});

	it.each<[string, boolean]>([
		['has only other paths', true],
		['is not in the credential', false],
	])('says why it has not tried an alternate address that %s', async (_why, isKnown) => {
		const { base, utilities, alternate } = addresses;
		const all = { base, utilities, alternate: isKnown ? alternate : undefined };
		const send = reach(all, new AddressHealth(new FakeClock()))(ending(notConnected).send);
		const { description } = await send(sending(), read).catch(toFailure);
		expect(description.includes('Alternate Base URL was not tried, because')).toBe(isKnown);
	});

	it('tries the first address again with one request every 30 seconds, until one gets through', async () => {
		const clock = new FakeClock();
		const health = new AddressHealth(clock);
		const { base: one, alternate: two } = addresses;
		const firsts = (count: number) => Array.from({ length: count }, () => health.inOrder([one, two])[0]);
		health.notConnected(one);
		// What was sent before says nothing.
		health.connected(one, clock.now() - 1);
		await clock.run(clock.sleep(29_999));
		expect(firsts(1)).toEqual([two]);
		await clock.run(clock.sleep(1));
		expect(firsts(3)).toEqual([one, two, two]);
		await clock.run(clock.sleep(30_000));
		expect(firsts(2)).toEqual([one, two]);
		health.connected(one, clock.now());
		expect(firsts(2)).toEqual([one, one]);
	});
});

describe('The state of a credential', () => {
	it('has what the gateway has shown in the last hour', () => {
		const clock = new FakeClock();
		const { learned } = credentialStateOf(['learned'], 0, clock);
		learned.note('limit', 25);
		clock.pass(3_599_999);
		expect(learned.recall('limit')).toBe(25);
		clock.pass(1);
		expect(learned.recall('limit')).toBeUndefined();
	});
});

describe('The lane of a request', () => {
	const { chatCompletions, models, rerank } = endpoints;

	it.each<[string, Endpoint, unknown]>([
		['POST /v1/chat/completions gpt', chatCompletions, { model: 'gpt', messages: [] }],
		['GET /v1/rerank', { ...rerank, method: 'GET' }, undefined],
		['GET /v1/models', models, 'text'],
		['GET /v1/models', models, { model: 7 }],
		[`GET /v1/models ${'m'.repeat(185)}`, models, { model: 'm'.repeat(1000) }],
	])('is its method, its path, and its model: %s', (key, endpoint, body) => {
		expect(laneKeyOf(endpoint, body)).toBe(key);
	});
});
