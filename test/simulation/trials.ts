import { Emulation } from './emulation';
import { brokenIn } from './invariants';
import { Reference } from './reference';
import { type History, simulate } from './simulate';
import { states } from './states';
import type { World } from './world';

/** The results of a world. */
export interface Verdict {
	world: World;
	/** The broken invariants, in words. */
	broken: string[];
	/** The names of the states that were reached. */
	reached: string[];
	/** A short list of everything that happened. */
	trace: string;
}

/** Runs worlds, one after another. */
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

/** Returns a trace, which is the same for two runs of a world in any process. */
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
