import type { IDataObject } from 'n8n-workflow';
import type * as emulation from './emulation';
import type * as host from './host';
import { instrument } from './instrument';
import type * as simulation from './simulate';
import type * as subjectList from './subjects';
import { peaceful, type World } from './world';

jest.mock('@n8n/ai-node-sdk', () => jest.requireActual<object>('./agentSdk'), { virtual: true });

/** What throws, and from which call on. */
interface Planned {
	name: string;
	from: number;
}

let planned: Planned | undefined;
let calls = new Map<string, number>();
let answers = () => 0;
/** Of each function, its first call, and its first one after something was paid for. */
let places = new Map<string, { first: number; afterwards?: number }>();
let isArmed = false;

instrument((name) => {
	if (!isArmed) return;
	const count = (calls.get(name) ?? 0) + 1;
	calls.set(name, count);
	const place = places.get(name) ?? { first: count };
	places.set(name, place);
	if (answers() > 0) place.afterwards ??= count;
	if (planned?.name === name && count >= planned.from) throw new TypeError(`A fault in ${name}`);
});

const { Emulation } = require('./emulation') as typeof emulation;
const { SimulatedHost, ERROR } = require('./host') as typeof host;
const { simulate } = require('./simulate') as typeof simulation;
const { subjects } = require('./subjects') as typeof subjectList;
const { tryOnce } = SimulatedHost.prototype;
SimulatedHost.prototype.tryOnce = async function (place) {
	isArmed = place.execution === 0;
	return await tryOnce.call(this, place).finally(() => (isArmed = false));
};

let unhandled = 0;
process.on('unhandledRejection', () => (unhandled += 1));

const emulated = new Emulation();
afterAll(async () => await emulated.close());

/** All options with which a request is sent again. */
function worldOf(subject: string, seed: number): World {
	return {
		...peaceful(subject, 2),
		seed,
		options: { retryUnclear: true, maxRetries: 3 },
		// An agent asks a model, which remembers nothing.
		tries: subject.endsWith('agent') ? 1 : 3,
		hasSecondAddress: true,
		hasIdempotencyKeys: seed % 3 === 0,
		continuesOnFail: seed % 2 === 0,
	};
}

async function run(world: World, fault?: Planned) {
	planned = fault;
	calls = new Map();
	places = new Map();
	let paid = 0;
	answers = () => paid;
	const asked: string[] = [];
	const answer = emulated.answer.bind(emulated);
	const spied = jest.spyOn(emulated, 'answer').mockImplementation(async (request) => {
		asked.push(`${request.method} ${request.path}`);
		paid += 1;
		return await answer(request);
	});
	unhandled = 0;
	const history = await simulate(world, emulated);
	spied.mockRestore();
	return { history, places };
}

type Ended = Awaited<ReturnType<typeof run>>['history'];

/** What is wrong with how a run has ended, in words. Afterwards, a person has pressed Retry in another version. */
function brokenIn({ tries: all, gateway, world }: Ended, most: number): string[] {
	const broken: string[] = [];
	const tries = all.filter(({ execution }) => execution === 0);
	const paid = gateway.exchanges.filter(({ stage, execution }) => stage === 'paid' && execution === 0);
	const units = new Set(paid.filter((one) => one.isPaid && one.tryNumber === 0).flatMap((one) => one.units));
	if (paid.length > most) broken.push(`${paid.length} requests instead of ${most}`);
	const last = tries.at(-1)!;
	if (last.ending !== 'ended') broken.push(`it is ${last.ending}`);
	const failed = failuresOf(tries[0]);
	if (failed.length === 0) broken.push('nothing fails');
	for (const { error, details } of failed) {
		const { kind, stack, description, charge } = (details ?? {}) as IDataObject;
		if (kind !== 'bug') broken.push(`it is ${String(kind)}: ${String(error)}`);
		else if (!stack || !String(description).includes('report it')) broken.push('it has no words');
		else if (units.size === 0 && charge !== undefined) broken.push(`its charge is ${String(charge)}`);
		else if (units.size >= world.rows && charge !== 'certain') broken.push(`its charge is ${String(charge)}`);
	}
	for (const { log } of tries.filter((one) => failuresOf(one).length > 0)) {
		const lines = log.filter((line) => line.startsWith(ERROR));
		if (lines.length < 1 || lines.length > world.rows) broken.push(`the log has ${lines.length} lines`);
	}
	const afterwards = all.at(-1)!;
	if (afterwards !== last && failuresOf(afterwards).length > 0) broken.push('Retry fails');
	if (unhandled > 0) broken.push('it is unhandled');
	return [...new Set(broken)];
}

function failuresOf({ error, output = [] }: Ended['tries'][number]): IDataObject[] {
	if (error) return [{ error: error.message, details: error.context?.data as IDataObject }];
	return output.map(({ json }) => json).filter((json) => json.error !== undefined);
}

it('A fault of any function is one', async () => {
	const found: string[] = [];
	let worlds = 0;
	const known = new Set<string>();
	for (const [index, { name: subject }] of subjects.entries()) {
		const peace = await run(worldOf(subject, index));
		if (failuresOf(peace.history.tries[0]).length > 0)
			found.push(`${subject} fails: ${JSON.stringify(failuresOf(peace.history.tries[0]))}`);
		const most = peace.history.gateway.exchanges.filter(({ stage }) => stage === 'paid').length;
		for (const [name, { first, afterwards }] of peace.places) {
			if (known.has(name)) continue;
			known.add(name);
			for (const from of new Set([first, afterwards ?? first])) {
				const { history } = await run(worldOf(subject, worlds), { name, from });
				worlds += 1;
				const broken = brokenIn(history, most);
				if (broken.length > 0) found.push(`${subject}, ${name} from ${from}: ${broken.join('; ')}`);
			}
		}
	}
	console.log(worlds, known.size, found.length);
	require('fs').writeFileSync('/tmp/faults.txt', found.join('\n'));
	expect(found.length).toBe(0);
});
