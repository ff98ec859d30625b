import type { IDataObject } from 'n8n-workflow';
import type * as emulation from './emulation';
import type * as host from './host';
import { instrument } from './instrument';
import type * as simulation from './simulate';
import type * as subjectList from './subjects';
import { peaceful, type World } from './world';

jest.mock('@n8n/ai-node-sdk', () => jest.requireActual<object>('../integration/engine/fakeSdk'), {
	virtual: true,
});

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

const { Emulation } = jest.requireActual<typeof emulation>('./emulation');
const { SimulatedHost, ERROR } = jest.requireActual<typeof host>('./host');
const { simulate } = jest.requireActual<typeof simulation>('./simulate');
const { subjects } = jest.requireActual<typeof subjectList>('./subjects');
const { tryOnce } = SimulatedHost.prototype;
SimulatedHost.prototype.tryOnce = async function (place) {
	isArmed = place.execution === 0;
	return await tryOnce.call(this, place).finally(() => (isArmed = false));
};

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

	const answer = emulated.answer.bind(emulated);
	const spied = jest.spyOn(emulated, 'answer').mockImplementation(async (request) => {
		paid += 1;
		return await answer(request);
	});
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
		if (kind !== 'bug') broken.push(`it is ${JSON.stringify([kind, error])}`);
		else if (!stack || !JSON.stringify(description).includes('report it')) broken.push('it has no words');
		else if (units.size === 0 && charge !== undefined) broken.push(`its charge is ${JSON.stringify(charge)}`);
		else if (units.size >= world.rows && charge === undefined) broken.push('it is paid for');
	}
	for (const { log } of tries.filter((one) => failuresOf(one).length > 0)) {
		const lines = log.filter((line) => line.startsWith(ERROR));
		if (lines.length < 1 || lines.length > world.rows) broken.push(`the log has ${lines.length} lines`);
	}
	const afterwards = all.at(-1)!;
	if (afterwards !== last && failuresOf(afterwards).length > 0) broken.push('Retry fails');
	return [...new Set(broken)];
}

function failuresOf({ error, output = [] }: Ended['tries'][number]): IDataObject[] {
	if (error) return [{ error: error.message, details: error.context?.data }];
	return output.map(({ json }) => json).filter((json) => json.error !== undefined);
}

/**
 * What a fault cannot be told with, or without: the entries of the nodes, the exits, which put failures into words and
 * remove the key, and what remembers failures.
 */
const MACHINERY = [
	/\.node \w+\.\w+$/,
	/^shared\/run\/(runOperations|exits|subNode) /,
	/^shared\/run\/deliver (deliver|toOutputItem)$/,
	/^shared\/run\/operation (isTool|failedItems|finishedBy)$/,
	/^shared\/run\/paidResults /,
	/^shared\/(failure|answer\/redactor|plain\/key)/,
	/^shared\/plain\/values withoutGaps$/,
	/^shared\/plain\/inWords momentInWords$/,
	/^shared\/send\/client logFault$/,
	// Without it, no item can end either.
	/^shared\/limiter\/width Width\.limit$/,
];
/** What n8n's helpers call, so that nobody can tell its faults from theirs. */
const INSIDE_N8N = [
	'shared/send/credential credentialHeaders',
	'shared/send/timeLimits Stopwatch.limitConnection',
	'shared/answer/byteStream explaining',
];
/** Nothing depends on its success: it shows progress, watches time limits, or there is another way. */
const TOLERATED = [
	'shared/send/ledger Ledger.waitsUntil',
	'shared/run/progress Progress.line',
	'shared/send/timeLimits Watch.run',
	'shared/send/timeLimits Stopwatch.hasNoConnection',
	// Called only where something took long, which another run does not have to repeat.
	'shared/plain/turns Turns.next',
	// At the end of a request, when no other one waits.
	'shared/limiter/pacer Pacer.sendNow',
	'Speech/spokenText/markdownOf markdownTokens',
];

function isTried(name: string): boolean {
	return ![...INSIDE_N8N, ...TOLERATED].includes(name) && !MACHINERY.some((one) => one.test(name));
}

/** ALL_FAULTS=1 makes each function fail in each operation that calls it, in four kinds of worlds, from its first call on as well. */
const isLarge = process.env.ALL_FAULTS !== undefined;

describe('A fault of this package', () => {
	const known = new Set<string>();

	it.each(subjects.map(({ name }, index) => [name, index] as const))(
		'is told, and never paid for again: %s',
		async (subject, index) => {
			const found: string[] = [];
			for (const seed of isLarge ? [0, 1, 2, 3] : [index]) {
				const world = worldOf(subject, seed);
				const peace = await run(world);
				expect(peace.history.tries.flatMap(failuresOf)).toEqual([]);
				const most = peace.history.gateway.exchanges.filter(({ stage }) => stage === 'paid').length;
				for (const [name, { first, afterwards = first }] of peace.places) {
					if (!isTried(name) || (!isLarge && known.has(name))) continue;
					known.add(name);
					for (const from of new Set(isLarge ? [first, afterwards] : [afterwards])) {
						const { history } = await run(world, { name, from });
						const broken = brokenIn(history, most);
						if (broken.length > 0) found.push(`${name} from ${from}: ${broken.join('; ')}`);
					}
				}
			}
			expect(found).toEqual([]);
		},
	);

	it('was tried in most functions, and each exception has a reason', () => {
		expect(known.size).toBeGreaterThan(350);
	});
});
