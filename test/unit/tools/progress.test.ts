import { step } from '../../../tools/host/progress';

let printed: string[];
const isTTY = process.stdout.isTTY;

beforeEach(() => {
	jest.useFakeTimers();
	printed = [];
	jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
		printed.push(String(text).trimEnd());
		return true;
	});
});
afterEach(() => {
	jest.useRealTimers();
	jest.restoreAllMocks();
	process.stdout.isTTY = isTTY;
});

const lasts = (milliseconds: number) => () =>
	new Promise<void>((resolve) => void setTimeout(resolve, milliseconds));
/** What was printed; on a terminal, without the control characters that rewrite a line. */
const lines = () => printed.filter((text) => text.startsWith('  '));

describe('A step', () => {
	it('shows a figure that moves every second on a terminal', async () => {
		process.stdout.isTTY = true;
		const ended = step('Installing', lasts(2500));
		await jest.advanceTimersByTimeAsync(2500);
		await ended;
		expect(lines()).toEqual([
			'  Installing …',
			'  Installing … 1.0 s',
			'  Installing … 2.0 s',
			'  Installing … done, 2.5 s',
		]);
	});

	it('ends with its outcome, or with its failure', async () => {
		process.stdout.isTTY = false;
		await step('Counting', async () => 5, { outcome: (items) => `${items} items,` });
		const failing = step('Failing', async () => await Promise.reject(new Error('reason')));
		await expect(failing).rejects.toThrow('reason');
		expect(lines()).toEqual(['  Counting … 5 items, 0 ms', '  Failing … failed after 0 ms']);
	});
});
