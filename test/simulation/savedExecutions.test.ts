import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import { version } from '../../package.json';
import { Emulation } from './emulation';
import { isFailed, sourcesOf } from './items';
import { type History, simulate } from './simulate';
import { subjects } from './subjects';
import { peaceful, type World } from './world';

jest.mock('@n8n/ai-node-sdk', () => jest.requireActual<object>('./agentSdk'), { virtual: true });

/** An execution as n8n saves it. */
interface SavedExecution {
	subject: string;
	how: 'failed' | 'timed out';
	/** The context of the node. */
	saved: IDataObject;
	/** How many requests its retry pays for. */
	missing: number;
}

const ROWS = 4;
const FOLDER = join(__dirname, '../fixtures/executions');
/** Without an agent, which remembers nothing, and without what needs the files or the tasks of the gateway that is gone. */
const recorded = subjects.filter(
	({ isAgent, stages, name }) => !isAgent && stages.length === 1 && name !== 'Speech in two parts, joined',
);

const emulation = new Emulation();
afterAll(async () => await emulation.close());

const paidIn = ({ gateway }: History) => gateway.exchanges.filter(({ isPaid }) => isPaid).length;

/** Retries an execution without faults. */
const retried = async ({ subject, saved }: Pick<SavedExecution, 'subject' | 'saved'>) =>
	await simulate(peaceful(subject, ROWS), emulation, saved);

async function record(subject: string, how: SavedExecution['how']): Promise<SavedExecution> {
	const rejected = { kind: 'status', status: 400, body: 'error', carriedOut: false } as const;
	// Late, so that something is paid for, but not after the end.
	for (const moment of [12, 6, 3]) {
		const world: World = { ...peaceful(subject, ROWS), options: { parallelRequests: 1 } };
		// Whatever else the node tries for the item, such as a smaller batch, fails as well.
		if (how === 'failed') {
			world.faults = [0, 1, 2, 3, 4, 5].map((nth) => ({ row: 2, stage: 'paid', nth, fault: rejected }));
		} else world.interferences = [{ execution: 0, moment, what: 'timeout' }];
		const [{ saved, error }] = (await simulate(world, emulation)).tries;
		if (!error) continue;
		// A retry is another execution.
		const text = JSON.stringify(saved).replaceAll('"executionId":"0"', '"executionId":"earlier"');
		const kept = { subject, saved: JSON.parse(text) as IDataObject };
		return { ...kept, how, missing: paidIn(await retried(kept)) };
	}
	throw new RangeError(`${subject} has not ${how}.`);
}

const savedFiles = readdirSync(FOLDER).filter((file) => file.endsWith('.json'));
const executions = savedFiles.flatMap((file) => {
	const saved = JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as SavedExecution[];
	return saved.map((execution) => ({ file, ...execution }));
});

describe('An execution that an earlier version has saved', () => {
	// SIMULATION_RECORD=true saves those of this version; never again for one that was released.
	if (process.env.SIMULATION_RECORD === 'true') {
		it('is recorded', async () => {
			const made: SavedExecution[] = [];
			for (const { name } of recorded) {
				for (const how of ['failed', 'timed out'] as const) made.push(await record(name, how));
			}
			writeFileSync(join(FOLDER, `${version}.json`), `${JSON.stringify(made, null, '\t')}\n`);
		});
		return;
	}

	it.each(executions)('pays on Retry only for what is missing: $file, $subject, $how', async (execution) => {
		const history = await retried(execution);
		const [{ output = [], error }] = history.tries;
		expect(error).toBeUndefined();
		expect(output.filter(isFailed)).toEqual([]);
		expect([...new Set(output.flatMap(sourcesOf))].sort()).toEqual([0, 1, 2, 3]);
		expect(paidIn(history)).toBe(execution.missing);
	});
});
