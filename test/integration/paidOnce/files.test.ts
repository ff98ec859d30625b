import { deleteFilesOf } from '../engine/retry';
import { paidCase } from './cases';
import { outputOf, PaidRun, referenceOutput } from './paidRun';
import { type PaidCase, ROWS } from './rows';

const TRACKS = 'GET /__emulator/files/music/*';
const IMAGES = 'GET /__emulator/files/images/*';
const PAID_AGAIN = /no longer exist in n8n and had no link, so they were generated and paid for again/;

/** A small one is kept with the execution, without a file. */
const LARGE: PaidCase = {
	...paidCase('Image without a link'),
	name: 'Large image without a link',
	rule: { images: { answerAs: 'b64_json', fileBytes: 400_000 } },
};

let run: PaidRun;
afterEach(async () => await run.close());

/** A run in which row 4 failed and whose files were deleted afterwards. */
async function failedWithoutFiles(name: string): Promise<number[]> {
	run = await PaidRun.of(name === LARGE.name ? LARGE : paidCase(name));
	run.refuse(4);
	expect((await run.start()).error).toBeDefined();
	await deleteFilesOf(run.executionId);
	run.accept();
	return run.paid();
}

describe('Retry after n8n has deleted the files', () => {
	it.each([
		['Image with a link', IMAGES],
		['Music with files', TRACKS],
	])('downloads those of %s again, which is not paid for again', async (name, files) => {
		await failedWithoutFiles(name);
		const downloads = run.emulator.journal.count(files);
		const retried = await run.retry();
		expect(retried.error).toBeUndefined();
		expect(run.paid()).toEqual(run.expected());
		expect(run.emulator.journal.count(files) - downloads).toBe(retried.items.length);
		expect(await outputOf(retried, run.paidCase)).toEqual(await referenceOutput(run.paidCase));
		expect(retried.hints.join()).not.toMatch(PAID_AGAIN);
	});

	it.each([LARGE.name, 'Speech', 'Speech in two parts, joined', 'Speech in two parts, an item each'])(
		'pays for those of %s again, because they have no link, and says so',
		async (name) => {
			const before = await failedWithoutFiles(name);
			const retried = await run.retry();
			expect(retried.error).toBeUndefined();
			expect(run.paid()).toEqual(ROWS.map((_row, index) => before[index] + run.expected()[index]));
			expect(await outputOf(retried, run.paidCase)).toEqual(await referenceOutput(run.paidCase));
			expect(retried.hints.join()).toMatch(PAID_AGAIN);
		},
	);
});

describe('Retry of a text that was spoken in parts', () => {
	it('sends only the part that was refused', async () => {
		run = await PaidRun.of(paidCase('Speech in two parts, joined'));
		run.refuse(4);
		await run.start({ parallelRequests: 1 });
		run.accept();
		run.emulator.journal.clear();
		expect((await run.retry()).error).toBeUndefined();
		const texts = run.emulator.journal.entries().map(({ body }) => (body as { input: string }).input);
		expect(texts.filter((text) => text.includes('Row4-'))).toEqual(['The Row4-fox sprang over the hill.']);
	});
});

describe('Retry of songs', () => {
	it('asks for the same tasks when the queries failed', async () => {
		run = await PaidRun.of(paidCase('Music'));
		run.emulator.behaviour.set('GET /v1/music/tasks/*', {
			faults: [{ kind: 'status', status: 403, times: 'always' }],
		});
		expect((await run.start()).error).toBeDefined();
		run.emulator.behaviour.set('GET /v1/music/tasks/*', {});
		const retried = await run.retry();
		expect(retried.error).toBeUndefined();
		expect(run.paid()).toEqual(run.expected());
		expect(run.emulator.tasks.all()).toHaveLength(7);
	});

	it('waits on for songs that were not finished in time', async () => {
		run = await PaidRun.of({
			...paidCase('Music'),
			rule: { music: { pendingMs: 0, processingMs: 90_000 } },
			options: { maxWaitMinutes: 1 },
		});
		run.refuse(4);
		expect((await run.start()).error).toBeDefined();
		run.emulator.behaviour.set(run.paidCase.route, { music: { pendingMs: 0, processingMs: 5_000 } });
		const retried = await run.retry();
		expect(retried.error).toBeUndefined();
		expect(run.paid()).toEqual(run.expected());
		expect(retried.items).toHaveLength(14);
	});

	it('submits a song again only if the gateway failed to make it', async () => {
		const music = { pendingMs: 0, processingMs: 5_000 };
		run = await PaidRun.of({ ...paidCase('Music'), rule: { music: { ...music, failWhen: 'Row4-' } } });
		expect((await run.start()).error).toBeDefined();
		run.emulator.behaviour.set(run.paidCase.route, { music });
		expect((await run.retry()).error).toBeUndefined();
		expect(run.paid()).toEqual(run.expected({ 4: 2 }));
	});
});
