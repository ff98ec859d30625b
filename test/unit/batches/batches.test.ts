import { Capacity, runPool } from '../../../nodes/shared/run/pool';
import { ofStatus } from '../shared/ofStatus';
import { GatewayFailure } from '../../../nodes/shared/failure/failure';
import { askInBatches, type Outcome } from '../../../nodes/batches/askInBatches';
import { seededRandom } from '../seededRandom';
import type { Call } from '../../../nodes/shared/run/call';
import { runInGroups } from '../../../nodes/batches/groups';
import type { LinkedResult } from '../../../nodes/shared/run/operation';
import { Gate } from '../../../nodes/shared/plain/turns';

const turns = async () => await new Promise((resolve) => setImmediate(resolve));
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `text ${index}`);

/** A gateway that returns the length of each text and rejects requests that contain a rejected text. */
function gatewayThatRejects(isRejected: (text: string) => boolean, status = 400) {
	const requests: string[][] = [];
	const ask = async (texts: string[]): Promise<Array<Outcome<number>>> => {
		requests.push(texts);
		await turns();
		if (texts.some(isRejected)) throw ofStatus({ status, gatewayMessage: 'no' });
		return texts.map(({ length }) => ({ value: length }));
	};
	return { ask, requests };
}

const settings = { batchSize: 100, capacity: new Capacity(() => 5), stopAtFailure: false };
const oneAtATime = { capacity: new Capacity(() => 1) };

