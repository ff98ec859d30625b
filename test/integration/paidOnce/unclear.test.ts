import type { Rule } from '../../../emulator';
import { useFastClock } from '../faults/fastClock';
import { paidCase } from './cases';
import { PaidRun } from './paidRun';
import { markOf } from './rows';

type Fault = NonNullable<Rule['faults']>[number];

const HEADER = 'Idempotency-Key';
const cases = [
	'Chat, five at once',
	'Image with a link',
	'Speech',
	'Embed, two rows in a request',
	'Rerank of a list per row',
	'Music',
	'Voice Model',
].map(paidCase);
const PAGE: Fault = { kind: 'html', status: 502, carriedOut: true };
const CUT: Fault = { kind: 'cut', afterBytes: 3 };
const table = cases.flatMap((each) => [
	{ name: each.name, each, what: '502 of a proxy', fault: PAGE },
	{ name: each.name, each, what: 'lost connection', fault: CUT },
]);

useFastClock(50);
let run: PaidRun;
afterEach(async () => await run.close());

/** Loses the answers for row 4. */
function lose(fault: Fault, times: number | 'always', rule: Rule = {}): void {
	const faults = [{ ...fault, when: markOf(4), times }];
	run.emulator.behaviour.set(run.paidCase.route, { ...run.paidCase.rule, ...rule, faults });
}

const row4 = () => run.paid([4])[0];

describe('A paid request whose answer is lost', () => {
	it.each(table)('is not sent again by default: $name, $what', async ({ each, fault }) => {
		run = await PaidRun.of(each);
		lose(fault, 'always');
		const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
		const { error } = await run.start({}, settings);
		expect(error?.description).toContain('before you run this item again');
		expect(row4()).toBe(1);
	});

	it.each(cases)('is sent once more if the options say so: $name', async (each) => {
		run = await PaidRun.of(each);
		lose(PAGE, 1);
		await run.start({ repeatWhenUnclear: true });
		expect(row4()).toBe(each.node === 'voiceModel' ? 1 : 2);
	});

	it.each(cases)('is paid once with an idempotency key: $name', async (each) => {
		run = await PaidRun.of(each, { idempotencyHeader: HEADER });
		lose(CUT, 1, { idempotencyHeader: HEADER });
		const result = await run.start();
		expect(result.error).toBeUndefined();
		expect(run.paid()).toEqual(run.expected());
	});

	it.each(cases)('keeps its idempotency key in a retry: $name', async (each) => {
		run = await PaidRun.of(each, { idempotencyHeader: HEADER });
		lose(PAGE, 'always', { idempotencyHeader: HEADER });
		expect((await run.start({ maxRetries: 0 })).error).toBeDefined();
		lose(PAGE, 0, { idempotencyHeader: HEADER });
		const result = await run.retry();
		expect(result.error).toBeUndefined();
		expect(run.paid()).toEqual(run.expected());
	});
});
