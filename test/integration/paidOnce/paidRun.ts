import { createHash } from 'node:crypto';
import type { IDataObject, IExecuteFunctions, INode, INodeExecutionData, INodeType } from 'n8n-workflow';
import type { Emulator } from '../../../emulator';
import { operations } from '../../../nodes/Music/Music.node.ts';
import { runOperations } from '../../../nodes/shared/run/runOperations';
import { retryRun } from '../engine/retry';
import {
	fileBytes,
	nodeTypes,
	oneNode,
	runWorkflow,
	type RunResult,
	type WorkflowJson,
} from '../engine/runWorkflow';
import { startStrictEmulator } from '../engine/strictEmulator';
import { MusicClock } from '../Music/musicClock';
import { comparable } from './comparable';
import { PaidGateway } from './paidGateway';
import { type PaidCase, ROWS, TEXT, textOf } from './rows';

let lastRate = 5e7;
let lastExecution = 0;

/** Runs and retries of the rows of a case against a gateway of its own. */
export class PaidRun extends PaidGateway {
	/** Called when the node begins, once per try. */
	onTry: (tryNumber: number) => void = () => undefined;
	/** ID of the newest execution. */
	executionId = '';
	rows: IDataObject[] = ROWS.map((row) => ({ text: textOf(row) }));
	private tries = 0;
	private failed: RunResult | undefined;
	/** The learned rate of a credential is kept, so each test uses another one. */
	private readonly rate = (lastRate += 1);

	private constructor(
		paidCase: PaidCase,
		emulator: Emulator,
		private readonly clock: MusicClock,
	) {
		super(paidCase, emulator);
	}

	static async of(paidCase: PaidCase): Promise<PaidRun> {
		const clock = new MusicClock();
		const run = new PaidRun(paidCase, await startStrictEmulator({ now: clock.date }), clock);
		run.accept();
		return run;
	}

	/** Runs the workflow from its beginning, as a webhook does. */
	async start(options: object = {}, settings: Partial<INode> = {}): Promise<RunResult> {
		const input = this.rows.map((json) => ({ json, binary: this.paidCase.binary }));
		const json = this.workflow(options, settings);
		return await this.finish(runWorkflow(json, { ...this.runOptions(), input, mode: 'webhook' }));
	}

	/** Retries the newest execution. */
	async retry(): Promise<RunResult> {
		if (!this.failed) throw new Error('There is no execution to retry.');
		return await this.finish(retryRun(this.workflow(), this.failed, this.runOptions()));
	}

	private workflow(options: object = {}, settings: Partial<INode> = {}): WorkflowJson {
		const { node, parameters, options: ownOptions } = this.paidCase;
		return oneNode(
			node,
			{ simplify: true, ...parameters(TEXT), options: { ...ownOptions, ...options } },
			settings,
		);
	}

	private runOptions() {
		this.executionId = `paid-${(lastExecution += 1)}`;
		const { url: baseUrl, apiKey } = this.emulator;
		return {
			credential: { baseUrl, apiKey, requestsPerMinute: this.rate },
			nodeTypes: { [this.paidCase.node]: this.nodeType() },
			executionId: this.executionId,
		};
	}

	private nodeType(): INodeType {
		const { node } = this.paidCase;
		const original = nodeTypes[`n8n-nodes-unified-ai-gateway.${node}`];
		const begin = () => this.onTry((this.tries += 1));
		const { clock } = this;
		const execute = async function (this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
			begin();
			if (node === 'music') return await runOperations(this, operations, this.continueOnFail(), clock);
			return (await original.execute!.call(this)) as INodeExecutionData[][];
		};
		return Object.assign(Object.create(original) as INodeType, { execute });
	}

	private async finish(work: Promise<RunResult>): Promise<RunResult> {
		this.tries = 0;
		// Other nodes do not wait for anything, and the clock would keep the processor busy.
		const result = await (this.paidCase.node === 'music' ? this.clock.run(work) : work);
		this.failed = result.error ? result : undefined;
		return result;
	}
}

const references = new Map<string, Promise<unknown>>();

/** The output of a run in which no row is refused. */
export async function referenceOutput(paidCase: PaidCase): Promise<unknown> {
	const known = references.get(paidCase.name);
	if (known) return await known;
	const reference = (async () => {
		const run = await PaidRun.of(paidCase);
		const result = await run.start();
		await run.close();
		return await outputOf(result, paidCase);
	})();
	references.set(paidCase.name, reference);
	return await reference;
}

/** The items of a run, without what differs from run to run. */
export async function outputOf({ outputs }: RunResult, { chance }: PaidCase): Promise<unknown> {
	return await comparable(
		outputs,
		async (file) =>
			createHash('sha256')
				.update(await fileBytes(file))
				.digest('hex'),
		chance,
	);
}