describe('askInBatches', () => {
	it('narrows a rejection down to the texts that cause it, at any positions', async () => {
		const random = seededRandom(7);
		for (let round = 0; round < 90; round++) {
			// Some are equal.
			const texts = numbered(1 + Math.floor(random() * 60)).map((text) => text.slice(0, 6));
			const share = random();
			const rejected = new Set(texts.filter(() => random() < share));
			const { ask, requests } = gatewayThatRejects((text) => rejected.has(text), [400, 413, 422][round % 3]);
			const outcomes = await askInBatches(texts, ask, { ...settings, batchSize: 1 + (round % 30) });
			const failed = texts.filter((_, index) => 'failure' in outcomes[index]!);
			expect(new Set(failed)).toEqual(rejected);
			// Each accepted text was answered, and so paid for, once.
			const answered = requests.filter((batch) => !batch.some((text) => rejected.has(text))).flat();
			const accepted = texts.filter((text) => !rejected.has(text));
			expect(answered.filter((text) => text !== 'text').sort()).toEqual([...new Set(accepted)].sort());
		}
	});

	it('says of what fails after a division that an earlier attempt may have been charged for', async () => {
		const ask = async (texts: string[]): Promise<Array<Outcome<number>>> => {
			if (texts.length > 1) throw ofStatus({ status: 400 }, {}, { hasResult: texts.length === 4 });
			if (texts[0] === 'b') throw ofStatus({ status: 400 });
			return [{ value: 1 }];
		};
		const [one, other] = await askInBatches(['a', 'b', 'c', 'd'], ask, settings);
		expect(one).toEqual({ value: 1 });
		expect((other as { failure: GatewayFailure }).failure.isFree).toBe(false);
	});

	it('says so of what is not sent again because the run stops', async () => {
		const ask = async (texts: string[]): Promise<Array<Outcome<number>>> => {
			if (texts[0] === 'text') return [{ value: 1 }];
			throw ofStatus({ status: 400 }, {}, { hasResult: texts.length > 1 });
		};
		const outcomes = await askInBatches(['a', 'b'], ask, { ...settings, stopAtFailure: true });
		const areFree = outcomes.map((one) => (one as { failure: GatewayFailure }).failure.isFree);
		expect(areFree).toEqual([false, false]);
	});

	it('sends one additional request, not two per text, when the cause is not a text', async () => {
		const { ask, requests } = gatewayThatRejects(() => true);
		const outcomes = await askInBatches(numbered(1000), ask, settings);
		expect(outcomes.every((outcome) => outcome && 'failure' in outcome)).toBe(true);
		expect(requests).toHaveLength(11);
		expect(requests.filter(({ length }) => length === 1)).toEqual([['text']]);
	});

	const broken = () => ofStatus({ status: 500, gatewayMessage: 'unsupported value: NaN' });

	it('narrows a failure inside the gateway down as well, and asks for a sign of life in between', async () => {
		const random = seededRandom(9);
		for (let round = 0; round < 60; round++) {
			const texts = numbered(2 + Math.floor(random() * 60));
			const bad = new Set(texts.filter(() => random() < 0.05));
			let failures = 0;
			let probes = 0;
			const ask = async (some: string[]): Promise<Array<Outcome<number>>> => {
				if (some[0] === 'text') probes += 1;
				await turns();
				if (!some.some((text) => bad.has(text))) return some.map(({ length }) => ({ value: length }));
				failures += 1;
				throw broken();
			};
			const outcomes = await askInBatches(texts, ask, { ...settings, batchSize: 1 + (round % 30) });
			expect(new Set(texts.filter((_, index) => 'failure' in outcomes[index]!))).toEqual(bad);
			expect(probes).toBeLessThanOrEqual(failures);
		}
	});

	it('divides nothing once a gateway that has answered before is down', async () => {
		let requests = 0;
		const ask = async (some: string[]): Promise<Array<Outcome<number>>> =>
			++requests <= 3 ? some.map(() => ({ value: 1 })) : await Promise.reject(broken());
		const outcomes = await askInBatches(numbered(100), ask, { ...settings, ...oneAtATime, batchSize: 10 });
		expect(outcomes.filter((one) => one && 'failure' in one)).toHaveLength(70);
		// The first failing batch is divided once; each later one has one harmless text.
		expect(requests).toBeLessThanOrEqual(3 + 2 + 2 * 7 + 2);
	});

	it.each([429, 503])(
		'divides nothing if the gateway has no answer to a harmless text: %i',
		async (status) => {
			let requests = 0;
			const ask = async ([text]: string[]) => {
				requests += 1;
				return await Promise.reject(ofStatus({ status: text === 'text' ? status : 400 }));
			};
			const outcomes = await askInBatches(numbered(8), ask, settings);
			expect(outcomes).toHaveLength(8);
			expect(requests).toBe(2);
		},
	);

	it.each([
		['a status that no text causes', ofStatus({ status: 401 })],
		['a web page, whatever its status', ofStatus({ status: 404 }, {}, { isWebPage: true })],
		['no status', new GatewayFailure('request', 'Rejected', '')],
		['a rate limit, whatever its status', new GatewayFailure('rateLimit', 'Later', '', { status: 400 })],
		['a rate limit that is an error inside', new GatewayFailure('rateLimit', 'Later', '', { status: 500 })],
		['trouble in front of the gateway', ofStatus({ status: 502 })],
	])('fails a whole batch, and no other, after %s', async (_what, failure) => {
		let requests = 0;
		const ask = async (texts: string[]) => {
			requests += 1;
			return texts.includes('c') ? await Promise.reject(failure) : texts.map(() => ({ value: 1 }));
		};
		const outcomes = await askInBatches(['a', 'b', 'c', 'd'], ask, { ...settings, batchSize: 2 });
		expect(requests).toBe(2);
		expect(outcomes).toEqual([{ value: 1 }, { value: 1 }, { failure }, { failure }]);
	});

	it('sends nothing more after a failure when the run stops at the first one', async () => {
		const { ask, requests } = gatewayThatRejects((text) => text === 'a');
		const stopping = { ...settings, ...oneAtATime, batchSize: 4, stopAtFailure: true };
		await askInBatches(['a', 'b', 'c', 'd', 'e'], ask, stopping);
		expect(requests).toEqual([['a', 'b', 'c', 'd'], ['text'], ['a', 'b'], ['a']]);
	});

	it('sends nothing after the failure of an earlier try when the run stops at the first one', async () => {
		const { ask, requests } = gatewayThatRejects(() => false);
		const failure = ofStatus({ status: 502 });
		const known = {
			find: async (text: string) => (text === 'a' ? { failure } : undefined),
			keep: async () => {},
			failed: async () => {},
		};
		const stopping = { ...settings, ...oneAtATime, batchSize: 2, stopAtFailure: true };
		const outcomes = await askInBatches(['a', 'b', 'c'], ask, stopping, known);
		expect([outcomes, requests]).toEqual([[{ failure }, undefined, undefined], []]);
		await askInBatches(['a', 'b', 'c'], ask, { ...stopping, stopAtFailure: false }, known);
		expect(requests).toEqual([['b'], ['c']]);
	});

	it('finds one rejected text of 1,000 with few additional requests', async () => {
		const { ask, requests } = gatewayThatRejects((text) => text === 'text 537');
		await askInBatches(numbered(1000), ask, settings);
		expect(requests.length).toBeLessThanOrEqual(10 + 2 * 7);
	});

	it('sends no additional request once the gateway has accepted something', async () => {
		const { ask, requests } = gatewayThatRejects((text) => text === 'text 3');
		await askInBatches(numbered(4), ask, { ...settings, ...oneAtATime, batchSize: 2 });
		expect(requests).toEqual([['text 0', 'text 1'], ['text 2', 'text 3'], ['text 2'], ['text 3']]);
	});

	it.each([
		['accepted', { value: 1 }, [['b', 'c'], ['b'], ['c']]],
		['refused', { failure: ofStatus({ status: 400 }) }, [['b', 'c'], ['text'], ['b'], ['c']]],
	])('counts what an earlier try had %s for that as well', async (_what, outcome, expected) => {
		const { ask, requests } = gatewayThatRejects((text) => text === 'c');
		const known = {
			find: async (text: string) => await Promise.resolve(text === 'a' ? outcome : undefined),
			keep: async () => {},
			failed: async () => {},
		};
		await askInBatches(['a', 'b', 'c'], ask, { ...settings, ...oneAtATime }, known);
		expect(requests).toEqual(expected);
	});
});

