import type { Emulator, Rule } from '../../emulator';
import { measure, measureComplete, median, type Job, type Measurement } from '../measure';
import type { Part } from '../report';
import { httpRequest, openAi, ourChat } from '../subjects/chat';

const CHAT = 'POST /v1/chat/completions';
const ITEMS = 400;
const LATENCY_MS = 200;
const ROUNDS = 3;

/** n8n's OpenAI node sends one request at a time, so that fewer items suffice to know its time. */
const FEW_ITEMS = 40;

/** The fixed settings that are tried, the fastest ones first. Those that are clearly slower are given up. */
const FIXED = [80, 40, 20, 10, 5, 2, 1];
const GIVE_UP_AFTER = 1.3;
/** Compared to Automatic. */
const MUCH_SLOWER = 2.5;

/** A behavior of the gateway. */
interface Setting {
	name: string;
	rule: Rule;
	changes?: Array<{ afterAnswers: number; rule: Rule }>;
	/** How long an answer takes if no request waits for others, in milliseconds; undefined if that depends on the load. */
	latencyMs?: number;
}

const held = (concurrent: number, surplus: 'queue' | 'refuse'): Rule => ({
	latencyMs: LATENCY_MS,
	capacity: { concurrent, surplus },
});
const changing = (surplus: 'queue' | 'refuse') => ({
	rule: held(40, surplus),
	changes: [
		{ afterAnswers: 130, rule: held(8, surplus) },
		{ afterAnswers: 260, rule: held(40, surplus) },
	],
});
const bucket = (requests: number, perMs: number): Rule => ({
	latencyMs: 100,
	limit: { requests, perMs, retryAfter: 'seconds' },
});

const SETTINGS: Setting[] = [
	...[4, 20, 60].map((capacity) => ({
		name: `queues above ${capacity}`,
		rule: held(capacity, 'queue'),
		latencyMs: LATENCY_MS,
	})),
	...[4, 20, 60].map((capacity) => ({ name: `refuses above ${capacity}`, rule: held(capacity, 'refuse') })),
	{ name: '20 per second', rule: bucket(20, 1000) },
	{ name: '600 per minute', rule: bucket(600, 60_000) },
	{ name: '600 per minute, 400 of them used', rule: bucket(200, 20_000) },
	{ name: '100 to 2,000 ms', rule: { latencyMs: [100, 2000] } },
	{ name: 'queues above 40, 8, and 40', ...changing('queue') },
	{ name: 'refuses above 40, 8, and 40', ...changing('refuse') },
];

/** Automatic Parallel Requests compared to the best fixed setting, and to n8n's own nodes, at gateways of many kinds. */
export async function measureWidth(emulator: Emulator): Promise<Part> {
	const rows: Part['rows'] = [];
	for (const setting of SETTINGS) {
		const job = jobOf(setting);
		const ours = ourChat();
		const all = await measureComplete(emulator, { ...job, rounds: ROUNDS }, [ours]);
		const automatic = all.get(ours.name)!;
		const tookMs = median(automatic.map((run) => run.tookMs));
		const best = await bestFixed(emulator, job, MUCH_SLOWER * tookMs);
		const others = await measure(emulator, { ...job, rounds: 1 }, [httpRequest]);
		const [atOnce] = others.get(httpRequest.name)!;
		const [few] = (await measure(emulator, { ...job, count: FEW_ITEMS, rounds: 1 }, [openAi])).get(
			openAi.name,
		)!;
		const latencyMs = median(automatic.map((run) => run.latencyMs));
		const row = {
			gateway: setting.name,
			Automatic: seconds(tookMs),
			'best fixed setting': `${best.concurrency}: ${seconds(best.tookMs)}`,
			ratio: `${(tookMs / best.tookMs).toFixed(2)} ×`,
			refused: percent(Math.max(...automatic.map((run) => run.refused / run.requests))),
			latency: setting.latencyMs ? `${(latencyMs / setting.latencyMs).toFixed(2)} ×` : '',
			'HTTP Request node': lossy(atOnce),
			"n8n's OpenAI node": lossy({ ...few, tookMs: (few.tookMs * ITEMS) / FEW_ITEMS }),
		};
		console.log(JSON.stringify(row));
		rows.push(row);
	}
	return {
		title: 'Parallel Requests: Automatic',
		about: `${ITEMS} chat items, ${LATENCY_MS} ms each unless stated otherwise, at gateways that queue or refuse what is too much. The best fixed setting is that of 1, 2, 5, 10, 20, 40, and 80 which is fastest without losing an item. Automatic is the median of ${ROUNDS} runs, each of which begins knowing nothing and may lose no item; refused requests and latency are the highest. The latency is a multiple of the gateway's own. n8n's nodes run with their defaults: the HTTP Request node sends everything at once, the OpenAI node one request after the other (measured with ${FEW_ITEMS} items).`,
		rows,
	};
}

function jobOf({ rule, changes = [] }: Setting): Job {
	return {
		rules: { [CHAT]: rule },
		changes: changes.map((change) => ({ afterAnswers: change.afterAnswers, rules: { [CHAT]: change.rule } })),
		count: ITEMS,
		rounds: 1,
		warmUp: 300,
	};
}

async function bestFixed(
	emulator: Emulator,
	job: Job,
	longestMs: number,
): Promise<{ concurrency: number; tookMs: number }> {
	let best = { concurrency: 0, tookMs: Number.POSITIVE_INFINITY };
	for (const concurrency of FIXED) {
		const timeoutMs = () => Math.min(longestMs, best.tookMs * GIVE_UP_AFTER);
		const subject = ourChat(concurrency);
		const runs = await measure(emulator, { ...job, timeoutMs }, [subject]);
		const [{ tookMs, items, succeeded }] = runs.get(subject.name)!;
		if (succeeded === items && tookMs < best.tookMs) best = { concurrency, tookMs };
	}
	return best;
}

function lossy({ tookMs, items, succeeded }: Measurement): string {
	const lost = items - succeeded;
	return lost === 0 ? seconds(tookMs) : `${seconds(tookMs)}, ${lost} of ${items} lost`;
}

function seconds(milliseconds: number): string {
	return `${(milliseconds / 1000).toFixed(1)} s`;
}

function percent(share: number): string {
	return `${(100 * share).toFixed(1)} %`;
}
