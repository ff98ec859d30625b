import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { Show, Tally } from './closing';
import type { Browser } from './browser';
import type { ImportedExample } from './examples';
import { openProducts, type Product } from './openProducts';
import { Problem } from './problem';
import { step } from './progress';
import { productOf, reasonsOf } from './report';
import type { N8nRest } from './rest';
import { type ExampleResult, runExample } from './runExample';

/** A result, and what is in the files that somebody opens. */
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
	 * @param browser fills in forms and opens pages if there is one
	 */
	constructor(
		private readonly rest: N8nRest,
		private readonly outputFolder: string,
		private readonly isTemporary: boolean,
		private readonly browser?: Browser,
	) {}

	/** Runs the morning show and saves its audio in the output folder. */
	async runShow(example: ImportedExample): Promise<Show> {
		const result = await this.run(example);
		this.show = { url: this.addressOf(example) };
		if (result.succeeded) {
			this.show.execution = `${this.show.url}/executions/${result.executionId}`;
			const audio = result.files.find(({ mimeType }) => mimeType.startsWith('audio/'));
			if (audio) {
				const name = `morning-show${path.extname(audio.fileName)}`;
				const { file } = await this.save(name, await this.rest.file(audio.id));
				this.show.audio = path.relative(process.cwd(), file);
			}
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
			outcome: (ended) =>
				ended.succeeded ? `${[productOf(ended), ...ended.opened].join(', ')},` : 'failed after',
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
			const result = await runExample(this.rest, example, this.browser);
			if (this.isInterrupted) throw new Error('Interrupted.');
			return { ...result, opened: await openProducts(await this.saveProducts(result), this.browser) };
		} catch (failure) {
			if (!(failure instanceof Problem) || this.isInterrupted) throw failure;
			return { succeeded: false, nodes: [], files: [], reason: failure.message, opened: [] };
		} finally {
			this.running = undefined;
		}
	}

	/** Saves what somebody opens outside n8n: ZIP files, pages, and the feed that a workflow serves. */
	private async saveProducts({ files, served }: ExampleResult): Promise<Product[]> {
		const kept = files.filter(({ fileName }) => /\.(?:zip|html)$/.test(fileName));
		const products = await Promise.all(
			kept.map(async (file) => await this.save(file.fileName, await this.rest.file(file.id))),
		);
		return served === undefined
			? products
			: [...products, await this.save('podcast.xml', Buffer.from(served))];
	}

	/** Saves a file in the output folder. */
	private async save(name: string, content: Buffer): Promise<Product> {
		const file = path.join(this.outputFolder, name);
		await mkdir(this.outputFolder, { recursive: true });
		await writeFile(file, content);
		return { file, content };
	}

	private addressOf({ workflowId }: ImportedExample): string {
		return `${this.rest.url}/workflow/${workflowId}`;
	}
}

function print(text: string): void {
	process.stdout.write(`${text}\n`);
}
