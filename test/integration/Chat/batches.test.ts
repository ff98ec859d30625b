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
});
