import { manualTrigger, workflowNode as node } from '../../tools/host/workflowBuilder';
import { eventually } from '../integration/engine/eventually';
import { type LocalServer, startLocalServer } from '../localServer';
import { byId, type Link, newestAgent, run, workflowOf } from './workflows';
import { apiKey, useServer } from './useServer';
import { describeSince, WITH_TRACES } from './versions';

/** What a collector of OpenTelemetry has received over HTTP; the texts in it are as they are. */
const received: string[] = [];
let collector: LocalServer;

describeSince(WITH_TRACES)("n8n's traces", () => {
	const environment: NodeJS.ProcessEnv = {
		N8N_OTEL_ENABLED: 'true',
		N8N_OTEL_TRACES_PRODUCTION_ONLY: 'false',
	};
	beforeAll(async () => {
		collector = await startLocalServer((_request, response, body) => {
			received.push(body.toString());
			response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
		});
		environment.N8N_OTEL_EXPORTER_OTLP_ENDPOINT = collector.url;
	});
	const n8n = useServer(environment);
	afterAll(async () => await collector.close());

	it('have a span for each run of a node, and what the run was, without texts and the key', async () => {
		const model = byId('aurora-4');
		const type = (name: string) => `${n8n.packageName}.${name}`;
		const prompt = 'The secret of the lighthouse';
		const agent = { promptType: 'define', text: prompt, options: {} };
		const options = { headers: { values: [{ name: 'x-tag', value: 'night-run' }] } };
		const nodes = [
			manualTrigger(),
			node('Chat', type('chat'), 1, { operation: 'chatCompletion', model, prompt, options }),
			node('Agent', '@n8n/n8n-nodes-langchain.agent', newestAgent(n8n.nodeTypes), agent),
			node('Model', type('chatModel'), 1, { model, format: 'chat', options: {} }),
		];
		const links: Link[] = [
			['Start', 'Chat'],
			['Chat', 'Agent'],
			['Model', 'Agent', 'ai_languageModel'],
		];
		const execution = await run(n8n, workflowOf(n8n, nodes, links));
		expect(execution.status).toBe('success');

		const traceOf = (name: string) => execution.runData[name][0].metadata?.tracing;
		const everyRun = {
			'gateway.model': 'aurora-4',
			'gateway.requests': 1,
			'gateway.retries': 0,
			'gateway.waited_ms': 0,
			'llm.tokens.in': expect.any(Number),
			'llm.tokens.out': expect.any(Number),
			'llm.tokens.total': expect.any(Number),
			'llm.cost.total': expect.any(Number),
		};
		const own = { 'gateway.operation': 'chatCompletion', 'gateway.reused_items': 0 };
		expect(traceOf('Chat')).toEqual({ ...everyRun, ...own });
		expect(traceOf('Model')).toEqual(everyRun);
		// n8n itself notes the tokens of a chat model at the node that uses it.
		expect(traceOf('Agent')).toMatchObject({ 'llm.tokens.in': traceOf('Model')?.['llm.tokens.in'] });

		await eventually(() => received.some((text) => text.includes('workflow.execute')));
		const sent = received.join();
		// In a span, a few bytes stand between the name of an attribute and its text.
		for (const name of ['Chat', 'Agent', 'Model']) {
			expect(sent).toMatch(new RegExp(`n8n\\.node\\.name[^]{1,4}${name}`));
		}
		expect(sent).not.toContain(apiKey);
		expect(sent).not.toContain(prompt);
		const tags = n8n.emulator.journal.entries().map(({ headers }) => headers['x-tag']);
		expect(tags).toEqual(['night-run', undefined]);
	});
});
