import { useServer } from './useServer';
import { describeSince, WITH_TABLES } from './versions';

const n8n = useServer();
/** The request that a gateway charges for. */
const PAID = 'POST /v1/images/generations';

/** Rows with different prompts, "Image 1" to "Image <count>". */
const sourceRows = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ name: `row-${index + 1}`, prompt: `Image ${index + 1}` }));

let workflowId: string;

/** Imports the example with other rows, or changes those of the imported one; its table stays as it is. */
async function use(rows: Array<{ name: string; prompt: string }>, batchSize = 1): Promise<void> {
	const example = n8n.prepare(await n8n.example('Resumable batch'));
	const changes: Record<string, Record<string, unknown>> = {
		'Sample rows': { jsonOutput: JSON.stringify({ rows }) },
		'Loop over rows': { batchSize },
	};
	const nodes = example.nodes.map((node) => ({
		...node,
		parameters: { ...node.parameters, ...changes[node.name] },
	}));
	workflowId = await n8n.rest.saveWorkflow({ ...example, nodes }, workflowId);
}

/** Runs the workflow. @returns the status of its execution */
const run = async () => (await n8n.rest.runWorkflow(workflowId, 'Start', 120_000)).status;

/** The rows of the data table that the example fills. */
const recorded = async () =>
	(await n8n.rest.dataTableRows('Resumable image batch')) as unknown as Array<Record<string, string>>;

/** The prompts that the gateway has received, in order. */
const paidPrompts = () =>
	n8n.emulator.journal.entries(PAID).map(({ body }) => (body as { prompt?: string }).prompt ?? '');

/** Kills n8n with all its processes while the gateway works on an image, and starts it again. */
async function crash(): Promise<void> {
	await Promise.all([n8n.server, ...n8n.workers].map((server) => server.kill()));
	await n8n.restart();
}

/** The table as `{ row: status }`. */
async function statuses(): Promise<Record<string, string>> {
	return Object.fromEntries((await recorded()).map(({ row, status }) => [row, status]));
}

describeSince(WITH_TABLES)('Example "Resumable batch"', () => {
	it('continues after a crash, and pays again only for the image that was under way', async () => {
		const rows = sourceRows(8);
		await use(rows);
		n8n.emulator.behaviour.set(PAID, { latencyMs: 400 });
		await n8n.rest.startWorkflow(workflowId, 'Start');
		await n8n.emulator.journal.until(4, PAID, 60_000);
		await crash();

		const before = await recorded();
		expect(before.length).toBeGreaterThanOrEqual(3);
		expect(before.length).toBeLessThan(8);
		const underWay = paidPrompts().length - before.length;
		expect([0, 1]).toContain(underWay);

		expect(await run()).toBe('success');
		expect(await statuses()).toEqual(Object.fromEntries(rows.map(({ name }) => [name, 'done'])));
		for (const { link } of await recorded()) expect(link).toMatch(/^http.*\.png$/);
		expect(paidPrompts()).toHaveLength(rows.length + underWay);
		expect(new Set(paidPrompts()).size).toBe(rows.length);
	});

	it('pays nothing when all rows are done', async () => {
		await use(sourceRows(8));
		expect(await run()).toBe('success');
		expect(paidPrompts()).toEqual([]);
	});

	it('generates new and changed rows, and repeated rows once', async () => {
		const [first, ...others] = sourceRows(9);
		const changed = { ...first, prompt: 'Image 1 in blue' };
		await use([changed, ...others, changed]);
		expect(await run()).toBe('success');
		expect(paidPrompts()).toEqual(['Image 1 in blue', 'Image 9']);
	});

	it.each([1, 3])('records failed rows and tries them again in the next run, Batch Size %d', async (size) => {
		const rows = sourceRows(6).map(({ name, prompt }) => ({ name: `${name}-${size}`, prompt: `${prompt}.` }));
		await use(rows, size);
		n8n.emulator.behaviour.set(PAID, {
			faults: [{ kind: 'status', status: 400, when: 'Image 2.', times: 1 }],
		});
		expect(await run()).toBe('success');
		const failed = (await recorded()).filter(({ status }) => status === 'failed');
		expect(failed).toMatchObject([{ row: `row-2-${size}`, prompt: 'Image 2.', link: '' }]);
		expect(failed[0].reason.length).toBeGreaterThan(20);

		n8n.emulator.journal.clear();
		expect(await run()).toBe('success');
		expect(paidPrompts()).toEqual(['Image 2.']);
		expect(await statuses()).toMatchObject({ [`row-2-${size}`]: 'done' });
		const requests = n8n.emulator.journal.entries(PAID);
		expect(Math.max(...requests.map(({ concurrent }) => concurrent))).toBeLessThanOrEqual(size);
	});
});
