import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { Show, Tally } from './closing';
import type { ImportedExample } from './examples';
import { folders } from './folders';
import { Problem } from './problem';
import { step } from './progress';
import { messageOf, productsOf, reasonsOf } from './report';
import type { N8nRest } from './rest';
import { type ExampleResult, runExample } from './runExample';

/** The largest number of files that the line of an example names. For more files, it names their folder. */
const MOST_NAMED = 2;

/** A result, with the places where a person finds what the example has made. */
interface SavedResult extends ExampleResult {
	made: string[];
}

/** Runs the examples of the demo one at a time, with one line for each. */
export class DemoExamples {
	readonly tally: Tally = { succeeded: [], failed: [] };
	/** ID of the workflow that is running. */
	private running?: string;
	private isInterrupted = false;

	/** @param isTemporary whether n8n stops after the examples, so that its addresses are not shown */
	constructor(
		private readonly rest: N8nRest,
		private readonly isTemporary: boolean,
	) {}

	/** Runs the morning show. */
	async runShow(example: ImportedExample): Promise<Show> {
		const { succeeded, executionId, made } = await this.run(example);
		const url = this.addressOf(example);
		return succeeded ? { url, execution: `${url}/executions/${executionId}`, audio: made[0] } : { url };
	}

	/**
	 * Runs an example.
	 *
	 * @throws Error when it was interrupted
	 */
	async run(example: ImportedExample): Promise<SavedResult> {
		const { name } = example;
		const result = await step(name, () => this.execute(example), {
			outcome: ({ succeeded, made }) => (succeeded ? `${made.join(', ')},` : 'failed after'),
		});
		this.tally[result.succeeded ? 'succeeded' : 'failed'].push(name);
		if (!result.succeeded) {
			const lines = this.isTemporary ? [] : [`Open it in the editor: ${this.addressOf(example)}`];
			for (const line of [...reasonsOf(result), ...lines]) print(`    ${line}`);
		}
		return result;
	}

	/** Stops the example that is running, because n8n would wait for its end before it stops. */
	async interrupt(): Promise<void> {
		this.isInterrupted = true;
		try {
			const newest = this.running && (await this.rest.newestExecution(this.running));
			if (newest) await this.rest.stopExecution(newest.id);
		} catch {
			// The execution, or n8n itself, has already ended.
		}
	}

	/** Runs an example and saves what it has made. An example that does not end in time counts as failed. */
	private async execute(example: ImportedExample): Promise<SavedResult> {
		this.running = example.workflowId;
		try {
			const result = await runExample(this.rest, example);
			if (this.isInterrupted) throw new Error('Interrupted.');
			const made = result.succeeded ? await this.save(example.name, result) : [];
			return { ...result, made };
		} catch (failure) {
			if (!(failure instanceof Problem) || this.isInterrupted) throw failure;
			return { succeeded: false, nodes: [], files: [], reason: failure.message, made: [] };
		} finally {
			this.running = undefined;
		}
	}

	/** Saves what a person opens: files, or the feed that a workflow serves; or else quotes the message. */
	private async save(example: string, result: ExampleResult): Promise<string[]> {
		const folder = path.join(folders.output, example.toLowerCase().replaceAll(' ', '-'));
		const contents = new Map<string, Buffer>();
		for (const { fileName, id } of productsOf(result.files)) contents.set(fileName, await this.rest.file(id));
		if (result.served !== undefined) contents.set('podcast.xml', Buffer.from(result.served));
		if (contents.size === 0) return [messageOf(result)];
		await mkdir(folder, { recursive: true });
		for (const [name, content] of contents) await writeFile(path.join(folder, name), content);
		const here = path.relative(process.cwd(), folder);
		return contents.size <= MOST_NAMED
			? [...contents.keys()].map((name) => path.join(here, name))
			: [`${here} (${contents.size} files)`];
	}

	private addressOf({ workflowId }: ImportedExample): string {
		return `${this.rest.url}/workflow/${workflowId}`;
	}
}

function print(text: string): void {
	process.stdout.write(`${text}\n`);
}
