import { readFile } from 'node:fs/promises';

import type { Workflow } from '../../tools/host/n8nTypes';
import { askChat, textOf } from './callStreaming';
import { useServer } from './useServer';
import { executionsOf } from './workflows';

/** These tests run only with `npm run test:server -- --queue` or `--production`, in addition to the other test files. */
const n8n = useServer();

/** Publishes a workflow whose webhook answers questions with a chat model. */
async function publishQuestions(): Promise<void> {
	const streaming = await n8n.example('Streaming chat');
	const workflow: Workflow = n8n.prepare({ ...streaming, name: 'Questions' });
	await n8n.rest.publish(await n8n.rest.saveWorkflow(workflow));
}

describe('n8n in queue mode', () => {
	it('runs executions on all workers and none in the main process', async () => {
		expect(n8n.workers.length).toBeGreaterThan(1);
		await publishQuestions();
		n8n.emulator.behaviour.set('POST /v1/chat/completions', { stream: { deltaDelayMs: 30 } });
		const questions = Array.from({ length: 12 }, (_, index) => `Why is ${index} a number?`);
		const answers = await Promise.all(
			questions.map(async (question) => await askChat(n8n, 'streaming-chat', question, question)),
		);
		for (const [index, lines] of answers.entries()) {
			expect(lines.at(-1)?.type).toBe('end');
			expect(textOf(lines)).toContain(questions[index]);
		}
		const perWorker = await Promise.all(n8n.workers.map(({ logFile }) => executionsOf(logFile)));
		for (const executions of perWorker) expect(executions.length).toBeGreaterThan(0);
		expect(new Set(perWorker.flat()).size).toBe(questions.length);
		expect(await executionsOf(n8n.server.logFile)).toEqual([]);
	});

	it('runs "Execute workflow" on a worker, including its files', async () => {
		const before = (await Promise.all(n8n.workers.map(({ logFile }) => executionsOf(logFile)))).flat();
		const result = await n8n.runExample('Daily briefing');
		expect(result).toMatchObject({ succeeded: true });
		expect(result.files.map(({ node }) => node)).toEqual(['Speak', 'Speak', 'Speak']);
		const after = (await Promise.all(n8n.workers.map(({ logFile }) => executionsOf(logFile)))).flat();
		expect(after).toHaveLength(before.length + 1);
	});

	it('does not write the API key to the logs of its processes', async () => {
		for (const { logFile } of [n8n.server, ...n8n.workers]) {
			expect(await readFile(logFile, 'utf8')).not.toContain(n8n.emulator.apiKey);
		}
	});
});
