import { Capacity } from '../../../nodes/shared/run/pool';
import { statusFailure, webPageFailure } from '../../../nodes/shared/errors/statusFailure';
import { GatewayFailure } from '../../../nodes/shared/errors/gatewayFailure';
import { askInBatches, chunk, type KnownTexts, type Outcome } from '../../../nodes/shared/run/askInBatches';
import { seededRandom } from '../seededRandom';

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `text ${index}`);

/** A response takes longer than requests that start in consecutive turns of the event loop. */
async function responseTime() {
	for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** A gateway that returns the length of each text and rejects requests that contain a rejected text. */
function gatewayThatRejects(isRejected: (text: string) => boolean, status = 400) {
	const requests: string[][] = [];
	let inProgress = 0;
	let maximum = 0;
	const ask = async (texts: string[]): Promise<Array<Outcome<number>>> => {
		requests.push(texts);
		inProgress += 1;
		maximum = Math.max(maximum, inProgress);
		await responseTime();
		inProgress -= 1;
		if (texts.some(isRejected)) throw statusFailure({ status, gatewayMessage: 'no' });
		return texts.map(({ length }) => ({ value: length }));
	};
	return { ask, requests, maxInProgress: () => maximum };
}

const settings = { batchSize: 100, capacity: new Capacity(() => 5), stopAtFailure: false };
const oneAtATime = { capacity: new Capacity(() => 1) };

describe('askInBatches', () => {
	it('sends 1,000 texts in 10 requests, at most five at once, and returns the outcomes in order', async () => {
		const { ask, requests, maxInProgress } = gatewayThatRejects(() => false);
		const texts = numbered(1000);
		const outcomes = await askInBatches(texts, ask, settings);
		expect(outcomes).toEqual(texts.map(({ length }) => ({ value: length })));
		expect(requests.map(({ length }) => length)).toEqual(Array(10).fill(100));
		expect(maxInProgress()).toBe(5);
	});

	it('sends equal texts once', async () => {
		const { ask, requests } = gatewayThatRejects(() => false);
		const outcomes = await askInBatches(['a', 'bb', 'a', 'a'], ask, settings);
		expect(outcomes).toEqual([1, 2, 1, 1].map((value) => ({ value })));
		expect(requests).toEqual([['a', 'bb']]);
	});

	it('narrows a rejection down to the texts that cause it, at any positions', async () => {
		const random = seededRandom(7);
		for (let round = 0; round < 90; round++) {
			const texts = numbered(1 + Math.floor(random() * 60));
			const share = random();
			const rejected = new Set(texts.filter(() => random() < share));
			const { ask, requests } = gatewayThatRejects((text) => rejected.has(text), [400, 413, 422][round % 3]);
			const outcomes = await askInBatches(texts, ask, { ...settings, batchSize: 1 + (round % 30) });
			const failed = texts.filter((_, index) => 'failure' in outcomes[index]!);
			expect(new Set(failed)).toEqual(rejected);
			// Each accepted text was answered, and so paid for, once.
			const answered = requests.filter((batch) => !batch.some((text) => rejected.has(text))).flat();
			expect(answered.filter((text) => text !== 'text')).toHaveLength(texts.length - rejected.size);
		}
	});

	it('finds one rejected text of 1,000 with few additional requests', async () => {
		const { ask, requests } = gatewayThatRejects((text) => text === 'text 537');
		await askInBatches(numbered(1000), ask, settings);
		expect(requests.length).toBeLessThanOrEqual(10 + 2 * 7);
	});

	it('sends one additional request, not two per text, when the cause is not a text', async () => {
		const { ask, requests } = gatewayThatRejects(() => true);
		const outcomes = await askInBatches(numbered(1000), ask, settings);
		expect(outcomes.every((outcome) => outcome && 'failure' in outcome)).toBe(true);
		expect(requests).toHaveLength(11);
		expect(requests.filter(({ length }) => length === 1)).toEqual([['text']]);
	});

	it('fails a whole batch, and no other, after a failure that no single text can cause', async () => {
		const { ask, requests } = gatewayThatRejects((text) => text === 'text 150', 401);
		const outcomes = await askInBatches(numbered(300), ask, settings);
		expect(requests).toHaveLength(3);
		expect(outcomes.map((outcome) => 'failure' in outcome!)).toEqual(
			numbered(300).map((_, index) => index >= 100 && index < 200),
		);
	});

	it('sends no additional request once the gateway has accepted something', async () => {
		const { ask, requests } = gatewayThatRejects((text) => text === 'text 3');
		await askInBatches(numbered(4), ask, { ...settings, ...oneAtATime, batchSize: 2 });
		expect(requests).toEqual([['text 0', 'text 1'], ['text 2', 'text 3'], ['text 2'], ['text 3']]);
	});

	it('narrows a rejection down if the additional request fails for another reason', async () => {
		const gateway = gatewayThatRejects((text) => text === 'b');
		const ask = async (texts: string[]) => {
			if (texts[0] === 'text') throw statusFailure({ status: 503 });
			return await gateway.ask(texts);
		};
		const outcomes = await askInBatches(['a', 'b'], ask, settings);
		expect(outcomes.map((outcome) => 'value' in outcome!)).toEqual([true, false]);
	});

	it.each([
		['a status that no text causes', statusFailure({ status: 409 })],
		['a web page, whatever its status', webPageFailure('https://gateway.example/', { status: 400 })],
		['no status', new GatewayFailure('request', 'Rejected', '')],
	])('does not narrow down %s', async (_what, failure) => {
		let requests = 0;
		const ask = async () => {
			requests += 1;
			return await Promise.reject(failure);
		};
		const outcomes = await askInBatches(['a', 'b'], ask, settings);
		expect(requests).toBe(1);
		expect(outcomes).toEqual([{ failure }, { failure }]);
	});

	it('sends nothing more after a failure when the run stops at the first one', async () => {
		const { ask, requests } = gatewayThatRejects((text) => text === 'text 0', 401);
		const outcomes = await askInBatches(numbered(1000), ask, {
			...settings,
			capacity: new Capacity(() => 2),
			stopAtFailure: true,
		});
		expect(requests).toHaveLength(2);
		expect(outcomes.filter((outcome) => outcome === undefined)).toHaveLength(800);
	});
});

describe('Known texts', () => {
	/** What earlier tries have learned, by text. */
	function memory(known: Record<string, number> = {}): KnownTexts<number> & { values: Map<string, number> } {
		const values = new Map(Object.entries(known));
		return {
			values,
			async find(text) {
				const value = values.get(text);
				return value === undefined ? undefined : { value };
			},
			async keep(text, value) {
				values.set(text, value);
			},
			async failed() {},
		};
	}

	it('are not asked about, and leave their request without filling it up', async () => {
		const { ask, requests } = gatewayThatRejects(() => false);
		const known = memory({ b: 20, c: 30, d: 40 });
		const outcomes = await askInBatches(
			['a', 'b', 'c', 'd', 'e'],
			ask,
			{ ...settings, ...oneAtATime, batchSize: 2 },
			known,
		);
		expect(outcomes).toEqual([1, 20, 30, 40, 1].map((value) => ({ value })));
		expect(requests).toEqual([['a'], ['e']]);
	});

	it('are not looked up any more once the run has stopped', async () => {
		const { ask } = gatewayThatRejects((text) => text === 'a', 401);
		const known = memory();
		const find = jest.spyOn(known, 'find');
		const stopping = { ...oneAtATime, batchSize: 1, stopAtFailure: true };
		await askInBatches(['a', 'b', 'c'], ask, stopping, known);
		expect(find.mock.calls).toEqual([['a']]);
	});

	it('are those that have succeeded, and no others', async () => {
		const { ask } = gatewayThatRejects((text) => text === 'bb');
		const known = memory();
		await askInBatches(['a', 'bb', 'ccc'], ask, settings, known);
		expect([...known.values]).toEqual([
			['a', 1],
			['ccc', 3],
		]);
	});

	it('are paid for once, whatever fails in earlier tries', async () => {
		const random = seededRandom(23);
		for (let round = 0; round < 100; round++) {
			const texts = numbered(1 + Math.floor(random() * 40));
			const known = memory();
			const answered: string[] = [];
			const ask = async (batch: string[]): Promise<Array<Outcome<number>>> => {
				if (random() < 0.4) throw statusFailure({ status: [401, 429, 503][round % 3] });
				answered.push(...batch);
				return batch.map(({ length }) => ({ value: length }));
			};
			const size = { ...settings, batchSize: 1 + (round % 9), stopAtFailure: round % 2 === 0 };
			for (let tries = 0; known.values.size < texts.length; tries++) {
				expect(tries).toBeLessThan(1_000);
				await askInBatches(texts, ask, size, known);
			}
			expect(answered.sort()).toEqual([...texts].sort());
		}
	});

	it('do not prevent a harmless text from being tried first', async () => {
		const { ask, requests } = gatewayThatRejects(() => true);
		await askInBatches(['a', 'b', 'c'], ask, settings, memory({ a: 1 }));
		expect(requests).toEqual([['b', 'c'], ['text']]);
	});
});

describe('chunk', () => {
	it.each([
		[0, 3, []],
		[5, 2, [2, 2, 1]],
		[4, 4, [4]],
		[3, 0.5, [1, 1, 1]],
	])('splits %i entries into lists of %d', (count, size, lengths) => {
		expect(chunk(numbered(count), size).map(({ length }) => length)).toEqual(lengths);
	});
});

describe('A gateway that takes only some texts in one request', () => {
	it('is taken at its word', async () => {
		const limits: number[] = [];
		const requests: number[] = [];
		const ask = async (texts: string[]): Promise<Array<Outcome<number>>> => {
			requests.push(texts.length);
			const gatewayMessage = 'batch size is invalid, it should not be larger than 25.';
			if (texts.length > 25) throw statusFailure({ status: 400, gatewayMessage });
			return texts.map(({ length }) => ({ value: length }));
		};
		const onLimit = (most: number) => void limits.push(most);
		const outcomes = await askInBatches(numbered(500), ask, { ...settings, ...oneAtATime, onLimit });
		expect(outcomes.every((one) => one && 'value' in one)).toBe(true);
		expect(requests).toEqual([100, ...Array<number>(20).fill(25)]);
		expect(limits).toEqual([25]);
	});

	it.each([
		['No', [25], 24],
		['The request has too many tokens', [], 36],
	])('and says only "%s" shows it with two rejections', async (gatewayMessage, expected, most) => {
		const limits: number[] = [];
		let requests = 0;
		const ask = async (texts: string[]): Promise<Array<Outcome<number>>> => {
			requests += 1;
			if (texts.length > 25) throw statusFailure({ status: 400, gatewayMessage });
			return texts.map(({ length }) => ({ value: length }));
		};
		const onLimit = (limit: number) => void limits.push(limit);
		await askInBatches(numbered(500), ask, { ...settings, ...oneAtATime, onLimit });
		expect({ limits, requests }).toEqual({ limits: expected, requests: most });
	});
});
