/**
 * How many turns of the event loop some work takes if it finds at each of its checks that its turn is over, however
 * fast the machine is.
 */
export async function countTurns(work: () => Promise<unknown>): Promise<number> {
	let time = 0;
	const clock = jest.spyOn(performance, 'now').mockImplementation(() => (time += 1000));
	let turns = 0;
	let timer = setImmediate(function count() {
		turns += 1;
		timer = setImmediate(count);
	});
	try {
		await work();
		return turns;
	} finally {
		clearImmediate(timer);
		clock.mockRestore();
	}
}
