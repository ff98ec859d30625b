import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { startEmulator, type Emulator, type Rule } from '../../emulator';
import { GENERATE } from '../../test/integration/imageNode';
import type { Consumption, ImageRun } from './imageRun';
import type { Part } from '../report';

const RUNS = 5;

type Run = Omit<ImageRun, 'baseUrl' | 'apiKey'>;

/** The shortest time and the median memory of several runs, each in a process of its own. */
async function measure(emulator: Emulator, run: Run, rule: Rule): Promise<Consumption> {
	const results: Consumption[] = [];
	for (let count = 0; count < RUNS; count++) results.push(await measureOnce(emulator, run, rule));
	const sorted = (field: keyof Consumption) =>
		results.map((result) => result[field]).sort((one, other) => one - other);
	return { tookMs: sorted('tookMs')[0], peakBytes: sorted('peakBytes')[Math.floor(RUNS / 2)] };
}

async function measureOnce(emulator: Emulator, run: Run, rule: Rule): Promise<Consumption> {
	const execArgv = [...process.execArgv, '--expose-gc'];
	const child = fork(path.join(__dirname, 'imageRun.ts'), { execArgv });
	const { url: baseUrl, apiKey } = emulator;
	emulator.behaviour.set(GENERATE, { images: { answerAs: rule.images?.answerAs } });
	child.send({ ...run, rows: 20, baseUrl, apiKey });
	await answerOf(child);
	emulator.behaviour.set(GENERATE, rule);
	child.send({ ...run, baseUrl, apiKey });
	return (await answerOf(child)) as Consumption;
}

async function answerOf(child: ReturnType<typeof fork>): Promise<unknown> {
	const ended = once(child, 'exit').then(() => {
		throw new Error('The measured process ended before it was done.');
	});
	const [answer] = (await Promise.race([once(child, 'message'), ended])) as unknown[];
	return answer;
}

const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;

async function batchFigure(emulator: Emulator, download: boolean) {
	const rule: Rule = { latencyMs: 200, capacity: { concurrent: 20 } };
	const batch = { rows: 200, concurrency: 20, download };
	const node = await measure(emulator, { by: 'node', ...batch }, rule);
	const loop = await measure(emulator, { by: 'loop', ...batch }, rule);
	return {
		what: `200 images, 200 ms each, capacity 20, ${download ? 'and their downloads' : 'addresses only'}`,
		measured: `${Math.round(node.tookMs)} ms`,
		'compared with': `2000 ms ideal, ${Math.round(loop.tookMs)} ms of a bare loop`,
		ratio: `${(node.tookMs / 2000).toFixed(2)}, ${(node.tookMs / loop.tookMs).toFixed(2)}`,
	};
}

async function memoryFigure(emulator: Emulator, answerAs: 'url' | 'b64_json') {
	const rule: Rule = { images: { answerAs, fileBytes: 8_000_000 } };
	const batch = { rows: 20, concurrency: 5, download: true };
	const node = await measure(emulator, { by: 'node', ...batch }, rule);
	const loop = await measure(emulator, { by: 'loop', ...batch }, rule);
	return {
		what: `20 images of 8 MB as ${answerAs}: peak memory above idle`,
		measured: megabytes(node.peakBytes),
		'compared with': `${megabytes(loop.peakBytes)} of a bare loop`,
		ratio: (node.peakBytes / loop.peakBytes).toFixed(2),
	};
}

/** Time of a batch of images, and the memory that large ones take. */
export async function measureImages(): Promise<Part> {
	const emulator = await startEmulator();
	const rows = [
		await batchFigure(emulator, false),
		await batchFigure(emulator, true),
		await memoryFigure(emulator, 'url'),
		await memoryFigure(emulator, 'b64_json'),
	];
	await emulator.close();
	return {
		title: 'Images',
		about: 'In processes of their own. Time is the best of five runs, memory the median of five.',
		rows,
	};
}
