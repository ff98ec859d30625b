import { startEmulator, type Emulator, type Rule } from '../emulator';
import { oneNode, runWorkflow } from '../test/integration/engine/runWorkflow';

/** One measurement: what was measured, the figure, and what it is compared with. */
interface Figure {
	what: string;
	measured: string;
	ideal: string;
	ratio: string;
}

const CHAT = 'POST /v1/chat/completions';
let runs = 0;

/** Chat completions for so many items in n8n's engine, with a credential that nothing has been learnt about. */
async function chat(emulator: Emulator, items: number, maxConcurrency: number) {
	emulator.journal.clear();
	const node = oneNode('chat', {
		operation: 'chatCompletion',
		model: { __rl: true, mode: 'id', value: 'aurora-4-mini' },
		prompt: '={{ $json.prompt }}',
		systemPrompt: '',
		simplify: true,
		options: { maxConcurrency },
	});
	const input = Array.from({ length: items }, (_, index) => ({ json: { prompt: `Row ${index}` } }));
	const credential = { baseUrl: emulator.url, apiKey: emulator.apiKey, requestsPerMinute: 1e7 + runs++ };
	const result = await runWorkflow(node, { credential, input });
	if (result.error || result.items.length !== items)
		throw new Error(`Only ${result.items.length} of ${items} items`);
	return { tookMs: result.tookMs, requests: emulator.journal.count() };
}

/** The median of several runs, in milliseconds. */
async function medianMs(emulator: Emulator, rule: Rule, items: number, concurrency: number): Promise<number> {
	const times: number[] = [];
	for (let run = 0; run < 5; run++) {
		emulator.behaviour.set(CHAT, rule);
		times.push((await chat(emulator, items, concurrency)).tookMs);
	}
	return times.sort((one, other) => one - other)[2];
}

async function concurrencyFigure(emulator: Emulator): Promise<Figure> {
	const ms = await medianMs(emulator, { latencyMs: 100 }, 60, 10);
	return {
		what: '60 items, latency 100 ms, concurrency 10',
		measured: `${Math.round(ms)} ms`,
		ideal: '600 ms',
		ratio: (ms / 600).toFixed(2),
	};
}

async function rateLimitFigure(emulator: Emulator, items: number, perSecond: number): Promise<Figure> {
	emulator.behaviour.set(CHAT, {
		latencyMs: 20,
		limit: { requests: perSecond, perMs: 1000, retryAfter: 'seconds' },
	});
	const { tookMs, requests } = await chat(emulator, items, 10);
	return {
		what: `${items} items under ${perSecond} requests a second`,
		measured: `${requests} requests in ${(tookMs / 1000).toFixed(1)} s`,
		ideal: `${items} requests in ${(items / perSecond).toFixed(1)} s`,
		ratio: `${(requests / items).toFixed(2)} requests, ${(tookMs / 1000 / (items / perSecond)).toFixed(2)} time`,
	};
}

async function overheadFigure(emulator: Emulator): Promise<Figure> {
	const ms = await medianMs(emulator, {}, 500, 20);
	return {
		what: '500 items without latency, concurrency 20',
		measured: `${(ms / 500).toFixed(2)} ms an item`,
		ideal: '-',
		ratio: '-',
	};
}

async function main(): Promise<void> {
	const emulator = await startEmulator();
	await chat(emulator, 50, 10);
	console.log('Measuring the Chat node in n8n’s engine against the emulator, all in one process.\n');
	const figures = [
		await concurrencyFigure(emulator),
		await rateLimitFigure(emulator, 40, 5),
		await rateLimitFigure(emulator, 300, 20),
		await overheadFigure(emulator),
	];
	console.table(figures);
	await emulator.close();
}

void main();
