import type { ExampleResult } from '../../tools/host/runExample';
import { useServer } from './useServer';

const n8n = useServer();

describe('Example "Rerank search results"', () => {
	let result: ExampleResult;
	let table: string[];

	beforeAll(async () => {
		n8n.emulator.journal.clear();
		result = await n8n.runExample('Rerank search results');
		table = (await n8n.rest.file(result.files[0].id)).toString().trim().split('\n');
	});

	it('sends the question with all results in one request and asks for the top five', () => {
		expect(result).toMatchObject({ succeeded: true, reason: undefined });
		expect(n8n.emulator.journal.entries().map(({ path, key }) => [path, key])).toEqual([
			['/v1/rerank', 'valid'],
		]);
		const [{ body }] = n8n.emulator.journal.entries();
		expect(body).toMatchObject({ query: expect.stringContaining('forgot my password') as string, top_n: 5 });
		expect((body as { documents: string[] }).documents).toHaveLength(24);
	});

	it('outputs the top five results, complete and in order', () => {
		expect(table[0]).toBe('title,snippet,url,relevanceScore');
		expect(table).toHaveLength(6);
		expect(table[1]).toContain('The reset mail does not arrive');
		const scores = table.slice(1).map((line) => Number(line.split(',').at(-1)));
		expect(scores).toEqual([...scores].sort((one, other) => other - one));
		expect(scores[4]).toBeGreaterThan(0);
	});
});