describe('A gateway that takes only 25 texts in one request', () => {
	it.each([
		['batch size is invalid, it should not be larger than 25.', [25], 1 + 20],
		['The request has too many tokens', [], 36],
	])('and says "%s" has the limits %j after %i requests', async (gatewayMessage, expected, most) => {
		const limits: number[] = [];
		let requests = 0;
		const ask = async (texts: string[]): Promise<Array<Outcome<number>>> => {
			requests += 1;
			if (texts.length > 25) throw ofStatus({ status: 400, gatewayMessage });
			return texts.map(({ length }) => ({ value: length }));
		};
		const onLimit = (limit: number) => void limits.push(limit);
		const outcomes = await askInBatches(numbered(500), ask, { ...settings, ...oneAtATime, onLimit });
		expect(outcomes.every((one) => one && 'value' in one)).toBe(true);
		expect({ limits, requests }).toEqual({ limits: expected, requests: most });
	});

	it.each([9, 4])('does not take a limit of %i for that of a request with 4 texts', async (limit) => {
		const limits: number[] = [];
		const requests: number[] = [];
		const ask = async (texts: string[]): Promise<Array<Outcome<number>>> => {
			requests.push(texts.length);
			if (texts.length > 2) throw ofStatus({ status: 400, gatewayMessage: `The maximum is ${limit} texts` });
			return texts.map(({ length }) => ({ value: length }));
		};
		const onLimit = (most: number) => void limits.push(most);
		await askInBatches(numbered(4), ask, { ...settings, onLimit });
		expect({ limits, requests }).toEqual({ limits: [], requests: [4, 1, 2, 2] });
	});

	it('has the texts of another request divided that were too many for the limit it names meanwhile', async () => {
		const requests: number[] = [];
		const ask = async (texts: string[]): Promise<Array<Outcome<number>>> => {
			requests.push(texts.length);
			await turns();
			const gatewayMessage = texts.includes('text 0') ? 'Too large' : 'The maximum is 2 texts';
			if (texts.length > 2) throw ofStatus({ status: 400, gatewayMessage });
			return texts.map(({ length }) => ({ value: length }));
		};
		await askInBatches(numbered(16), ask, { ...settings, batchSize: 8 });
		expect(requests.sort((one, other) => other - one)).toEqual([8, 8, 2, 2, 2, 2, 2, 2, 2, 2, 1]);
	});

	it('keeps the smallest limit that it says for requests in progress', async () => {
		const limits: number[] = [];
		const ask = async (texts: string[]): Promise<Array<Outcome<number>>> => {
			await new Promise((resolve) => setImmediate(resolve));
			const limit = texts.includes('text 0') ? 25 : 50;
			if (texts.length > 25) throw ofStatus({ status: 400, gatewayMessage: `The maximum is ${limit} texts` });
			return texts.map(({ length }) => ({ value: length }));
		};
		const onLimit = (limit: number) => void limits.push(limit);
		await askInBatches(numbered(200), ask, { ...settings, onLimit });
		expect(limits).toEqual([25]);
	});
});

const failure = new GatewayFailure('input', 'Bad', '');

/** Runs items with these settings: `bad` ones cannot be used, and the requests of `lost` ones fail. */
async function runGroups(keys: string[], stops: boolean) {
	const asked: number[][] = [];
	const fails = (results: LinkedResult[]) => results.some((one) => 'failure' in one);
	const pool = { ...oneAtATime, stopsAt: stops ? fails : undefined };
	const calls = keys.map((key, itemIndex) => ({ itemIndex, key, pool }));
	const ended = await runInGroups(calls as unknown as Call[], {
		read: (call) => {
			const job = call as unknown as (typeof calls)[number];
			if (job.key === 'bad') throw failure;
			return job;
		},
		keyOf: ({ key }) => key,
		run: async (jobs) => {
			asked.push(jobs.map(({ itemIndex }) => itemIndex));
			return jobs.map(({ itemIndex: from, key }) => (key === 'lost' ? { from, failure } : done(from)));
		},
	});
	return { asked, ...ended };
}
const done = (from: number): LinkedResult => ({ from, json: {} });

