import { tmpdir } from 'node:os';
import { DemoExamples } from '../../../tools/host/demoExamples';
import type { Execution, NodeRun } from '../../../tools/host/n8nTypes';
import type { N8nRest } from '../../../tools/host/rest';

const example = { workflowId: 'abc', name: 'Some example', start: { trigger: 'Start' } };
const ran = (items: number, error?: NodeRun['error']): NodeRun[] => [
	{ executionTime: 1, error, data: { main: [Array.from({ length: items }, () => ({}))] } },
];
const success: Execution = { id: '1', status: 'success', runData: { Start: ran(1), Last: ran(5) } };
const failure: Execution = {
	id: '1',
	status: 'error',
	runData: { Start: ran(1), Last: ran(0, { message: 'No such model.', description: 'Select another.' }) },
};

let printed: string;

beforeEach(() => {
	printed = '';
	jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
		printed += String(text);
		return true;
	});
});
afterEach(() => jest.restoreAllMocks());

function demo(runWorkflow: () => Promise<Execution>) {
	const rest = { url: 'http://127.0.0.1:5679', runWorkflow, publish: async () => undefined };
	return new DemoExamples(rest as unknown as N8nRest, tmpdir(), false);
}

/** The output without control characters of a terminal; durations are not of interest. */
const lines = () =>
	printed
		.split('\n')
		.map((line) => line.replace(/^.*\r|\d+ ms$/g, '').trimEnd())
		.filter((line) => line !== '');

describe('An example of the demo', () => {
	it('takes one line with its items', async () => {
		const examples = demo(async () => success);
		await examples.run(example);
		expect(lines().at(-1)).toBe('  Some example … 5 items,');
		expect(examples.tally).toEqual({ succeeded: ['Some example'], failed: [] });
	});

	it('adds the reason and the address of its workflow if it fails', async () => {
		const examples = demo(async () => failure);
		await examples.run(example);
		expect(lines().slice(-4)).toEqual([
			'  Some example … failed after',
			'    Last: No such model.',
			'    Select another.',
			'    Open it in the editor: http://127.0.0.1:5679/workflow/abc',
		]);
		expect(examples.tally).toEqual({ succeeded: [], failed: ['Some example'] });
	});
});
