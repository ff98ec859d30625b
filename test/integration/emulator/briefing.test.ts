import { readFileSync } from 'node:fs';
import path from 'node:path';

import type { INode } from 'n8n-workflow';

import { fileBytes, runWorkflow, type WorkflowJson } from '../engine/runWorkflow';
import { mp3Frames } from './audioFiles';
import { chatBody, speechBody, useGateway } from './gateway';

const gateway = useGateway({ now: () => Date.UTC(2026, 7, 21, 4) });

describe('News briefing against the emulator', () => {
	it('turns the news into a script and the script into speech', async () => {
		const digest = await gateway.get('/v2/apis/60s');
		expect(digest.data.code).toBe(200);
		const headlines: string[] = digest.data.data.news;
		expect(headlines.length).toBeGreaterThan(5);

		const prompt = `把下面的新闻写成播报稿：\n\n${headlines.join('\n')}`;
		const chat = await gateway.post('/v1/chat/completions', chatBody(prompt));
		const script: string = chat.data.choices[0].message.content;
		for (const headline of headlines) expect(script).toContain(headline);

		const audio = await gateway.post('/v1/audio/speech', speechBody(script, { voice: '新闻主播' }), {
			responseType: 'arraybuffer',
		});
		expect(mp3Frames(Buffer.from(audio.data)).seconds).toBeGreaterThan(script.length / 14);
	});

	it('applies key, rules and journal to the utility endpoints', async () => {
		const path = '/v2/apis/60s';
		expect((await gateway.get(path, { headers: { Authorization: null } })).status).toBe(401);
		gateway.emulator.behaviour.set('GET /v2/apis/*', { faults: [{ kind: 'html', status: 502 }] });
		expect((await gateway.get(path)).status).toBe(502);
		expect((await gateway.get(`${path}?encoding=text`)).status).toBe(200);
		expect(gateway.emulator.journal.entries().map(({ status }) => status)).toEqual([401, 502, 200]);
	});
});

describe('Example of the daily briefing', () => {
	/** Runs the gateway's nodes of an example in n8n's engine; returns what was sent to be spoken, and the audio. */
	async function run(file: string) {
		const text = readFileSync(path.join(__dirname, '../../../examples', file), 'utf8');
		const example = JSON.parse(text) as WorkflowJson;
		const nodes = example.nodes.filter(({ type }) => type.startsWith('n8n-nodes-unified-ai-gateway.'));
		const withCredential = (node: INode) => ({
			...node,
			credentials: { unifiedAiGatewayApi: { id: '1', name: 'Test' } },
		});
		const { apiKey, url: baseUrl } = gateway.emulator;
		const workflow = {
			nodes: nodes.map(withCredential),
			connections: Object.fromEntries(
				nodes.slice(0, -1).map(({ name }) => [name, example.connections[name]]),
			),
		};
		const { items, error } = await runWorkflow(workflow, { credential: { baseUrl, apiKey } });
		expect(error).toBeUndefined();
		const spoken = gateway.emulator.journal
			.entries(({ path: address }) => address === '/v1/audio/speech')
			.map(({ body }) => body as { input: string; voice: string });
		const audio = items[0].binary?.data;
		return {
			script: spoken.map(({ input }) => input).join(' '),
			voices: [...new Set(spoken.map(({ voice }) => voice))],
			seconds: audio ? mp3Frames(await fileBytes(audio)).seconds : 0,
		};
	}

	beforeAll(() => {
		jest.spyOn(Date, 'now').mockReturnValue(new Date(2026, 7, 21, 12).getTime());
	});
	afterAll(() => {
		jest.restoreAllMocks();
	});

	it('is in English, with the date of today, for readers of the English README', async () => {
		const { script, voices, seconds } = await run('daily-briefing.json');
		expect(script).toMatch(/^Good morning, and welcome to your briefing for Friday, 21 August 2026\. /);
		expect(script).toMatch(/see you tomorrow\.$/);
		expect(script).not.toMatch(/[^\p{ASCII}]/u);
		expect(script.length).toBeGreaterThan(800);
		expect(voices).toEqual(['Anders']);
		expect(seconds).toBeGreaterThan(30);
	});

	it('is in Chinese, with the date of today, for readers of the Chinese README', async () => {
		const { script, voices, seconds } = await run('daily-briefing.zh-CN.json');
		expect(script).toMatch(/^大家好，今天是2026年8月21日，星期五，欢迎收听新闻简报。/);
		expect(script).toMatch(/再见。$/);
		expect(script).not.toMatch(/\p{Script=Latin}{8}/u);
		expect(voices).toEqual(['新闻主播']);
		expect(seconds).toBeGreaterThan(30);
	});
});
