import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JournalEntry } from '../../../emulator';
import { retryRun } from '../engine/retry';
import { oneNode, runWorkflow, type RunResult } from '../engine/runWorkflow';
import { runSubNode } from '../engine/runSubNode';
import { useFastClock } from '../faults/fastClock';
import { chosen } from './cases';
import { FACTOR } from './unclearFaults';
import { detailsOf, paidOperation, paidOperations, UnclearRun, wordsOf } from './unclearRun';

useFastClock(FACTOR);

const HEADER = 'Idempotency-Key';
const withHeader = { credential: { idempotencyHeader: HEADER } };
/** A proxy's page in place of the answer to a request that was carried out. */
const lost = { kind: 'html', status: 502, carriedOut: true } as const;
const LOST = [
	lost,
	{ kind: 'status', status: 504, carriedOut: true },
	{ kind: 'resetBeforeHeaders', carriedOut: true },
] as const;

let run: UnclearRun;
beforeAll(async () => {
	run = await UnclearRun.of(HEADER);
});
afterAll(async () => await run.emulator.close());

const isPost = ({ method }: JournalEntry) => method === 'POST';
const keyOf = ({ headers }: JournalEntry) => headers[HEADER.toLowerCase()];
const keys = () => run.emulator.journal.entries(isPost).map(keyOf);
const titled = paidOperations.map((operation) => ({
	...operation,
	parts: operation.variant === 'two parts, joined' ? 2 : 1,
}));
const rows = (...texts: string[]) => texts.map((text) => ({ json: { text } }));
const CHAT = {
	...paidOperation('chat: chat chatCompletion'),
	parameters: { model: chosen('aurora-4'), prompt: '={{ $json.text }}' },
	input: () => rows('Why is the sky blue?'),
};

/** Starts a node that is not among the paid operations with POST. */
async function start(node: string, parameters: object, credential = {}): Promise<RunResult> {
	const { behaviour, journal, url: baseUrl, apiKey } = run.emulator;
	behaviour.reset();
	journal.clear();
	behaviour.set('POST /*', { music: { pendingMs: 0, processingMs: 0 } });
	return await runWorkflow(oneNode(node, { ...parameters }), {
		credential: { baseUrl, apiKey, idempotencyHeader: HEADER, ...credential },
	});
}

