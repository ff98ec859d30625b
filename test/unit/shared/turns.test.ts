import { inTurns, nextTurn, Turns } from '../../../nodes/shared/plain/turns';
import { countTurns } from '../countTurns';

describe('Long work', () => {
	let time: number;
	beforeEach(() => {
		time = 0;
		jest.spyOn(performance, 'now').mockImplementation(() => time);
	});
	afterEach(() => jest.restoreAllMocks());

	it('has turns of eight milliseconds', async () => {
		const turns = new Turns();
		time = 8;
		expect(turns.isOver).toBe(false);
		time = 8.1;
		expect(turns.isOver).toBe(true);
		await turns.next();
		expect(turns.isOver).toBe(false);
		time = 16.2;
		expect(turns.isOver).toBe(true);
	});

	it('continues in another turn of the event loop', async () => {
		let others = 0;
		setImmediate(() => (others += 1));
		const turns = new Turns();
		for (let turn = 0; turn < 5; turn++) await turns.next();
		await nextTurn();
		expect(others).toBe(1);
	});

	it('shares the event loop with other long work, each in a turn of its own and in the order in which it asked', async () => {
		const order: string[] = [];
		let turn = 0;
		const count = () => {
			turn += 1;
			timer = setImmediate(count);
		};
		let timer = setImmediate(count);
		const work = async (name: string) => {
			const turns = new Turns();
			for (let step = 0; step < 3; step++) {
				await turns.next();
				order.push(name);
				seen.push(turn);
			}
		};
		const seen: number[] = [];
		await Promise.all([work('a'), work('b'), work('c')]);
		clearImmediate(timer);
		expect(order.join('')).toBe('abcabcabc');
		expect(new Set(seen).size).toBeGreaterThan(6);
	});

	it('can be a generator, whose result it returns', async () => {
		jest.restoreAllMocks();
		let steps = 0;
		const work = function* (): Generator<void, string> {
			for (; steps < 20; steps++) yield;
			return 'done';
		};
		let result: string | undefined;
		const turns = await countTurns(async () => (result = await inTurns(work())));
		expect([result, steps]).toEqual(['done', 20]);
		expect(turns).toBeGreaterThan(10);
	});

	it('stays in its turn if it is short', async () => {
		let others = 0;
		setImmediate(() => (others += 1));
		const work = function* (): Generator<void, void> {
			for (let step = 0; step < 20; step++) yield;
		};
		await inTurns(work());
		expect(others).toBe(0);
	});
});
