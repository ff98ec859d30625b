import type { Emulator, Rule } from '../../emulator';
import { measure, measureComplete, median, type Measurement } from '../measure';
import type { Part } from '../report';
import { httpRequest, openAi, ourChat } from '../subjects/chat';

const CHAT = 'POST /v1/chat/completions';
const ITEMS = 400;
const LATENCY_MS = 200;
const ROUNDS = 3;

/** n8n's OpenAI node sends one request at a time, so fewer items suffice to measure its time. */
const FEW_ITEMS = 40;

/** A behavior of the gateway. */
interface Setting {
	name: string;
	rule: Rule;
	/** How long an answer takes if no request waits for others, in milliseconds; undefined if that depends on the load. */
	latencyMs?: number;
}

const held = (concurrent: number, surplus: 'queue' | 'refuse'): Rule => ({
	latencyMs: LATENCY_MS,
	capacity: { concurrent, surplus },
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
];

/**
 * Compares automatic Parallel Requests with n8n's own nodes, at gateways of several kinds. A simulation shows how close
 * it comes to the ideal at gateways of all kinds (`test/unit/shared/rateTable.ts`).
 */
export async function measureWidth(emulator: Emulator): Promise<Part> {
	const rows: Part['rows'] = [];
	const ours = ourChat();
	for (const { name, rule, latencyMs } of SETTINGS) {
		const job = { rules: { [CHAT]: rule }, count: ITEMS, rounds: 1, warmUp: 300 };
		const all = await measureComplete(emulator, { ...job, rounds: ROUNDS }, [ours]);
		const automatic = all.get(ours.name)!;
		const [atOnce] = (await measure(emulator, job, [httpRequest])).get(httpRequest.name)!;
		const [few] = (await measure(emulator, { ...job, count: FEW_ITEMS }, [openAi])).get(openAi.name)!;
		const answeredMs = median(automatic.map((run) => run.latencyMs));
		const row = {
			gateway: name,
			Automatic: seconds(median(automatic.map((run) => run.tookMs))),
			refused: percent(Math.max(...automatic.map((run) => run.refused / run.requests))),
			latency: latencyMs ? `${(answeredMs / latencyMs).toFixed(2)} ×` : '',
			'HTTP Request node': lossy(atOnce),
			"n8n's OpenAI node": lossy({ ...few, tookMs: (few.tookMs * ITEMS) / FEW_ITEMS }),
		};
		console.log(JSON.stringify(row));
		rows.push(row);
	}
	return {
		title: 'Parallel Requests: Automatic',
		about: `${ITEMS} chat items, ${LATENCY_MS} ms each unless stated otherwise, at gateways that queue or refuse what is too much. Automatic is the median of ${ROUNDS} runs, each of which begins knowing nothing and may lose no item; refused requests are the highest. The latency is a multiple of the gateway's own. n8n's nodes run with their defaults: the HTTP Request node sends everything at once, the OpenAI node one request after the other (measured with ${FEW_ITEMS} items).`,
		rows,
	};
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
