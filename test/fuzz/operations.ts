import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { startEmulator, type Emulator } from '../../emulator';
import { useFastClock } from '../integration/faults/fastClock';
import { titleOf, type OperationCase } from '../integration/faults/operationCase';
import { operationCases } from '../integration/faults/operations';
import { oneNode, runWorkflow, type RunResult } from '../integration/engine/runWorkflow';
import { type ChangingGateway, type Recorded, type Recording, startChangingGateway } from './changingGateway';
import { type Damage, damaged, damages } from './damage';
import { expectCleanPrototypes, expectPlain, expectWords } from './expectations';
import { type Change, changed, changes, hostileValue, toJson } from './hostileValues';
import { property, type Property } from './property';

const KEY = 'sk-fuzz-0123456789abcdef';
const TIME_FACTOR = 20;
/** No answer takes that long, on any machine. */
const TIMEOUT_SECONDS = 3600;
const byName = new Map(operationCases.map((one) => [titleOf(one), one]));
const ownReaders = operationCases.filter(
	({ sharesReader, variant = '' }) => !sharesReader && !variant.startsWith('faults in'),
);
/** Operations whose answers the same code reads take turns. */
const operation = fc.oneof(
	{ weight: 4, arbitrary: fc.constantFrom(...ownReaders.map(titleOf)) },
	{ weight: 1, arbitrary: fc.constantFrom(...byName.keys()) },
);

let emulator: Emulator;
let gateway: ChangingGateway;
const recordings = new Map<OperationCase, { recording: Recording; input: ReturnType<typeof inputOf> }>();
let runs = 0;

/** Starts what the properties of operations need, in the hooks of a test file. */
export function useOperations(): void {
	beforeAll(async () => {
		emulator = await startEmulator({ apiKey: KEY });
		emulator.behaviour.set('*', { music: { pendingMs: 0, processingMs: 0 } });
		gateway = await startChangingGateway(emulator);
		// In real time: a busy machine may be slow.
		for (const one of byName.values()) await record(one);
	});
	useFastClock(TIME_FACTOR);
	afterAll(async () => {
		await gateway.close();
		await emulator.close();
	});
}

function inputOf({ input }: OperationCase) {
	return input?.(emulator) ?? [{ json: {} }];
}

async function runOperation(one: OperationCase, input: ReturnType<typeof inputOf>): Promise<RunResult> {
	const { node, operation: value, parameters } = one;
	const own = (parameters.options ?? {}) as IDataObject;
	const patience = 'maxWaitMinutes' in own ? { maxWaitMinutes: 0.1 } : {};
	const options = { ...own, ...patience, maxRetries: 0, timeoutSeconds: TIMEOUT_SECONDS };
	const workflow = oneNode(
		node,
		{ operation: value, ...parameters, options },
		{
			onError: 'continueRegularOutput',
		},
	);
	// A different rate makes each run's credential a different one.
	const credential = { baseUrl: gateway.url, apiKey: KEY, requestsPerMinute: 1e8 + ++runs };
	return await runWorkflow(workflow, { credential, input });
}

/** Records the answers of the emulator to an operation, which must succeed with them. */
async function record(one: OperationCase): Promise<void> {
	const recording = gateway.record();
	const input = inputOf(one);
	const { items, error } = await runOperation(one, input);
	const failure = error ?? items.find(({ json }) => json.details)?.json.error;
	if (failure) throw new Error(`${titleOf(one)} fails without a change: ${JSON.stringify(failure)}`);
	recordings.set(one, { recording, input });
}

/** Runs an operation whose answers are changed. The outcome must be plain items or failures in words. */
async function expectSaneOutcome(name: string, change: (answer: Recorded) => Recorded): Promise<void> {
	const one = byName.get(name)!;
	const { recording, input } = recordings.get(one)!;
	gateway.repeat(recording, change);
	const { outputs, error } = await runOperation(one, input);
	expectCleanPrototypes();
	if (error) throw new Error(`The node does not continue: ${error.message}`);
	for (const { json, binary } of outputs.flat()) {
		expectPlain(json);
		expectPlain(JSON.parse(JSON.stringify(binary ?? {})));
		if (!('error' in json && 'details' in json)) continue;
		const { kind, description } = json.details as IDataObject;
		if (kind === 'input') throw new Error(`An answer is no input: ${JSON.stringify(json)}`);
		expectWords(json.error, 'message');
		expectWords(description, 'description');
	}
}

function withJson(answer: Recorded, change: (json: unknown) => unknown): Recorded {
	const body = answer.body.toString();
	if (answer.type.includes('json')) return { ...answer, body: Buffer.from(toJson(change(JSON.parse(body)))) };
	if (!answer.type.includes('event-stream')) return answer;
	const events = body.replace(
		/^data: (\{.*\})$/gm,
		(_line, json: string) => `data: ${toJson(change(JSON.parse(json)))}`,
	);
	return { ...answer, body: Buffer.from(events) };
}

/** Changes only every so many answers, so that later steps are reached as well. */
function every(step: number, change: (answer: Recorded) => Recorded): (answer: Recorded) => Recorded {
	let count = 0;
	return (answer) => (count++ % step === step - 1 ? change(answer) : answer);
}

const step = fc.constantFrom(1, 1, 2, 3);

export const operationProperties: Property[] = [
	property(
		'ends with items or failures in words if fields of an answer change',
		[operation, changes, step],
		async (one, all: Change[], steps) => {
			await expectSaneOutcome(
				one,
				every(steps, (answer) => withJson(answer, (json) => changed(json, all))),
			);
		},
		8,
	),
	property(
		'ends with items or failures in words if the answer is any JSON',
		[operation, hostileValue, step],
		async (one, value, steps) => {
			await expectSaneOutcome(
				one,
				every(steps, (answer) => withJson(answer, () => value)),
			);
		},
		2,
	),
	property(
		'ends with items or failures in words if bytes of an answer or file are damaged',
		[operation, damages, step],
		async (one, all: Damage[], steps) => {
			await expectSaneOutcome(
				one,
				every(steps, (answer) => ({ ...answer, body: damaged(answer.body, all) })),
			);
		},
		3,
	),
];
