import { setTimeout as sleep } from 'node:timers/promises';
import type { INodeExecutionData } from 'n8n-workflow';
import type { Rule } from '../../../emulator';
import { FileAllowance } from '../../../nodes/shared/files/storeFile';
import { useMovableClock } from '../engine/movableClock';
import { runWorkflow, type RunOptions } from '../engine/runWorkflow';
import { startStrictEmulator } from '../engine/strictEmulator';
import { useEmulator } from '../engine/useEmulator';
import { FILES, GENERATE, imageNode } from './imageNode';

const gateway = useEmulator(3.1e7);

const clock = useMovableClock();
const draw = async (
	rows: number,
	parameters: object = {},
	settings = {},
	{ credential, ...run }: Partial<RunOptions> = {},
) =>
	await runWorkflow(imageNode(parameters, settings), {
		...run,
		credential: { ...gateway.credential(), ...credential },
		input: Array.from({ length: rows }, (_, row) => ({ json: { prompt: `Row ${row}.` } })),
	});
const onErrorOutput = { onError: 'continueErrorOutput' };
const rowsOf = (items: INodeExecutionData[]) =>
	items.map(({ pairedItem }) => (pairedItem as { item: number }).item);
const detailsOf = ({ json }: INodeExecutionData) => json.details as Record<string, unknown>;
/** The maximum number of requests in progress at once. */
function maxAtOnce(pattern: string): number {
	const entries = gateway.emulator.journal.entries(pattern);
	const during = (time: number) =>
		entries.filter(({ receivedAt, finishedAt }) => receivedAt <= time && time < finishedAt!).length;
	return Math.max(...entries.map(({ receivedAt }) => during(receivedAt)));
}
type Fault = NonNullable<Rule['faults']>[number];
const failing = (pattern: string, ...faults: Fault[]) => gateway.emulator.behaviour.set(pattern, { faults });

describe('Batch of images', () => {
	const bad = [3, 17, 40, 59, 77, 98, 120, 121, 150, 199];

	it('sends exactly the failing rows of 200 to the error output, each linked to its row', async () => {
		gateway.emulator.behaviour.set(GENERATE, {
			latencyMs: 100,
			capacity: { concurrent: 20 },
			faults: bad.map((row) => ({ kind: 'status', status: 400, when: `Row ${row}.`, times: 'always' })),
		});
		const { outputs, error } = await draw(200, { options: { parallelRequests: 20 } }, onErrorOutput);
		expect(error).toBeUndefined();
		expect(rowsOf(outputs[1])).toEqual(bad);
		expect(rowsOf(outputs[0])).toEqual([...Array(200).keys()].filter((row) => !bad.includes(row)));
		for (const item of outputs[0]) {
			expect(item.json.prompt).toBe(`Row ${rowsOf([item])[0]}.`);
			expect(item.binary!.data.fileName).toBe(`Row ${rowsOf([item])[0]}.png`);
		}
		expect(outputs[1].every(({ binary }) => binary === undefined)).toBe(true);
		expect(gateway.emulator.journal.count(GENERATE)).toBe(200);
		expect(maxAtOnce(GENERATE)).toBeLessThanOrEqual(20);
		expect(maxAtOnce(FILES)).toBeLessThanOrEqual(20);
	});

	it.each<[string, string, Rule]>([
		['images are being generated', GENERATE, { latencyMs: 10_000 }],
		['images are being requested', FILES, { latencyMs: 10_000 }],
		['images are being downloaded', FILES, { faults: [{ kind: 'stall', afterBytes: 50, times: 'always' }] }],
	])('sends no further request when stopped while %s', async (_when, pattern, rule) => {
		gateway.emulator.behaviour.set(pattern, rule);
		let sent = 0;
		const stop = async (cancel: () => void) => {
			await gateway.emulator.journal.until(5, pattern);
			// More requests may be on their way.
			await sleep(100);
			sent = gateway.emulator.journal.count();
			cancel();
		};
		const fiveAtOnce = { options: { parallelRequests: 5 } };
		await draw(40, fiveAtOnce, {}, { onStart: (cancel) => void stop(cancel) }).catch(() => undefined);
		await gateway.emulator.journal.until(5, (entry) => entry.closedByClient);
		await sleep(100);
		expect(gateway.emulator.journal.count()).toBe(sent);
		expect(gateway.emulator.journal.count(FILES)).toBe(pattern === FILES ? 5 : 0);
	});

	it('generates further images during downloads, up to Parallel Requests downloads', async () => {
		gateway.emulator.behaviour.set(FILES, { latencyMs: 600_000 });
		const { journal } = gateway.emulator;
		const stop = async (cancel: () => void) => {
			// Two images are downloaded, two are generated and wait for their download, and the others have not started.
			await journal.until(4, (entry) => entry.method === 'POST' && entry.finishedAt !== null);
			await journal.until(2, FILES);
			// More requests may be on their way.
			await sleep(100);
			const counts = [journal.count(GENERATE), journal.count(FILES)];
			cancel();
			return counts;
		};
		let stopping: Promise<number[]> | undefined;
		const options = { options: { parallelRequests: 2 } };
		await draw(6, options, {}, { onStart: (cancel) => void (stopping = stop(cancel)) }).catch(
			() => undefined,
		);
		expect(await stopping).toEqual([4, 2]);
		expect(maxAtOnce(GENERATE)).toBeLessThanOrEqual(2);
	});
});

