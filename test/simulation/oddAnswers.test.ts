import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { changed, changes, hostileValue, toJson } from './hostileValues';
import { type EmulatedAnswer, Emulation } from './emulation';
import { ERROR } from './host';
import { simulate } from './simulate';
import { allSubjects, subjects } from './subjects';
import { peaceful, type World } from './world';

jest.mock('@n8n/ai-node-sdk', () => jest.requireActual<object>('../integration/engine/fakeSdk'), {
	virtual: true,
});

/** ODD_ANSWERS=20000 npx jest test/simulation/oddAnswers tries more, and RANDOM_SEED=7 others. */
const COUNT = Number(process.env.ODD_ANSWERS ?? 250);
const SEED = Number(process.env.RANDOM_SEED ?? 22);

const emulation = new Emulation();
afterAll(async () => await emulation.close());

type Change = (answer: EmulatedAnswer) => EmulatedAnswer;

/** Lets a world run in which the gateway answers otherwise, with all options with which a request is sent again. */
async function run(subject: string, change: Change, more: Partial<World> = {}) {
	const world = {
		...peaceful(subject, 1),
		options: { retryUnclear: true },
		tries: 2,
		hasSecondAddress: true,
		continuesOnFail: true,
		...more,
	};
	const answer = emulation.answer.bind(emulation);
	const spy = jest
		.spyOn(emulation, 'answer')
		.mockImplementation(async (asked) => change(await answer(asked)));
	try {
		return await simulate(world, emulation);
	} finally {
		spy.mockRestore();
	}
}

type Ended = Awaited<ReturnType<typeof run>>;

/** The kinds of the failures of a run; of one that has none, its message. */
function kindsIn({ tries }: Ended): string[] {
	return tries.flatMap(({ ending, error, output = [], log }) => {
		const failed = output.map(({ json }) => json).filter(({ details }) => details !== undefined);
		const all = error ? [{ error: error.message, details: error.context?.data as IDataObject }] : failed;
		const kinds = all.map((one) => {
			const { kind } = (one.details ?? {}) as IDataObject;
			return typeof kind === 'string' && kind !== 'bug' ? kind : JSON.stringify([kind, one.error]);
		});
		const faults = log.filter((line) => line.startsWith(ERROR));
		return [...kinds, ...faults, ...(ending === 'ended' ? [] : [ending])];
	});
}

function withBody(answer: EmulatedAnswer, text: string): EmulatedAnswer {
	return { ...answer, body: Buffer.from(text) };
}

/** An answer with changes: of JSON, or of each event. What is neither becomes JSON. */
function odd(answer: EmulatedAnswer, [all, instead, at]: Odd): EmulatedAnswer {
	const text = answer.body.toString('utf8');
	const oddly = (value: unknown) => toJson(instead === undefined ? changed(value, all) : instead.value);
	const type = answer.headers['content-type'] ?? '';
	if (type.includes('json')) return withBody(answer, oddly(JSON.parse(text)));
	if (!type.includes('event-stream')) return at % 3 === 0 ? withBody(answer, oddly({})) : answer;
	let index = 0;
	const isChosen = () => index++ % (1 + (at % 5)) === 0;
	const lines = text.replace(/^data: ([[{].*)$/gm, (line, data: string) =>
		isChosen() ? `data: ${oddly(JSON.parse(data))}` : line,
	);
	return withBody(answer, lines);
}

const oddities = fc.tuple(
	changes,
	fc.option(fc.record({ value: hostileValue }), { freq: 5, nil: undefined }),
	fc.nat({ max: 1000 }),
);
type Odd = typeof oddities extends fc.Arbitrary<infer Value> ? Value : never;

it(`${COUNT} odd answers are items, or failures in words`, async () => {
	const broken: string[] = [];
	for (const [index, change] of fc.sample(oddities, { seed: SEED, numRuns: COUNT }).entries()) {
		const subject = allSubjects[index % allSubjects.length].name;
		const kinds = kindsIn(await run(subject, (answer) => odd(answer, change), { tries: 1 }));
		const wrong = kinds.filter((kind) => kind === 'input' || !/^\w+$/.test(kind));
		if (wrong.length > 0) broken.push(`${index}, ${subject}: ${wrong.join('; ')}`);
	}
	expect(broken).toEqual([]);
});

/** Complete, but no answer of any operation. */
const DAMAGED = [
	...['[]', '[{}]', '[null]', '[{"choices":[]}]', '{}', 'null', 'true', '0', '""', '{"choices":[]}'],
	...['{"choices":{}}', '{"data":{}}', '{"data":[null]}', '{"content":[]}', '{"candidates":[]}'],
	...['{"results":{}}', '{', '{"a":', '[{"choices":', 'nonsense', '\u0000', '   ', ''],
];

describe('A damaged, but complete answer', () => {
	it.each(subjects.map(({ name }) => name))('is not asked for again: %s', async (subject) => {
		const found: string[] = [];
		const paidIn = ({ gateway }: Ended) => gateway.exchanges.filter(({ stage }) => stage === 'paid').length;
		const most = paidIn(await run(subject, (answer) => answer));
		for (const body of DAMAGED) {
			// A stream without any event has been cut off, wherever that was.
			if (body.trim() === '' && subject.endsWith('streamed')) continue;
			// An agent asks a model, which remembers nothing.
			const tries = subject.endsWith('agent') ? 1 : 2;
			const ended = await run(subject, (answer) => withBody(answer, body), { tries });
			const kinds = kindsIn(ended);
			const count = paidIn(ended);
			const isWrong = kinds.some((kind) => !['answer', 'download', 'task', 'notFound'].includes(kind));
			if (count > most || isWrong) found.push(`${body}: ${count} requests, ${kinds.join()}`);
		}
		expect(found).toEqual([]);
	});
});
