import { setTimeout as sleep } from 'node:timers/promises';

import type { N8nServer } from '../../tools/host/server';
import type { Stage } from '../../tools/host/stage';
import { seededRandom } from '../unit/seededRandom';
import { CrashLedger, type Loss } from './crashLedger';
import { PAID, ResumableBatch, sourceRows } from './resumableBatch';

/** How a crash test runs. */
interface CrashSettings {
	kills: number;
	rows: number;
	batchSize: number;
	seed: number;
}

/** The processes that a kill ends. */
type Target = 'n8n' | 'workers' | 'main' | 'all';

/** Each kill comes at a random moment within this time after the run has started or gone on, in ms. */
const killWithinMs = 30_000;
/** The gateway takes this long for an image, in ms. */
const latencyMs: [number, number] = [300, 1200];
/** How long the rest of the rows may take, in ms. */
const finishWithinMs = 900_000;

/** Kills n8n again and again while the example "Resumable batch" runs. */
export class CrashRun {
	private readonly batch: ResumableBatch;
	private readonly ledger: CrashLedger;
	private readonly random: () => number;
	private readonly losses: Loss[] = [];

	constructor(
		private readonly stage: Stage,
		private readonly settings: CrashSettings,
	) {
		this.batch = new ResumableBatch(stage);
		this.ledger = new CrashLedger(stage.emulator.journal);
		this.random = seededRandom(settings.seed);
	}

	/** Runs the test and prints what happened; returns whether every promise was kept. */
	async execute(): Promise<boolean> {
		const { kills, rows, batchSize } = this.settings;
		this.stage.emulator.behaviour.set(PAID, { latencyMs });
		await this.batch.use(sourceRows(rows), batchSize);
		await this.batch.start();
		for (let number = 1; number <= kills; number++) await this.killOnce(number);
		await this.finish();
		return await this.report();
	}

	private async killOnce(number: number): Promise<void> {
		const target = this.drawTarget();
		const afterMs = Math.round(this.random() * killWithinMs);
		await sleep(afterMs);

		const servers = this.serversOf(target);
		this.ledger.kill();
		await Promise.all(servers.map((server) => server.kill()));
		const survives = target === 'main';
		if (!survives) await this.ledger.dead();
		await this.startAgain(target);

		const recorded = await this.batch.recorded();
		const loss = survives ? { open: 0, answered: 0 } : this.ledger.loss(recorded);
		this.losses.push(loss);
		const state = await this.goOn(survives);
		const lost = `${loss.open} open, ${loss.answered} answered but not recorded`;
		print(
			`Kill ${String(number).padStart(2)}  ${target.padEnd(7)} after ${(afterMs / 1000).toFixed(1).padStart(4)} s  ` +
				`${String(recorded.length).padStart(3)} rows done, ${String(this.ledger.paid).padStart(3)} paid; ` +
				`under way: ${lost}; the run was then "${state}"`,
		);
	}

	/** Lets the run go on: by itself if it survived or is still queued, by starting it again otherwise. */
	private async goOn(survives: boolean): Promise<string> {
		const state = (await this.batch.newest())?.status ?? 'none';
		// A run that was queued and not started is picked up by the next worker. Starting another one would pay twice.
		const goesOn = state === 'new' || (survives && state === 'running');
		if (!goesOn) await this.batch.start();
		return state;
	}

	private async finish(): Promise<void> {
		for (let round = 1; round <= 3; round++) {
			const status = await this.batch.settled(finishWithinMs);
			const done = (await this.batch.recorded()).length;
			print(`Last run "${status}": ${done} rows done`);
			if (done >= this.settings.rows) return;
			await this.batch.start();
		}
	}

	private async report(): Promise<boolean> {
		const { rows, batchSize } = this.settings;
		const recorded = await this.batch.recorded();
		const done = recorded.filter(({ status, link }) => status === 'done' && link !== '');
		const open = this.losses.reduce((sum, loss) => sum + loss.open, 0);
		const answered = this.losses.reduce((sum, loss) => sum + loss.answered, 0);
		const { paid, mostAtOnce } = this.ledger;
		const repeated = paid - rows;
		const promises: Array<[string, boolean]> = [
			[
				`${done.length} of ${rows} rows are done, each with a link`,
				recorded.length === rows && new Set(done.map(({ prompt }) => prompt)).size === rows,
			],
			[
				`${paid} images paid, ${repeated} of them again; under way at the kills: ${open + answered} ` +
					`(${open} open at the gateway, ${answered} answered but not recorded)`,
				repeated <= open + answered,
			],
			[
				`at most ${Math.max(0, ...this.losses.map((loss) => loss.open + loss.answered))} under way at one kill, Batch Size ${batchSize}`,
				this.losses.every((loss) => loss.open + loss.answered <= batchSize),
			],
			[
				`at most ${mostAtOnce} requests at once: no old run went on beside a new one`,
				mostAtOnce <= batchSize,
			],
		];
		for (const [text, kept] of promises) print(`${kept ? 'yes' : 'NO '}  ${text}`);
		return promises.every(([, kept]) => kept);
	}

	private drawTarget(): Target {
		if (this.stage.workers.length === 0) return 'n8n';
		// The run goes on while the main process is dead, so that a kill of it alone is drawn less often.
		const targets: Target[] = ['workers', 'workers', 'all', 'all', 'main'];
		return targets[Math.floor(this.random() * targets.length)];
	}

	private serversOf(target: Target): N8nServer[] {
		const { server, workers } = this.stage;
		if (target === 'workers') return workers;
		return target === 'main' ? [server] : [server, ...workers];
	}

	private async startAgain(target: Target): Promise<void> {
		const { stage } = this;
		if (target === 'workers' || target === 'all') {
			stage.workers = await Promise.all(stage.workers.map(async (worker) => await worker.startAgain()));
		}
		if (target !== 'workers') stage.server = await stage.server.startAgain();
	}
}

function print(text: string): void {
	process.stdout.write(`${text}\n`);
}
