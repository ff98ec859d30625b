import { PAID, ResumableBatch, sourceRows } from './resumableBatch';
import { useServer } from './useServer';
import { describeSince, WITH_TABLES } from './versions';

const n8n = useServer();
const batch = new ResumableBatch(n8n);

/** Kills n8n with all its processes while the gateway works on an image, and starts it again. */
async function crash(): Promise<void> {
	await Promise.all([n8n.server, ...n8n.workers].map((server) => server.kill()));
	await n8n.restart();
}

/** The table as `{ row: status }`. */
async function statuses(): Promise<Record<string, string>> {
	return Object.fromEntries((await batch.recorded()).map(({ row, status }) => [row, status]));
}

describeSince(WITH_TABLES)('Example "Resumable batch"', () => {
	it('continues after a crash, and pays again only for the image that was under way', async () => {
		const rows = sourceRows(8);
		await batch.use(rows);
		n8n.emulator.behaviour.set(PAID, { latencyMs: 400 });
		await batch.start();
		await n8n.emulator.journal.until(4, PAID, 60_000);
		await crash();

		const before = await batch.recorded();
		expect(before.length).toBeGreaterThanOrEqual(3);
		expect(before.length).toBeLessThan(8);
		const underWay = batch.paidPrompts().length - before.length;
		expect([0, 1]).toContain(underWay);

		expect(await batch.run()).toBe('success');
		expect(await statuses()).toEqual(Object.fromEntries(rows.map(({ name }) => [name, 'done'])));
		for (const { link } of await batch.recorded()) expect(link).toMatch(/^http.*\.png$/);
		expect(batch.paidPrompts()).toHaveLength(rows.length + underWay);
		expect(new Set(batch.paidPrompts()).size).toBe(rows.length);
	});

	it('pays nothing when all rows are done', async () => {
		await batch.use(sourceRows(8));
		expect(await batch.run()).toBe('success');
		expect(batch.paidPrompts()).toEqual([]);
	});

	it('generates new and changed rows, and repeated rows once', async () => {
		const [first, ...others] = sourceRows(9);
		const changed = { ...first, prompt: 'Image 1 in blue' };
		await batch.use([changed, ...others, changed]);
		expect(await batch.run()).toBe('success');
		expect(batch.paidPrompts()).toEqual(['Image 1 in blue', 'Image 9']);
	});

	it.each([1, 3])('records failed rows and tries them again in the next run, Batch Size %d', async (size) => {
		const rows = sourceRows(6).map(({ name, prompt }) => ({ name: `${name}-${size}`, prompt: `${prompt}.` }));
		await batch.use(rows, size);
		n8n.emulator.behaviour.set(PAID, {
			faults: [{ kind: 'status', status: 400, when: 'Image 2.', times: 1 }],
		});
		expect(await batch.run()).toBe('success');
		const failed = (await batch.recorded()).filter(({ status }) => status === 'failed');
		expect(failed).toMatchObject([{ row: `row-2-${size}`, prompt: 'Image 2.', link: '' }]);
		expect(failed[0].reason.length).toBeGreaterThan(20);

		n8n.emulator.journal.clear();
		expect(await batch.run()).toBe('success');
		expect(batch.paidPrompts()).toEqual(['Image 2.']);
		expect(await statuses()).toMatchObject({ [`row-2-${size}`]: 'done' });
		const requests = n8n.emulator.journal.entries(PAID);
		expect(Math.max(...requests.map(({ concurrent }) => concurrent))).toBeLessThanOrEqual(size);
	});
});