describe('Download of an image', () => {
	it.each<[string, Fault]>([
		['a response that the server is unavailable', { kind: 'html', status: 503 }],
		['a connection lost in the middle of the file', { kind: 'cut', afterBytes: 300 }],
		['a reset connection', { kind: 'resetBeforeHeaders' }],
	])('is repeated after %s, without a second request for the image', async (_what, fault) => {
		failing(FILES, fault);
		const { items, error } = await draw(1);
		expect(error).toBeUndefined();
		expect(items[0].binary!.data.bytes).toBe(items[0].json.bytes);
		expect(gateway.emulator.journal.count(FILES)).toBe(2);
		expect(gateway.emulator.journal.count(GENERATE)).toBe(1);
	});

	it('follows redirects to other hosts without the API key', async () => {
		const elsewhere = await startStrictEmulator();
		failing(FILES, { kind: 'redirect', location: `${elsewhere.url}/picture` });
		failing(FILES, { kind: 'redirect', location: `${elsewhere.url}/picture` });
		elsewhere.behaviour.set('*', {
			faults: [{ kind: 'status', status: 200, body: 'GIF89a…', contentType: 'application/octet-stream' }],
		});
		const { items } = await draw(1);
		expect(items[0].binary!.data).toMatchObject({ mimeType: 'image/gif', fileName: 'Row 0.gif' });
		expect(elsewhere.journal.entries().map(({ headers }) => headers.authorization)).toEqual(['missing']);
		await elsewhere.close();
	});

	const page = { kind: 'status', status: 200, body: '<!DOCTYPE html><p>Expired' } as const;

	it.each<[string, Fault, RegExp, number]>([
		['a missing file', { kind: 'status', status: 410 }, /status 410/, 1],
		['a forbidden file', { kind: 'html', status: 403 }, /status 403/, 1],
		['a permanently failing server', { kind: 'empty', status: 500 }, /status 500, tried 2 times/, 2],
		['a web page', { kind: 'html', status: 200 }, /text\/html instead of an image/, 1],
		['a web page declared as an image', { ...page, contentType: 'image/png' }, /a web page instead/, 1],
		['an empty file', { kind: 'empty', status: 200 }, /empty/, 1],
	])(
		'fails only its row for %s and keeps the address of the paid image',
		async (_what, fault, why, tries) => {
			failing(FILES, { ...fault, times: 'always' });
			const { outputs } = await draw(2, { options: { maxRetries: 1 } }, onErrorOutput);
			expect(outputs[0]).toEqual([]);
			expect(rowsOf(outputs[1])).toEqual([0, 1]);
			const [item] = outputs[1];
			expect(item.json.error).toMatch(/^The file could not be downloaded from localhost/);
			expect(item.json.error).toMatch(why);
			expect(detailsOf(item)).toMatchObject({
				kind: 'download',
				description: expect.stringContaining('paid for'),
				partial: { url: expect.stringMatching(/^http:\/\/localhost:.*\.png$/), image: 1, images: 1 },
			});
			expect(gateway.emulator.journal.count(GENERATE)).toBe(2);
			expect(gateway.emulator.journal.count(FILES)).toBe(2 * tries);
		},
	);

	it('fails only its row for a silent server and keeps the address of the paid image', async () => {
		failing(FILES, { kind: 'stall', afterBytes: 50, times: 'always' });
		const running = draw(2, { options: { maxRetries: 1, timeoutSeconds: 60 } }, onErrorOutput);
		// From here on, only the silent server is asked.
		await gateway.emulator.journal.until(2, FILES);
		const passing = setInterval(() => clock.pass(1_000), 10);
		const { outputs } = await running;
		clearInterval(passing);
		expect(rowsOf(outputs[1])).toEqual([0, 1]);
		expect(outputs[1][0].json.error).toMatch(/did not respond in time, tried 2 times/);
		expect(detailsOf(outputs[1][0])).toMatchObject({ kind: 'download', partial: { image: 1 } });
		expect(gateway.emulator.journal.count(GENERATE)).toBe(2);
	});

	it('fails for one of three images without affecting the others', async () => {
		gateway.emulator.behaviour.set(GENERATE, { images: { count: 3 } });
		failing(FILES, { kind: 'status', status: 410, skip: 1 });
		const { outputs } = await draw(1, {}, onErrorOutput);
		expect(outputs[0].map(({ json }) => json.image)).toEqual([1, 3]);
		expect(outputs[1].map((item) => detailsOf(item).partial)).toEqual([
			{ url: expect.stringMatching(/\.png$/), image: 2, images: 3 },
		]);
		expect(rowsOf([...outputs[0], ...outputs[1]])).toEqual([0, 0, 0]);
	});

	it('counts all files of an item together', async () => {
		gateway.emulator.behaviour.set(GENERATE, { images: { count: 3 } });
		const use = jest.spyOn(FileAllowance.prototype, 'use');
		await draw(2);
		const allowances = use.mock.contexts;
		use.mockRestore();
		expect(allowances).toHaveLength(6);
		expect(new Set(allowances).size).toBe(2);
	});

	it('keeps the address in the thrown failure', async () => {
		failing(FILES, { kind: 'status', status: 410 });
		const { error } = await draw(1);
		expect(error?.message).toMatch(/could not be downloaded .*\[item 0\]$/);
		expect(error?.context.details).toMatchObject({ partial: { url: expect.stringMatching(/^http/) } });
	});
});

