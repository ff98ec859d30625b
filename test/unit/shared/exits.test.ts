import type { IExecuteFunctions } from 'n8n-workflow';
import { GatewayFailure } from '../../../nodes/shared/errors/gatewayFailure';
import {
	logProgress,
	logWarning,
	nodeError,
	outputItems,
	showHint,
	subNodeError,
	traceRun,
} from '../../../nodes/shared/run/exits';
import { Redactor } from '../../../nodes/shared/answer/redactor';
import { FakeContext } from './fakeContext';

const KEY = 'secret-key-123';
const HIDDEN = '[API key]';
const redactor = new Redactor([KEY]);
const failure = new GatewayFailure('request', `No ${KEY}`, `Check ${KEY}`, { gatewayMessage: KEY });

describe('What leaves the node', () => {
	it('has no key in hints, in the log, and in traces', () => {
		const context = new FakeContext();
		const exit = { context: context.execute, redactor };
		showHint(exit, `Used ${KEY}`);
		logWarning(exit, `Stopped ${KEY}`);
		expect(context.hints).toEqual([{ message: `Used ${HIDDEN}`, type: 'info', location: 'outputPane' }]);
		logProgress(exit, `Failures: ${KEY}`);
		expect(context.warnings).toEqual([`"Node" (execution 1): Stopped ${HIDDEN}`]);
		const line = expect.stringMatching(/^".+" \(execution .+\): Failures: \[API key\]$/);
		expect(context.progress).toEqual([line]);
		expect(context.shown).toEqual([line]);
		traceRun(exit, { 'gateway.model': KEY, 'gateway.requests': 1, 'gateway.address': '' });
		expect(context.traces).toEqual([{ 'gateway.model': HIDDEN, 'gateway.requests': 1 }]);
		const older: Partial<IExecuteFunctions> = { ...context.execute };
		delete older.setMetadata;
		traceRun({ ...exit, context: older as IExecuteFunctions }, {});
		expect(context.traces).toHaveLength(1);
	});

	it('has no key in errors', async () => {
		const { execute, supply } = new FakeContext();
		const onNode = await nodeError({ context: execute, redactor }, failure, [2]);
		expect(onNode).toMatchObject({ message: `No ${HIDDEN}`, description: `Check ${HIDDEN}` });
		expect(onNode.context).toMatchObject({ data: { gatewayMessage: HIDDEN } });
		const onSubNode = await subNodeError({ context: supply, redactor }, failure);
		expect(onSubNode).toMatchObject({ message: `No ${HIDDEN}`, functionality: 'configuration-node' });
		expect(JSON.stringify([onNode.context, onSubNode.context])).not.toContain(KEY);
	});
});

describe('Output items', () => {
	const file = (fileName: string, data: string) => ({ fileName, data, mimeType: 'text/plain', id: '1' });

	it('lose the key in JSON and in the names of files, and keep everything else', async () => {
		const items = [
			{ json: { text: KEY }, pairedItem: { item: 0 } },
			{
				json: { text: 'b' },
				binary: { [KEY]: file('a.txt', 'QQ=='), other: file(`${KEY}.txt`, 'Qg==') },
				pairedItem: { item: 1 },
			},
		];
		expect(await outputItems({ redactor }, items)).toEqual([
			{ json: { text: HIDDEN }, pairedItem: { item: 0 } },
			{
				json: { text: 'b' },
				binary: { [HIDDEN]: file('a.txt', 'QQ=='), other: file(`${HIDDEN}.txt`, 'Qg==') },
				pairedItem: { item: 1 },
			},
		]);
		// The contents of files have lost the key when they were stored.
		const clean = [{ json: { a: 1 }, binary: { data: file('a.txt', KEY) }, pairedItem: { item: 0 } }];
		expect(await outputItems({ redactor }, clean)).toBe(clean);
	});
});