describe('Items that share requests', () => {
	it('fail alone if their parameters cannot be used', async () => {
		expect(await runGroups(['a', 'bad', 'a'], false)).toEqual({
			asked: [[0, 2]],
			groups: 1,
			results: [done(0), done(2), { from: 1, failure }],
		});
	});

	it('are not sent at all if one cannot be used and the run stops at failures', async () => {
		const results = [{ from: 1, failure }];
		expect(await runGroups(['a', 'bad'], true)).toEqual({ asked: [], groups: 0, results });
	});

	it('start no further group after a failure if the run stops at failures', async () => {
		const [keys, results] = [
			['a', 'lost', 'c'],
			[done(0), { from: 1, failure }],
		];
		expect(await runGroups(keys, true)).toEqual({ asked: [[0], [1]], groups: 3, results });
		results.push(done(2));
		expect(await runGroups(keys, false)).toEqual({ asked: [[0], [1], [2]], groups: 3, results });
	});
});

/** Work that ends when the test says so. */
function heldWork() {
	const ends: Array<() => void> = [];
	const started: number[] = [];
	const worker = async (_entry: unknown, index: number) => {
		started.push(index);
		await new Promise<void>((resolve) => (ends[index] = resolve));
		return index;
	};
	/** Ends some work, and returns what has started after that. */
	const startedAfter = async (...indexes: number[]) => {
		for (const index of indexes) ends[index]();
		await turns();
		await turns();
		return started;
	};
	return { started, worker, startedAfter };
}

const entries = (count: number) => new Array<undefined>(count).fill(undefined);
const of = (width: number) => new Capacity(() => width);

describe('runPool', () => {
	it('starts nothing more after a result that ends it, also if another one follows', async () => {
		const { worker, startedAfter } = heldWork();
		const pool = runPool(entries(3), worker, { capacity: of(2), stopsAt: (result) => result === 0 });
		expect(await startedAfter()).toEqual([0, 1]);
		expect(await startedAfter(0, 1)).toEqual([0, 1]);
		await expect(pool).resolves.toEqual([0, 1, undefined]);
	});

	it('starts the next entry when one ends, or is set aside', async () => {
		const { worker, startedAfter } = heldWork();
		const capacity = of(1);
		const run = async (entry: undefined, index: number) =>
			await worker(entry, index).finally(index === 0 ? capacity.setAside() : undefined);
		const pool = runPool(entries(4), run, { capacity });
		expect(await startedAfter()).toEqual([0, 1]);
		expect(await startedAfter(1)).toEqual([0, 1, 2]);
		expect(await startedAfter(0)).toEqual([0, 1, 2]);
		await startedAfter(2);
		await startedAfter(3);
		await expect(pool).resolves.toEqual([0, 1, 2, 3]);
	});

	it.each([
		[99, 102],
		[100, 103],
		[150, 103],
	])('starts at most 100 entries beyond its width of three: %i are set aside', async (aside, count) => {
		const { worker, started, startedAfter } = heldWork();
		const capacity = of(3);
		const backs = Array.from({ length: aside }, () => capacity.setAside());
		const pool = runPool(entries(200), worker, { capacity });
		// Only a few start in one turn.
		for (let turn = 0; turn < 50; turn++) await turns();
		expect(started).toHaveLength(count);
		for (const back of backs) back();
		for (let index = 0; index < 200; index++) await startedAfter(index);
		await pool;
	});
});

describe('Gate', () => {
	it('lets in what comes first, as much at once as its width at the moment, but at least one', async () => {
		let width = 1;
		const gate = new Gate(() => width);
		const { worker, startedAfter } = heldWork();
		const all = [0, 1, 2, 3, 4].map(async (index) => {
			await gate.enter();
			await worker(0, index);
			gate.leave();
		});
		expect(await startedAfter()).toEqual([0]);
		width = 3.7;
		expect(await startedAfter(0)).toEqual([0, 1, 2, 3]);
		width = 0;
		expect(await startedAfter(1, 2)).toEqual([0, 1, 2, 3]);
		expect(await startedAfter(3)).toEqual([0, 1, 2, 3, 4]);
		await startedAfter(4);
		await Promise.all(all);
	});
});