describe('Documented image failure', () => {
	it.each([
		['noImage', /^The model returned no image/, 'Reference Images', 2],
		['uploadFailed', /^The image was generated, but the gateway could not store it/, 'a few minutes', 2],
		['noChoices', /^The model returned an empty response.*safety filter/, 'Change Prompt', 1],
	] as const)(
		'has its own advice for %s, and is sent again only if the user wants that',
		async (reason, message, advice, requests) => {
			failing(GENERATE, { kind: 'imageFailure', reason, times: 'always' });
			for (const retryUnclear of [false, true]) {
				gateway.emulator.journal.clear();
				const options = { maxRetries: 1, retryUnclear };
				const { outputs } = await draw(1, { options }, onErrorOutput);
				const [item] = outputs[1];
				const details = detailsOf(item);
				expect(item.json.error).toMatch(message);
				expect(item.json.error).toContain(`: ${details.gatewayMessage as string}`);
				expect(details.description).toContain(advice);
				expect(details.description).toContain('charged for it');
				expect(details.mayHaveBeenCarriedOut).toBe(true);
				const expected = retryUnclear ? requests : 1;
				expect(details.attempts).toBe(expected);
				expect(gateway.emulator.journal.count(GENERATE)).toBe(expected);
			}
		},
	);

	it.each([200, 400, 429, 500, 503])('is not sent again by itself with status %i', async (status) => {
		for (const message of [
			'no base64 image found in response',
			'Failed to upload image: 507 (request id: r-1)',
			'chat response contains no choices',
		]) {
			gateway.emulator.journal.clear();
			failing(GENERATE, { kind: 'status', status, body: { error: { message, type: '', code: '' } } });
			const { outputs } = await draw(1, {}, onErrorOutput);
			const [details] = outputs[1].map(detailsOf);
			expect(details).toMatchObject({ mayHaveBeenCarriedOut: true, attempts: 1, status });
			expect(details.description).not.toContain('was not carried out');
			expect(gateway.emulator.journal.count(GENERATE)).toBe(1);
		}
	});

	it('is sent again with the same idempotency key', async () => {
		const body = { error: { message: 'failed to upload image', type: 'server_error', code: 'server_error' } };
		failing(GENERATE, { kind: 'status', status: 500, body });
		const result = await draw(1, {}, {}, { credential: { idempotencyHeader: 'Idempotency-Key' } });
		expect(result.error).toBeUndefined();
		const sent = gateway.emulator.journal.entries(GENERATE).map(({ headers }) => headers['idempotency-key']);
		expect(sent).toHaveLength(2);
		expect(new Set(sent).size).toBe(1);
	});

	it('mentions Reference Images when one of them cannot be opened', async () => {
		const referenceImages = { image: [{ source: 'url', url: 'https://nowhere.invalid/a.png' }] };
		const { error } = await draw(1, { referenceImages, options: { maxRetries: 0 } });
		expect(error?.message).toMatch(/^The model returned no image: .* \[item 0\]$/);
		expect(error?.description).toContain('Reference Images');
	});
});

describe('Incomplete image response', () => {
	it('is not requested again, whether it ends in the text or in the image', async () => {
		for (const afterBytes of [20, 30_000]) {
			gateway.emulator.journal.clear();
			gateway.emulator.behaviour.set(GENERATE, {
				images: { answerAs: 'b64_json', fileBytes: 60_000 },
				faults: [{ kind: 'cut', afterBytes }],
			});
			const { error } = await draw(1);
			expect(error?.message).toContain('was lost before the response was complete');
			expect(error?.description).toContain('may have carried the request out');
			expect(gateway.emulator.journal.count(GENERATE)).toBe(1);
		}
	});
});
