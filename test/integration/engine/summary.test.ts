import { useFastClock } from '../faults/fastClock';
import { useChat } from './useChat';

useFastClock(20);
const chat = useChat();
const rows = Array.from({ length: 20 }, (_, row) => ({ json: { row } }));
const perRow = { prompt: '=Row {{ $json.row }}.' };

describe('Summary of a run in n8n', () => {
	it('has the numbers that the gateway counted', async () => {
		chat.fail(
			'POST /v1/*',
			{ kind: 'status', status: 400, when: 'Row 7.', times: 'always' },
			{ kind: 'status', status: 500, when: 'Row 9.', times: 'always' },
			{ kind: 'status', status: 503, when: 'Row 11.' },
		);
		const { items, hints } = await chat.ask(
			'chatCompletion',
			perRow,
			{ input: rows },
			{ onError: 'continueRegularOutput' },
		);
		const { journal } = chat.emulator;
		const sum = (name: string) =>
			items.reduce((total, { json }) => total + Number(json[name] ?? 0), 0).toLocaleString('en-US');
		expect(hints).toHaveLength(1);
		expect(hints[0]).toMatch(/^20 items in .+: 18 done, 2 failed\. Failures: 1 × .+; 1 × .+\. /);
		expect(hints[0]).toContain(
			` ${journal.count()} requests, of which 4 repeated an earlier one. Tokens: ${sum('inputTokens')} input, ${sum('outputTokens')} output.`,
		);
		expect(journal.count()).toBe(24);
	});

	it('says when all requests were identical', async () => {
		const { hints } = await chat.ask('chatCompletion', { prompt: 'Row' }, { input: rows.slice(0, 3) });
		expect(hints).toEqual([
			expect.stringContaining(
				' 3 requests. All 3 requests were identical. Check the expressions in the parameters. Tokens: ',
			),
		]);
	});

	it.each([
		['keeps the fields of the input, also beside a failure', true],
		['has only the answer otherwise', false],
	])('%s', async (_, keeps) => {
		const options = keeps ? { includeInputFields: true } : {};
		// The answer has the same finish reason, which replaces nothing.
		const input = [{ json: { row: 1, text: 'Mine', finishReason: 'stop' } }, { json: { row: 2 } }];
		chat.fail('POST /v1/*', { kind: 'status', status: 400, when: 'Row 2.' });
		const { items, hints } = await chat.ask(
			'chatCompletion',
			{ ...perRow, options },
			{ input },
			{ onError: 'continueRegularOutput' },
		);
		expect(items.map(({ json }) => json.row)).toEqual(keeps ? [1, 2] : [undefined, undefined]);
		expect(items[0].json.text).toContain('Row 1.');
		expect(items[1].json.error).toBeDefined();
		const hint = 'Fields of the input were replaced by fields of the output: text.';
		expect(hints.includes(hint)).toBe(keeps);
	});
});
