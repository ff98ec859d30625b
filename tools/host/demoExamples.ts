import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { Show, Tally } from './closing';
import type { ImportedExample } from './examples';
import { Problem } from './problem';
import { step } from './progress';
import { productOf, reasonsOf } from './report';
import type { N8nRest } from './rest';
import { type ExampleFile, type ExampleResult, runExample } from './runExample';

/** Runs the examples of the demo one at a time, with one line each. */
export class DemoExamples {
	readonly tally: Tally = { succeeded: [], failed: [] };
	/** The result of the morning show, once it has ended. */
	show?: Show;
	/** ID of the workflow that is running. */
	private running?: string;
	private isInterrupted = false;

	/** @param isTemporary whether n8n stops after the examples: its addresses are not shown then */
	constructor(
		private readonly rest: N8nRest,
		private readonly outputFolder: string,
		private readonly isTemporary: boolean,
	) {}

	/** Runs the morning show and saves its audio in the output folder. */
	async runShow(example: ImportedExample): Promise<Show> {
		const result = await this.run(example);
		this.show = { url: this.addressOf(example) };
		if (result.succeeded) {
			this.show.execution = `${this.show.url}/executions/${result.executionId}`;
			const audio = result.files.find(({ mimeType }) => mimeType.startsWith('audio/'));
			this.show.audio = audio && (await this.save(audio));
		}
		return this.show;
	}

	/**
	 * Runs an example.
	 *
	 * @throws Error when it was interrupted
	 */
	async run(example: ImportedExample): Promise<ExampleResult> {
		const { name } = example;
		const result = await step(name, () => this.execute(example), {
			outcome: (ended) => (ended.succeeded ? `${productOf(ended)},` : 'failed after'),
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

	/** Runs an example; one that does not end in time has failed, like any other. */
	private async execute(example: ImportedExample): Promise<ExampleResult> {
		this.running = example.workflowId;
		try {
			const result = await runExample(this.rest, example);
			if (this.isInterrupted) throw new Error('Interrupted.');
			return result;
		} catch (failure) {
			if (!(failure instanceof Problem) || this.isInterrupted) throw failure;
			return { succeeded: false, nodes: [], files: [], reason: failure.message };
		} finally {
			this.running = undefined;
		}
	}

	/** Saves the audio of the show; returns its path relative to where the command was started. */
	private async save({ id, fileName }: ExampleFile): Promise<string> {
		const file = path.join(this.outputFolder, `morning-show${path.extname(fileName)}`);
		await mkdir(this.outputFolder, { recursive: true });
		await writeFile(file, await this.rest.file(id));
		return path.relative(process.cwd(), file);
	}

	private addressOf({ workflowId }: ImportedExample): string {
		return `${this.rest.url}/workflow/${workflowId}`;
	}
}

function print(text: string): void {
	process.stdout.write(`${text}\n`);
}
