import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { DemoExamples } from '../../../tools/host/demoExamples';
import type { Execution, NodeRun } from '../../../tools/host/n8nTypes';
import type { N8nRest } from '../../../tools/host/rest';

const example = { workflowId: 'abc', name: 'Some example', trigger: 'Start' };
const ran = (items: number, error?: NodeRun['error']): NodeRun[] => [
	{ executionTime: 1, error, data: { main: [Array.from({ length: items }, () => ({}))] } },
];
const success: Execution = { id: '1', status: 'success', runData: { Start: ran(1), Last: ran(5) } };
const spoken: Execution = {
	id: '7',
	status: 'success',
	runData: {
		Speak: [{ executionTime: 1, data: { main: [[{ binary: { data: audioFile() } }]] } }],
		Next: [{ executionTime: 1, data: { main: [[{ binary: { data: audioFile() } }]] } }],
	},
};
const failure: Execution = {
	id: '1',
	status: 'error',
	runData: { Start: ran(1), Last: ran(0, { message: 'No such model.', description: 'Select another.' }) },
};

let output: string;
let printed: string;

beforeEach(() => {
	output = mkdtempSync(path.join(tmpdir(), 'demo-examples-'));
	printed = '';
	jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
		printed += String(text);
		return true;
	});
});
afterEach(() => {
	jest.restoreAllMocks();
	rmSync(output, { recursive: true });
});

function audioFile() {
	return { id: 'filesystem:1', fileName: 'Good morning.mp3', mimeType: 'audio/mpeg' };
}

function demo(runWorkflow: () => Promise<Execution>, more: object = {}) {
	const rest = { url: 'http://127.0.0.1:5679', runWorkflow, publish: async () => undefined, ...more };
	return new DemoExamples(rest as unknown as N8nRest, output, false);
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

	it('leaves its audio in the output folder if it is the show', async () => {
		const file = async (id: string) => Buffer.from(`content of ${id}`);
		const show = await demo(async () => spoken, { file }).runShow(example);
		const audio = path.join(output, 'morning-show.mp3');
		expect(readFileSync(audio, 'utf8')).toBe('content of filesystem:1');
		expect(show).toEqual({
			url: 'http://127.0.0.1:5679/workflow/abc',
			execution: 'http://127.0.0.1:5679/workflow/abc/executions/7',
			audio: path.relative(process.cwd(), audio),
		});
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
