import type { INodeParameters } from 'n8n-workflow';
import { retryRun } from '../engine/retry';
import { chosen } from '../engine/chosen';
import { oneNode, runWorkflow } from '../engine/runWorkflow';
import { useEmulator } from '../engine/useEmulator';

const gateway = useEmulator();
const SECRET = 'token-4711-abcdef';
const withHeaders = (credential: object) => ({
	...credential,
	headers: { values: [{ name: 'X-Route', value: SECRET }] },
});
const chat = (prompt: string, tag: string, more: INodeParameters = {}) =>
	oneNode('chat', {
		operation: 'chatCompletion',
		model: chosen('aurora-4'),
		prompt,
		options: { headers: { values: [{ name: 'x-tag', value: tag }] }, ...more },
	});

describe('Headers', () => {
	it('of the credential and of the node reach the gateway, and those of the credential never leave the node', async () => {
		const { items, saved } = await runWorkflow(chat(`Say ${SECRET}.`, 'night-run'), {
			credential: withHeaders(gateway.credential()),
		});
		const [{ headers }] = gateway.emulator.journal.entries();
		expect(headers).toMatchObject({ 'x-route': SECRET, 'x-tag': 'night-run', authorization: 'valid' });
		expect(JSON.stringify(items)).toContain('[API key]');
		expect(JSON.stringify(items)).not.toContain(SECRET);
		// The prompt itself is a parameter of the workflow, and not part of the execution.
		expect(saved).not.toContain(SECRET);
	});

	it('do not change what a retry pays for', async () => {
		gateway.fail('POST /v1/*', {
			kind: 'status',
			status: 400,
			when: 'Row 1.',
			body: { error: { message: 'No.' } },
		});
		const run = { credential: gateway.credential(), input: [0, 1].map((row) => ({ json: { row } })) };
		const prompt = '=Row {{ $json.row }}.';
		const failed = await runWorkflow(chat(prompt, 'first', { parallelRequests: 1 }), run);
		expect(failed.error?.message).toContain('No.');
		const { items } = await retryRun(chat(prompt, 'second'), failed, run);
		expect(items).toHaveLength(2);
		const tags = gateway.emulator.journal.entries().map(({ headers }) => headers['x-tag']);
		expect(tags).toEqual(['first', 'first', 'second']);
	});
});
