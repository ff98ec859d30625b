import type { Workflow } from '../../tools/host/n8nTypes';
import type { ServerUnderTest } from './useServer';

/** The request that a gateway charges for. */
export const PAID = 'POST /v1/images/generations';

const exampleName = 'Resumable batch';
const tableName = 'Resumable image batch';

/** A row of the example's source. */
interface SourceRow {
	name: string;
	prompt: string;
}

/** A row of the data table that the example fills. */
interface RecordedRow {
	row: string;
	prompt: string;
	status: 'done' | 'failed';
	link: string;
	reason: string;
}

/** Rows with different prompts, "Image 1" to "Image <count>". */
export function sourceRows(count: number): SourceRow[] {
	return Array.from({ length: count }, (_, index) => ({
		name: `row-${index + 1}`,
		prompt: `Image ${index + 1}`,
	}));
}

/** The example "Resumable batch" in a real n8n, with its sample rows replaced. */
export class ResumableBatch {
	private id?: string;

	constructor(private readonly n8n: ServerUnderTest) {}

	/** Imports the example, or changes the rows of the imported one; its table stays as it is. */
	async use(rows: SourceRow[], batchSize = 1): Promise<void> {
		const example = this.n8n.prepare(await this.n8n.example(exampleName));
		const changes: Record<string, Record<string, unknown>> = {
			'Sample rows': { jsonOutput: JSON.stringify({ rows }) },
			'Loop over rows': { batchSize },
		};
		const nodes = example.nodes.map((node) => ({
			...node,
			parameters: { ...node.parameters, ...changes[node.name] },
		}));
		const workflow: Workflow = { ...example, nodes };
		this.id = await this.n8n.rest.saveWorkflow(workflow, this.id);
	}

	/** Starts the workflow by hand. */
	async start(): Promise<void> {
		await this.n8n.rest.startWorkflow(this.workflowId, 'Start');
	}

	/** Starts the workflow and waits until it has ended; returns the status of the execution. */
	async run(timeoutMs = 120_000): Promise<string> {
		const { status } = await this.n8n.rest.runWorkflow(this.workflowId, 'Start', timeoutMs);
		return status;
	}

	/** The rows of the table. */
	async recorded(): Promise<RecordedRow[]> {
		return (await this.n8n.rest.dataTableRows(tableName)) as unknown as RecordedRow[];
	}

	/** The prompts that the gateway has received, in order. */
	paidPrompts(): string[] {
		return this.n8n.emulator.journal
			.entries(PAID)
			.map(({ body }) => (body as { prompt?: string }).prompt ?? '');
	}

	private get workflowId(): string {
		if (!this.id) throw new Error('Call use() first.');
		return this.id;
	}
}
