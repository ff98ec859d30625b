import { useChat } from '../engine/useChat';

const chat = useChat(1e7);
const rows = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ json: { prompt: `Row ${index}` } }));
const runRows = async (count: number, parallelRequests = 10, settings = {}, more = {}) =>
	await chat.run(
		'chatCompletion',
		{ prompt: '={{ $json.prompt }}', options: { parallelRequests } },
		{ input: rows(count), ...more },
		settings,
	);

describe('Batch of Unified AI Chat', () => {
	it('loses no other item when one of 20 fails and the node continues on failure', async () => {
		chat.emulator.behaviour.set('POST /v1/chat/completions', {
			faults: [{ kind: 'status', status: 400, when: 'Row 7"', times: 'always' }],
		});
		const { outputs } = await runRows(20, 10, { onError: 'continueErrorOutput' });
		expect(outputs[0]).toHaveLength(19);
		expect(outputs[1]).toHaveLength(1);
		expect(outputs[1][0].pairedItem).toEqual({ item: 7 });
		expect(outputs[1][0].json).toEqual({
			error: expect.stringContaining('rejected the request'),
			details: expect.objectContaining({ status: 400, attempts: 1 }),
		});
	});

	it('finishes the items in progress when it stops at a failing item, and keeps them in the thrown error', async () => {
		chat.emulator.behaviour.set('POST /v1/chat/completions', {
			latencyMs: 50,
			faults: [{ kind: 'status', status: 400, when: 'Row 2"' }],
		});
		const { error } = await runRows(20, 3);
		expect(error?.message).toContain('(row 3 of ');
		const finished = error?.context.finishedResults as unknown as object[];
		const paid = chat.emulator.journal.entries(({ status }) => status === 200).length;
		expect(finished).toHaveLength(paid);
		expect(paid).toBeLessThan(6);
		expect(finished[0]).toEqual({ item: 0, json: expect.objectContaining({ text: expect.any(String) }) });
	});

	it('sends nothing again that waits for a limit when it stops at a failing item', async () => {
		const refused = [0, 1, 2].map((row) => ({
			kind: 'status' as const,
			status: 429,
			when: `Row ${row}"`,
			headers: { 'retry-after': '60' },
		}));
		const rejected = { kind: 'status' as const, status: 400, when: 'Row 3"' };
		chat.emulator.behaviour.set('POST /v1/chat/completions', { faults: [...refused, rejected] });
		const { error } = await runRows(10, 5);
		expect(error?.message).toContain('(row 4 of ');
		const sent = chat.emulator.journal.entries().map(({ body }) => JSON.stringify(body));
		expect(sent.filter((body) => /Row [0-2]"/.test(body))).toHaveLength(3);
	});

	it('stops when it is canceled, without waiting for answers, and closes the connections', async () => {
		// If the run waited for an answer, the test would exceed its time limit.
		chat.emulator.behaviour.set('POST /v1/chat/completions', { latencyMs: 600_000 });
		const onStart = (cancel: () => void) => void chat.emulator.journal.until(10).then(cancel);
		await runRows(20, 10, {}, { onStart }).catch(() => undefined);
		await chat.emulator.journal.until(10, ({ closedByClient }) => closedByClient);
		expect(chat.emulator.journal.count()).toBe(10);
	});
});
