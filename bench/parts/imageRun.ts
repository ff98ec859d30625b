import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import axios from 'axios';
import { runPool } from '../../nodes/shared/runtime/pool';
import { runWorkflow } from '../../test/integration/engine/runWorkflow';
import { imageNode } from '../../test/integration/imageNode';

/** One run in a process of its own, so that nothing else is in its memory. Started by images.ts. */
export interface ImageRun {
	/** The Image node in n8n's engine, or the least code that does the same. */
	by: 'node' | 'loop';
	baseUrl: string;
	apiKey: string;
	rows: number;
	concurrency: number;
	/** Whether images are fetched from their addresses. */
	download: boolean;
}

/** What a run took. */
export interface Consumption {
	tookMs: number;
	/** Most memory (resident set) above that before the run, in bytes. */
	peakBytes: number;
}

const prompts = (rows: number) => Array.from({ length: rows }, (_, row) => `Row ${row}`);

async function byNode({ baseUrl, apiKey, rows, concurrency, download }: ImageRun): Promise<number> {
	const { tookMs, items, error } = await runWorkflow(
		imageNode({ downloadImages: download, options: { maxConcurrency: concurrency } }),
		{
			credential: { baseUrl, apiKey, requestsPerMinute: 0 },
			input: prompts(rows).map((prompt) => ({ json: { prompt } })),
		},
	);
	if (error || items.length !== rows) throw new Error(`${items.length} of ${rows} images: ${error?.message}`);
	return tookMs;
}

interface Answer {
	data: Array<{ url?: string; b64_json?: string }>;
}

async function byLoop({ baseUrl, apiKey, rows, concurrency, download }: ImageRun): Promise<number> {
	const folder = await mkdtemp(path.join(tmpdir(), 'image-loop-'));
	const startedAt = performance.now();
	await runPool(rows, concurrency, async (row) => {
		const body = { model: 'image-2', prompt: prompts(rows)[row], size: '512' };
		const headers = { authorization: `Bearer ${apiKey}` };
		const answer = await axios.post<Answer>(`${baseUrl}/v1/images/generations`, body, { headers });
		const [{ url, b64_json: base64 }] = answer.data.data;
		const file = path.join(folder, `${row}.png`);
		if (base64) return await writeFile(file, Buffer.from(base64, 'base64'));
		if (!download) return;
		const image = await axios.get<NodeJS.ReadableStream>(url ?? '', { responseType: 'stream' });
		await pipeline(image.data, createWriteStream(file));
	});
	const tookMs = performance.now() - startedAt;
	await rm(folder, { recursive: true });
	return tookMs;
}

/** Waits for the order of the parent process. */
async function order(): Promise<ImageRun> {
	return await new Promise((resolve) => process.once('message', (message) => resolve(message as ImageRun)));
}

async function main(): Promise<void> {
	const warmUp = await order();
	const run = { node: byNode, loop: byLoop }[warmUp.by];
	await run(warmUp);
	process.send?.('warm');

	const real = await order();
	global.gc?.();
	const idleBytes = process.memoryUsage.rss();
	let peakBytes = idleBytes;
	const sampling = setInterval(() => (peakBytes = Math.max(peakBytes, process.memoryUsage.rss())), 5);
	const tookMs = await run(real);
	clearInterval(sampling);
	process.send?.({ tookMs, peakBytes: peakBytes - idleBytes } satisfies Consumption, () => process.exit());
}

void main();
