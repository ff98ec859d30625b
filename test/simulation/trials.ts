import { Emulation } from './emulation';
import { brokenIn } from './invariants';
import { Reference } from './reference';
import { type History, simulate } from './simulate';
import { states } from './states';
import type { World } from './world';

/** What a world has shown. */
export interface Verdict {
	world: World;
	/** The invariants that are broken, in words. */
	broken: string[];
	/** The names of the states that were reached. */
	reached: string[];
	/** Everything that happened, in short. */
	trace: string;
}

/** Lets worlds run, one after the other. */
export class Trials {
	private readonly emulation = new Emulation();
	private readonly reference = new Reference(this.emulation);

	async of(world: World): Promise<Verdict> {
		const history = await simulate(world, this.emulation);
		const broken = await brokenIn(history, this.reference);
		const reached = Object.keys(states).filter((name) => states[name](history));
		return { world, broken, reached, trace: traceOf(history) };
	}

	async close(): Promise<void> {
		await this.emulation.close();
	}
}

/** Two runs of a world have the same trace, in whatever process. */
function traceOf({ gateway, tries }: History): string {
	const requests = gateway.exchanges.map(
		({ execution, tryNumber, at, stage, rows, idempotencyKey, status, isPaid, standing }) => {
			const key = idempotencyKey ? 'with a key' : '';
			return [execution + 1, tryNumber + 1, at, stage, rows, key, status, isPaid, standing].join(' ');
		},
	);
	const ends = tries.map(({ ending, tookMs, error, output = [] }) =>
		[ending, tookMs, error?.message, output.length].join(' '),
	);
	return [...requests, ...ends].join('\n');
}
