import { getEventListeners } from 'node:events';
import type { IDataObject } from 'n8n-workflow';
import { CHECK_EVERY_MS } from '../../nodes/shared/send/timeLimits';
import { type Ending, SimulatedClock } from './clock';
import type { Emulation } from './emulation';
import type { Exchange } from './exchange';
import { SimulatedGateway } from './gateway';
import { type NodeTry, type Place, SimulatedHost } from './host';
import { type Subject, subjectNamed } from './subjects';
import type { Interference, World } from './world';

/** One try of the node, and its outcome. */
export interface Try extends NodeTry {
	execution: number;
	tryNumber: number;
	isFinal: boolean;
	ending: Ending;
	tookMs: number;
	/** The action of a person or of n8n during the try. */
	interference?: Interference['what'];
	/** The requests that were in progress at that time. */
	interrupted: Exchange[];
	stoppedAt?: number;
	/** The data of the node that n8n saves. */
	saved: IDataObject;
	/** Counts of everything that was left over after the try. */
	left: { sleepers: number; listeners: number; exchanges: number };
	key: string;
}

/** Everything that happened in a world. */
export interface History {
	world: World;
	subject: Subject;
	gateway: SimulatedGateway;
	host: SimulatedHost;
	tries: Try[];
}

const WAIT_BETWEEN_TRIES_MS = 1_000;
const LONGEST_TRY_MS = 6 * 60 * 60_000;

/** Lets a world run from its beginning to its end. */
export async function simulate(world: World, emulation: Emulation) {
	return await new Simulation(world, emulation).run();
}

class Simulation {
	private readonly subject: Subject;
	private readonly gateway: SimulatedGateway;
	private readonly host: SimulatedHost;
	private readonly tries: Try[] = [];
	private clock: SimulatedClock;
	private processes = 0;
	/** The key of the credential. */
	private key = '';
	/** The data of the node that n8n has saved. */
	private saved: IDataObject = {};
	/** True if a try is in progress. */
	private isRunning = false;

	constructor(
		private readonly world: World,
		private readonly emulation: Emulation,
	) {
		this.subject = subjectNamed(world.subject);
		this.gateway = new SimulatedGateway(world, this.subject, emulation);
		this.host = new SimulatedHost(world, this.subject, this.gateway);
		this.clock = this.startProcess();
		emulation.begin(this.subject.rule);
	}

	async run(): Promise<History> {
		for (let execution = 0; ; execution++) {
			const isFinal = execution > this.world.retries;
			this.gateway.isFaulty = !isFinal;
			// For the last execution, there is enough disk space again.
			if (isFinal) this.gateway.unsavable.clear();
			if (isFinal && this.world.deletesFiles) this.host.store.deleteAll();
			await this.clock.run(this.clock.sleep(execution === 0 ? 0 : this.world.pauseMs), LONGEST_TRY_MS);
			const last = await this.execute(execution, isFinal);
			if (isFinal || last.ending === 'stuck' || last.ending === 'overdue') break;
			// n8n keeps the output of a node before the time limit, but drops it when somebody stops the execution.
			if (last.ending === 'ended' && last.output && last.interference !== 'stop') break;
		}
		const { world, subject, gateway, host, tries } = this;
		return { world, subject, gateway, host, tries };
	}

	/** Runs an execution: the node, repeated as long as Retry On Fail requires. */
	private async execute(execution: number, isFinal: boolean): Promise<Try> {
		const nodeContext = JSON.parse(JSON.stringify(this.saved)) as IDataObject;
		const stopping = new AbortController();
		let moments = 0;
		const done: Pick<Try, 'interference' | 'interrupted' | 'stoppedAt'> = { interrupted: [] };
		const planned = this.world.interferences.find((one) => one.execution === execution && !isFinal);
		this.clock.onMoment = () => {
			if (!this.isRunning) return;
			moments += 1;
			if (moments !== planned?.moment) return;
			done.interference = planned.what;
			done.interrupted = this.gateway.open;
			if (planned.what === 'kill') this.clock.kill();
			else stopping.abort();
			done.stoppedAt = this.clock.now();
		};
		for (let tryNumber = 0; ; tryNumber++) {
			const { signal } = stopping;
			const ended = await this.tryOnce({ execution, tryNumber, isFinal, signal, nodeContext });
			Object.assign(ended, done);
			this.save(ended, nodeContext);
			const isLast = tryNumber + 1 >= this.world.tries || done.interference !== undefined;
			if (isLast || ended.ending !== 'ended' || !runsAgain(ended)) return ended;
			await this.clock.run(this.clock.sleep(WAIT_BETWEEN_TRIES_MS), LONGEST_TRY_MS);
		}
	}

	private async tryOnce(place: Omit<Place, 'clock' | 'key'>): Promise<Try> {
		const { clock, gateway, key } = this;
		const uninstall = clock.install();
		const startedAt = clock.now();
		this.isRunning = true;
		try {
			let result: NodeTry = { hints: [], log: [] };
			const work = this.host.tryOnce({ ...place, clock, key }).then((one) => (result = one));
			const ending = await clock.run(work, LONGEST_TRY_MS);
			const tookMs = clock.now() - startedAt;
			this.isRunning = false;
			// A timer that ends by itself shortly after the last request does not count as left over.
			if (ending === 'ended') await clock.run(clock.sleep(CHECK_EVERY_MS + 60), LONGEST_TRY_MS);
			await clock.settle();
			const left = {
				sleepers: clock.sleeping,
				listeners: getEventListeners(place.signal, 'abort').length,
				exchanges: gateway.open.length,
			};
			const ended = { ...result, ...place, ending, tookMs, saved: {}, interrupted: [], left, key };
			this.tries.push(ended);
			return ended;
		} finally {
			uninstall();
		}
	}

	/** Saves the data that n8n would save, and drops the rest. */
	private save(ended: Try, nodeContext: IDataObject): void {
		if (ended.ending === 'killed') {
			this.gateway.hangUp(ended.execution);
			this.clock = this.startProcess();
		} else if (ended.interference === 'stop') this.saved = {};
		else this.saved = JSON.parse(JSON.stringify(nodeContext)) as IDataObject;
		ended.saved = this.saved;
	}

	/** Starts a new process of n8n, which remembers nothing. */
	private startProcess(): SimulatedClock {
		this.processes += 1;
		this.key = newKey();
		const clock = new SimulatedClock(this.world.seed * 31 + this.processes);
		this.emulation.now = clock.date;
		return clock;
	}
}

/** Tells whether n8n runs the node again (Retry On Fail). */
function runsAgain({ error, output }: NodeTry): boolean {
	return error !== undefined || output?.[0]?.json.error !== undefined;
}

let keys = 0;

/** Each process has a key of its own, so that nothing is remembered from another one. All keys have the same length. */
function newKey(): string {
	keys += 1;
	return `sk-${keys.toString(36).padStart(7, '0')}q-Zx81kLmPw0`;
}
