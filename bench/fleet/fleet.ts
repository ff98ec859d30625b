import { seededRandom } from '../../test/unit/seededRandom';
import { DrivenClock } from './drivenClock';
import { FleetProcess, GreedyProcess, type World } from './fleetProcess';
import { limitOf, type Limit, type LimitSettings } from './limits';

/** What happens to a fleet at a moment of its simulation. */
export interface Happening {
	atMs: number;
	happen: (fleet: Fleet) => void;
}

/** A fleet to simulate. */
export interface FleetSettings {
	processes: number;
	limit: LimitSettings;
	/** Requests in progress of each process, from and to. Default: 5 to 50. */
	width?: [number, number];
	/** How many of the processes belong to an old version. */
	greedy?: number;
	latencyMs?: [number, number];
	/** When each process begins; default: in the first half second. */
	startsWithinMs?: number;
	happenings?: Happening[];
	seconds: number;
	seed?: number;
}

/** What the gateway counted. */
export interface FleetRecord {
	/** Per second: the limit, and requests of the processes with a pacer, and of the others. */
	seconds: Array<{ limit: number; accepted: number; refused: number; others: number }>;
	/** Per second, how many requests of each process were accepted. */
	acceptedOf: Uint16Array[];
	lost: number;
}

/** Processes that share nothing but a gateway. */
export class Fleet {
	readonly clock = new DrivenClock();
	readonly limit: Limit;
	readonly record: FleetRecord = { seconds: [], acceptedOf: [], lost: 0 };
	private readonly random: () => number;
	private readonly processes: FleetProcess[] = [];
	private readonly startedAt = this.clock.now();

	constructor(private readonly settings: FleetSettings) {
		this.limit = limitOf(settings.limit);
		this.random = seededRandom(settings.seed ?? 1);
	}

	/** Runs the simulation to its end. */
	async run(): Promise<FleetRecord> {
		const { processes, greedy = 0, startsWithinMs = 500, happenings = [], seconds } = this.settings;
		for (let index = 0; index < processes; index++) {
			const isGreedy = index >= processes - greedy;
			const atMs = isGreedy ? 0 : this.random() * startsWithinMs;
			this.clock.after(atMs, () => (isGreedy ? this.startGreedy(index) : this.start(index)));
		}
		for (const { atMs, happen } of happenings) this.clock.after(atMs, () => happen(this));
		for (let second = 0; second < seconds; second++) {
			this.record.seconds.push({ limit: this.limit.perSecond, accepted: 0, refused: 0, others: 0 });
			this.record.acceptedOf.push(new Uint16Array(processes));
			await this.clock.run(1_000);
		}
		return this.record;
	}

	/** Starts a process anew, without what it has learned. */
	restart(index: number): void {
		this.processes[index].stop();
		this.start(index);
	}

	/** Whether a process has work. */
	work(index: number, hasWork: boolean): void {
		this.processes[index].work(hasWork);
	}

	private start(index: number): void {
		this.processes[index] = new FleetProcess(this.world, this.settingsOf(index));
		this.processes[index].work(true);
	}

	private startGreedy(index: number): void {
		new GreedyProcess(this.world, { ...this.settingsOf(index), width: 5 }).work();
	}

	private settingsOf(index: number) {
		const [from, to] = this.settings.width ?? [5, 50];
		const width = Math.round(from + (to - from) * this.random());
		return { index, width, random: seededRandom(Math.floor(this.random() * 2 ** 31)) };
	}

	private get world(): World {
		const { clock, record } = this;
		return {
			clock,
			lost: () => (record.lost += 1),
			send: (process, answered) => {
				const [from, to] = this.settings.latencyMs ?? [100, 500];
				const latencyMs = from + (to - from) * this.random();
				clock.after(20 + 20 * this.random(), () => {
					const verdict = this.limit.judge(clock.now() - this.startedAt);
					this.count(process, verdict === 'accepted');
					clock.after(verdict === 'accepted' ? latencyMs : 20, () => answered(verdict));
				});
			},
		};
	}

	private count(process: number, isAccepted: boolean): void {
		const second = this.record.seconds.at(-1)!;
		const isOther = process >= this.settings.processes - (this.settings.greedy ?? 0);
		if (isOther) second.others += isAccepted ? 1 : 0;
		else if (isAccepted) second.accepted += 1;
		else second.refused += 1;
		if (isAccepted) this.record.acceptedOf.at(-1)![process] += 1;
	}
}
