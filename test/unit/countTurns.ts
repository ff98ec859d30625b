/**
 * Returns the number of turns of the event loop that some work takes if each of its checks finds that its turn is over.
 * The speed of the machine does not matter.
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
