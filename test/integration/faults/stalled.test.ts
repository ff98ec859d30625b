import type { IDataObject } from 'n8n-workflow';
import { runWorkflow } from '../engine/runWorkflow';
import { useEmulator } from '../engine/useEmulator';
import { useFastClock } from './fastClock';
import { onePerReader, titleOf, workflowOf } from './operations';

const gateway = useEmulator();
useFastClock(100);

const STALL = { kind: 'stall', afterBytes: 20, times: 'always' } as const;
const options = { timeoutSeconds: 5 };

const READERS = ['JSON', 'event stream', 'image file', 'audio'];
const cases = onePerReader.filter(({ reader = '' }) => READERS.includes(reader));

/** Axios gives a body up in a way of its own, which no other test has. */
describe('An answer that stops in the middle', () => {
	it.each(cases.map((operation) => [titleOf(operation), operation] as const))(
		'is no fault of the package: %s',
		async (_title, operation) => {
			const { behaviour } = gateway.emulator;
			behaviour.set('/*', { music: { pendingMs: 0, processingMs: 0 } });
			behaviour.set(operation.route ?? '/*', { ...operation.rule, faults: [STALL] });
			const { items } = await runWorkflow(
				workflowOf(operation, { options }, { onError: 'continueRegularOutput' }),
				{ credential: gateway.credential(), input: operation.input?.(gateway.emulator) },
			);
			const failed = items.map(({ json }) => (json.details as IDataObject | undefined)?.kind);
			expect(failed.filter((kind) => kind !== 'interrupted' && kind !== 'download')).toEqual([]);
		},
	);
});

/** What n8n's helper unpacks comes from axios and Node.js, so their errors are real here. */
describe('An answer that is not compressed as its headers say', () => {
	it.each(
		cases.flatMap((operation) =>
			['gzip', 'br'].map((encoding) => [titleOf(operation), encoding, operation] as const),
		),
	)('has arrived and is not asked for again: %s, %s', async (_title, encoding, operation) => {
		const { behaviour, journal } = gateway.emulator;
		const headers = { 'content-encoding': encoding };
		const fault = { kind: 'status', status: 200, headers, body: { data: [] }, times: 'always' } as const;
		behaviour.set(operation.route ?? 'POST /*', { faults: [fault] });
		const { items } = await runWorkflow(
			workflowOf(operation, { options: { retryUnclear: true } }, { onError: 'continueRegularOutput' }),
			{ credential: gateway.credential(), input: operation.input?.(gateway.emulator) },
		);
		expect(items[0].json.error).toContain('cannot be used: it is not compressed as its headers say');
		expect(items[0].json.details).toMatchObject({ charge: 'certain', attempts: 1 });
		expect(journal.count(operation.route ?? 'POST /*')).toBe(1);
	});
});