describe('The idempotency key', () => {
	it.each(titled)('is in each request of $title, and lets the gateway charge once', async (operation) => {
		const result = await run.start(operation, { ...withHeader, faults: [...LOST] });
		expect(result.error).toBeUndefined();
		expect(detailsOf(result)).toBeUndefined();
		expect(run.payments).toBe(operation.parts);
		expect(keys()).toHaveLength(LOST.length + operation.parts);
		expect(keys().every((key) => /^[\da-f-]{36}$/.test(key))).toBe(true);
		// All attempts of a request have the same key, and each request has another one.
		expect(new Set(keys()).size).toBe(operation.parts);
	});

	it.each(titled)('stays the same when $title is retried', async (operation) => {
		const failed = await run.start(operation, {
			...withHeader,
			faults: [lost],
			options: { maxRetries: 0 },
			executionId: 'first',
		});
		expect(failed.error).toBeDefined();
		const { credential } = run;
		const retried = await retryRun(run.workflow!, failed, { credential, executionId: 'second' });
		expect(retried.error).toBeUndefined();
		expect(run.payments).toBe(operation.parts);
		expect(new Set(keys()).size).toBe(operation.parts);
	});

	it('lets Retry On Fail repeat a request whose outcome is unclear', async () => {
		const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
		const options = { maxRetries: 0 };
		const { error } = await run.start(CHAT, { ...withHeader, faults: [lost, lost], settings, options });
		expect(error).toBeUndefined();
		expect([keys().length, new Set(keys()).size, run.payments]).toEqual([3, 1, 1]);
	});

	it('is in the requests of the sub-nodes', async () => {
		const { journal, behaviour, url: baseUrl, apiKey } = run.emulator;
		behaviour.reset();
		journal.clear();
		behaviour.set('POST /*', { faults: [lost] });
		const { error } = await runSubNode(
			'embeddingsModel',
			{ model: chosen('embedding-3-small'), options: {} },
			async (model: { embedQuery(text: string): Promise<number[]> }) => await model.embedQuery('The sky'),
			{ credential: { baseUrl, apiKey, idempotencyHeader: HEADER } },
		);
		expect(error).toBeUndefined();
		expect([keys().length, new Set(keys()).size, run.payments]).toEqual([2, 1, 1]);
	});

	it('is in the requests of utilities, which are charged for as well', async () => {
		await start('utilities', { operation: 'aiNews' });
		const entries = run.emulator.journal.entries('GET /v2/apis/*');
		expect(entries.map(keyOf)).toEqual([expect.stringMatching(/^[\da-f-]{36}$/)]);
	});

	it('is not in reads, polls, and downloads', async () => {
		const song = {
			operation: 'generate',
			model: chosen('music-v5'),
			prompt: 'Rain',
			files: ['audio', 'cover'],
		};
		await start('music', { ...song, options: { pollIntervalSeconds: 5 } });
		const polls = run.emulator.journal.entries((entry) => !isPost(entry));
		await start('image', { operation: 'generate', model: chosen('image-2'), prompt: 'A fox', size: '512' });
		const downloads = run.emulator.journal.entries((entry) => !isPost(entry));
		await start('account', { operation: 'getManyModels', returnAll: true });
		const reads = run.emulator.journal.entries();
		expect([polls.length > 1, downloads.length, reads.length]).toEqual([true, 1, 1]);
		expect([...polls, ...downloads, ...reads].flatMap((entry) => keyOf(entry) ?? [])).toEqual([]);
	});
});

describe('The name of the header', () => {
	it.each(['Authorization', 'a\nb'])(
		'cannot be "%s", which is said before anything is sent',
		async (name) => {
			const result = await run.start(CHAT, { credential: { idempotencyHeader: name } });
			expect(detailsOf(result)).toMatchObject({ kind: 'settings' });
			expect(wordsOf(result)).toContain('Idempotency Header in the credential cannot be');
			expect(wordsOf(result)).toContain('for example Idempotency-Key');
			expect(run.emulator.journal.count()).toBe(0);
		},
	);
});

describe('Another host', () => {
	let foreign: Server;
	let seen: IncomingHttpHeaders[];
	let address: string;
	beforeAll(async () => {
		foreign = createServer(({ headers }, response) => {
			seen.push(headers);
			response.setHeader('content-type', 'application/json').end('{"code":200,"message":"","data":{}}');
		}).listen(0, '127.0.0.1');
		await new Promise((resolve) => foreign.once('listening', resolve));
		address = `http://127.0.0.1:${(foreign.address() as AddressInfo).port}`;
	});
	afterAll(() => foreign.close());
	beforeEach(() => {
		seen = [];
	});

	it('never receives the key of a utility that is redirected to it', async () => {
		const { behaviour } = run.emulator;
		behaviour.set('GET /v2/apis/*', { faults: [{ kind: 'redirect', location: `${address}/elsewhere` }] });
		const workflow = oneNode('utilities', { operation: 'aiNews' });
		const { url: baseUrl, apiKey } = run.emulator;
		await runWorkflow(workflow, { credential: { baseUrl, apiKey, idempotencyHeader: HEADER } });
		behaviour.reset();
		expect(seen).toHaveLength(1);
		expect(Object.keys(seen[0])).not.toContain(HEADER.toLowerCase());
	});

	it('receives no paid request that is redirected to it', async () => {
		const faults = [{ kind: 'redirect', status: 307, location: `${address}/elsewhere` } as const];
		const result = await run.start(CHAT, { ...withHeader, faults });
		expect(detailsOf(result)).toMatchObject({ kind: 'address' });
		expect(seen).toEqual([]);
	});
});
