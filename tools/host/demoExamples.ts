import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { Show, Tally } from './closing';
import type { ImportedExample } from './examples';
import { openProduct, type Product } from './openProducts';
import { Problem } from './problem';
import { step } from './progress';
import { messageOf, productsOf, reasonsOf } from './report';
import type { N8nRest } from './rest';
import { type ExampleResult, runExample } from './runExample';

/** How many files the line of an example names; of more, it names the folder. */
const MOST_NAMED = 2;

/** A result, and where somebody finds what was made. */
interface OpenedResult extends ExampleResult {
	opened: string[];
}

/** Runs the examples of the demo one at a time, with one line each. */
export class DemoExamples {
	readonly tally: Tally = { succeeded: [], failed: [] };
	/** The result of the morning show, once it has ended. */
	show?: Show;
	/** ID of the workflow that is running. */
	private running?: string;
	private isInterrupted = false;

	/**
	 * @param isTemporary whether n8n stops after the examples: its addresses are not shown then
	 */
	constructor(
		private readonly rest: N8nRest,
		private readonly outputFolder: string,
		private readonly isTemporary: boolean,
	) {}

	/** Runs the morning show. */
	async runShow(example: ImportedExample): Promise<Show> {
		const { succeeded, executionId, opened } = await this.run(example);
		this.show = { url: this.addressOf(example) };
		if (succeeded) {
			this.show.execution = `${this.show.url}/executions/${executionId}`;
			[this.show.audio] = opened;
		}
		return this.show;
	}

	/**
	 * Runs an example.
	 *
	 * @throws Error when it was interrupted
	 */
	async run(example: ImportedExample): Promise<OpenedResult> {
		const { name } = example;
		const result = await step(name, () => this.execute(example), {
			outcome: ({ succeeded, opened }) => (succeeded ? `${opened.join(', ')},` : 'failed after'),
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

	/** Runs an example and opens what it has made; one that does not end in time has failed, like any other. */
	private async execute(example: ImportedExample): Promise<OpenedResult> {
		this.running = example.workflowId;
		try {
			const result = await runExample(this.rest, example);
			if (this.isInterrupted) throw new Error('Interrupted.');
			const opened = result.succeeded ? await this.open(example.name, result) : [];
			return { ...result, opened };
		} catch (failure) {
			if (!(failure instanceof Problem) || this.isInterrupted) throw failure;
			return { succeeded: false, nodes: [], files: [], reason: failure.message, opened: [] };
		} finally {
			this.running = undefined;
		}
	}

	/** Saves and opens what a person opens: files, or the feed that a workflow serves; or else quotes the message. */
	private async open(example: string, result: ExampleResult): Promise<string[]> {
		const products = await Promise.all(
			productsOf(result.files).map(
				async ({ fileName, id }) => await this.save(example, fileName, await this.rest.file(id)),
			),
		);
		if (result.served !== undefined) {
			products.push(await this.save(example, 'podcast.xml', Buffer.from(result.served)));
		}
		const opened: string[] = [];
		for (const product of products) {
			const content = openProduct(product);
			const place = path.relative(process.cwd(), product.file);
			opened.push(content === undefined ? place : `${place} (${content})`);
		}
		if (opened.length === 0) return [messageOf(result)];
		if (opened.length <= MOST_NAMED) return opened;
		return [`${path.relative(process.cwd(), this.folderOf(example))} (${opened.length} files)`];
	}

	/** Saves a file in the folder of an example. */
	private async save(example: string, name: string, content: Buffer): Promise<Product> {
		const file = path.join(this.folderOf(example), name);
		await mkdir(path.dirname(file), { recursive: true });
		await writeFile(file, content);
		return { file, content };
	}

	private folderOf(example: string): string {
		return path.join(this.outputFolder, example.toLowerCase().replaceAll(' ', '-'));
	}

	private addressOf({ workflowId }: ImportedExample): string {
		return `${this.rest.url}/workflow/${workflowId}`;
	}
}

function print(text: string): void {
	process.stdout.write(`${text}\n`);
}
