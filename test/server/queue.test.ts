import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

import { findRedis } from '../../tools/host/redis';
import type { Workflow } from '../../tools/host/rest';
import { useServer } from './useServer';

/** Runs only with `npm run test:server -- --queue`; the other test files run there too, on the workers. */
const n8n = useServer();

const started = /Worker started execution (\d+)/g;

async function executionsOf(logFile: string): Promise<string[]> {
	return [...(await readFile(logFile, 'utf8')).matchAll(started)].map(([, id]) => id);
}

/** Calls a webhook and gives the text of its answer. */
async function call(path: string, body: object): Promise<string> {
	for (let tries = 0; ; tries++) {
		const response = await fetch(`${n8n.server.url}/webhook/${path}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
		const text = await response.text();
		// Webhooks register a moment after their workflow is published.
		if (response.status !== 404 || tries > 40) {
			expect({ status: response.status, text }).toMatchObject({ status: 200 });
			return text;
		}
		await sleep(250);
	}
}

/** A workflow behind a webhook that answers each question with a model. */
async function publishQuestions(): Promise<void> {
	const streaming = await n8n.example('Streaming chat');
	const workflow: Workflow = n8n.prepare({ ...streaming, name: 'Questions' });
	await n8n.rest.publish(await n8n.rest.saveWorkflow(workflow));
}

describe('an n8n in queue mode', () => {
	it('executes on all workers, and nothing in the main process', async () => {
		expect(n8n.workers).toHaveLength(2);
		await publishQuestions();
		n8n.emulator.behaviour.set('POST /v1/chat/completions', { stream: { deltaDelayMs: 30 } });
		const questions = Array.from({ length: 12 }, (_, index) => `Why is ${index} a number?`);
		const answers = await Promise.all(
			questions.map(async (question) => await call('streaming-chat', { question })),
		);
		n8n.emulator.behaviour.reset();

		answers.forEach((answer, index) => {
			expect(answer).toContain('"type":"end"');
			const words = answer
				.split('\n')
				.filter(Boolean)
				.map((line) => (JSON.parse(line) as { content?: string }).content ?? '')
				.join('');
			expect(words).toContain(questions[index]);
		});
		const perWorker = await Promise.all(n8n.workers.map(({ logFile }) => executionsOf(logFile)));
		for (const executions of perWorker) expect(executions.length).toBeGreaterThan(0);
		expect(new Set(perWorker.flat()).size).toBe(questions.length);
		expect(await executionsOf(n8n.server.logFile)).toEqual([]);
	});

	it('runs an example from its button on a worker, files included', async () => {
		const before = (await Promise.all(n8n.workers.map(({ logFile }) => executionsOf(logFile)))).flat();
		const result = await n8n.runExample('Daily briefing');
		expect(result).toMatchObject({ succeeded: true });
		expect(result.files).toHaveLength(1);
		const after = (await Promise.all(n8n.workers.map(({ logFile }) => executionsOf(logFile)))).flat();
		expect(after).toHaveLength(before.length + 1);
	});

	it('keeps the key out of the logs of all its processes', async () => {
		for (const { logFile } of [n8n.server, ...n8n.workers]) {
			expect(await readFile(logFile, 'utf8')).not.toContain(n8n.emulator.apiKey);
		}
	});
});

describe('a machine without Redis', () => {
	it('is told how to get it', () => {
		expect(() => findRedis({ PATH: '/nowhere' })).toThrow('there is no redis-server on this machine');
		expect(() => findRedis({ REDIS_SERVER_PATH: '/nowhere/redis' })).toThrow('which is not a program');
	});
});
