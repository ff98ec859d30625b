import type { INodeExecutionData } from 'n8n-workflow';
import { startEmulator, type Emulator, type JournalEntry } from '../../../emulator';
import { oneNode, runWorkflow } from '../engine/runWorkflow';
import { wav } from '../VoiceModel/voiceSamples';
import { operationCases, type OperationCase } from './operations';

/** Operations that pay per item, with the parameter that distinguishes the items. */
const PAID: Array<[node: string, operation: string, parameter: string, more?: object]> = [
	['chat', 'chatCompletion', 'prompt'],
	['chat', 'message', 'prompt'],
	['chat', 'generateContent', 'prompt'],
	['embed', 'embedText', 'text', { batchSize: 1 }],
	['image', 'generate', 'prompt'],
	['music', 'generate', 'prompt'],
	['rerank', 'rerankInputItems', 'query'],
	['rerank', 'rerankList', 'query'],
	['speech', 'create', 'text'],
	['speech', 'joinItems', 'text'],
	['voiceModel', 'create', 'name'],
];
const COUNT = 8;
const CONCURRENCY = 3;

let emulator: Emulator;
let rate = 3e8;
beforeEach(async () => {
	emulator = await startEmulator({ apiKey: 'canary-key-stop-0123456789' });
	emulator.behaviour.set('/*', {
		music: { pendingMs: 0, processingMs: 0 },
		faults: [{ kind: 'status', status: 400, skip: 4, times: 'always' }],
		latencyMs: [1, 20],
	});
	rate += 1;
});
afterEach(async () => await emulator.close());

const file = wav().toString('base64');
const binary = { one: sample(), two: sample() };
function sample() {
	return { data: file, mimeType: 'audio/wav', fileName: 'sample.wav' };
}

describe('A run that stops at a failing item', () => {
	it('is tested for every operation that pays', () => {
		const paying = operationCases.filter(
			({ node, operation }) =>
				['chat', 'embed', 'image', 'rerank', 'speech'].includes(node) ||
				(operation === 'generate' && node === 'music') ||
				(operation === 'create' && node === 'voiceModel'),
		);
		const missing = paying.filter(
			({ node, operation }) =>
				operation !== 'getManyVoices' && !PAID.some((row) => row[0] === node && row[1] === operation),
		);
		expect(missing).toEqual([]);
	});

	it.each(PAID)(
		'keeps everything that was paid for in the failed execution: %s %s',
		async (node, operation, parameter, more = {}) => {
			const { parameters } = operationCases.find(
				(one): one is OperationCase => one.node === node && one.operation === operation,
			)!;
			const input = Array.from({ length: COUNT }, (_, row): INodeExecutionData => ({
				json: { row: `Row ${row} of the run`, text: 'The moon' },
				binary,
			}));
			const options = { ...(parameters.options as object), parallelRequests: CONCURRENCY, ...more };
			const workflow = oneNode(node, { operation, ...parameters, [parameter]: '={{ $json.row }}', options });
			const { error } = await runWorkflow(workflow, {
				credential: { baseUrl: emulator.url, apiKey: emulator.apiKey, requestsPerMinute: rate },
				input,
			});
			expect(error).toBeDefined();
			const finished = (error?.context.finishedResults ?? []) as Array<{ item: number | number[] }>;
			const kept = new Set(finished.flatMap(({ item }) => item));
			const details = error?.context.details as { partial?: object; taskId?: string };
			if (details.partial ?? details.taskId) kept.add(error?.context.itemIndex as number);
			const paid = emulator.journal
				.entries(({ method, status }) => method === 'POST' && status === 200)
				.map(rowOf);
			expect(paid.length).toBeGreaterThan(0);
			expect(paid.filter((row) => !kept.has(row))).toEqual([]);
			const lostTasks = emulator.tasks.all().filter(({ id }) => !JSON.stringify(error?.context).includes(id));
			expect(lostTasks).toEqual([]);
		},
	);
});

function rowOf({ body }: JournalEntry): number {
	return Number(/Row (\d)/.exec(JSON.stringify(body))?.[1]);
}
