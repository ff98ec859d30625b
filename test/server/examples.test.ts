import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

import { readCodeExamples } from '../../tools/host/codeExamples';
import { startOf, triggerOf } from '../../tools/host/examples';
import { reasonsOf } from '../../tools/host/report';
import type { Workflow } from '../../tools/host/n8nTypes';
import { folders } from '../../tools/host/folders';
import { useServer } from './useServer';
import { describeSince, isSince, WITH_AI_SDK, WITH_TABLES } from './versions';

const n8n = useServer();

const has = ({ nodes }: Workflow, name: string) => nodes.some(({ type }) => type.endsWith(`.${name}`));

const examples = readdirSync(folders.examples)
	.filter((file) => file.endsWith('.json'))
	.map((file) => JSON.parse(readFileSync(path.join(folders.examples, file), 'utf8')) as Workflow)
	// Without tables, the morning examples still make their episodes (server.test.ts).
	.filter((example) => isSince(WITH_TABLES) || !has(example, 'dataTable'));

type Connections = Record<string, { main?: Array<Array<{ node: string }> | null> }>;

/** Where items go only when something has failed, or is of another kind: not at an error output. */
const OTHER_BRANCHES = [
	'Unfinished songs',
	'What is wrong',
	'Read workbook',
	'File',
	'Forget old episodes',
	'删除旧节目',
	'Wait 20 minutes',
	'等待 20 分钟',
	'停止',
];

/** The nodes that must have run: all nodes that are reachable when no item fails. */
function expectedNodes(example: Workflow): string[] {
	const reached = new Set<string>();
	const visit = (name: string): void => {
		const node = example.nodes.find((candidate) => candidate.name === name);
		if (!node || node.disabled || reached.has(name) || OTHER_BRANCHES.includes(name)) return;
		reached.add(name);
		const outputs = (example.connections as Connections)[name]?.main ?? [];
		const regular = node.onError === 'continueErrorOutput' ? outputs.slice(0, -1) : outputs;
		for (const target of regular.flatMap((targets) => targets ?? [])) visit(target.node);
	};
	visit(startOf(example).trigger);
	return [...reached].sort();
}

/** Whether the n8n that is tested is too old for a workflow, because it has no SDK for Unified AI Chat Model. */
const isTooOldFor = (workflow: Workflow) => !isSince(WITH_AI_SDK) && has(workflow, 'chatModel');

describe('Examples', () => {
	it.each(examples.map((example) => [example.name, example] as const))(
		'run every node of "%s" without a failure',
		async (name, example) => {
			const result = await n8n.runExample(name);
			const report = reasonsOf(result);
			if (isTooOldFor(example)) return expect(report.join()).toContain('Update n8n');
			expect({ report, succeeded: result.succeeded }).toEqual({ report: [], succeeded: true });
			const ran = result.nodes.filter(({ items }) => items > 0).map(({ name: node }) => node);
			expect(ran).toEqual(expect.arrayContaining(expectedNodes(example)));
		},
	);
});

describe('Examples in code', () => {
	const inCode = readCodeExamples().map(({ sentence, workflow }) => [sentence, workflow] as const);

	it.each(inCode)('do what they say: %s', async (_sentence, workflow) => {
		const id = await n8n.rest.saveWorkflow(n8n.prepare(workflow));
		const { status, runData } = await n8n.rest.runWorkflow(id, triggerOf(workflow)!, 120_000);
		if (isTooOldFor(workflow)) return expect(JSON.stringify(runData)).toContain('Update n8n');
		expect(status).toBe('success');
		const failed = Object.values(runData)
			.flat()
			.filter(({ error }) => error);
		expect(failed).toEqual([]);
		expect(Object.keys(runData)).toEqual(expect.arrayContaining(expectedNodes(workflow)));
	});
});

describe('What examples end in', () => {
	it.each([
		['Daily briefing', ['.mp3', '.srt', '.vtt']],
		['Morning show', ['.mp3', '.srt', '.vtt']],
		['Classify rows', ['feedback.csv']],
		['Pictures and voice for a script', ['scene-1.png', 'scene-4.png', 'Voice-over.mp3', 'Voice-over.srt']],
	])('%s: %j', async (name, endings) => {
		const names = (await n8n.runExample(name)).files.map(({ fileName }) => fileName);
		for (const ending of endings) {
			expect(names).toContainEqual(expect.stringContaining(ending));
		}
	});

	it('Images from a spreadsheet: drafts of all rows, and only the ticked ones large, with their drafts', async () => {
		const { files } = await n8n.runExample('Images from a spreadsheet');
		const bodies = n8n.emulator.journal
			.entries('POST /v1/images/generations')
			.map(({ body }) => body as ImageRequest);
		expect(bodies.map(({ size }) => size)).toEqual(['512', '512', '512', '512', '512', '2K', '2K']);
		const contentOf = async (name: string) => {
			const { id } = files.find(({ fileName }) => fileName === name)!;
			return await n8n.rest.file(id);
		};
		const ticked = ['lighthouse', 'red-fox'];
		const drafts = await Promise.all(ticked.map(async (name) => await contentOf(`${name}.png`)));
		// Rows are drawn at the same time.
		const references = bodies.slice(5).flatMap(({ extra_fields }) => extra_fields.reference_images);
		const wanted = drafts.map((draft) => `data:image/png;base64,${draft.toString('base64')}`);
		expect(references.sort()).toEqual(wanted.sort());
		const zip = (await contentOf('images.zip')).toString('latin1');
		for (const name of ['contact-sheet.html', 'cost-log.xlsx', 'lighthouse.png', 'red-fox.png']) {
			expect(zip).toContain(name);
		}
		const sheet = (await contentOf('contact-sheet.html')).toString();
		expect(sheet.match(/<img /g)).toHaveLength(5);
		expect(sheet).toContain('Summer on the green&#34;');
		expect(sheet).toMatch(/<b>unfinished<\/b> {2}<em>Prompt/);
	});
});

interface ImageRequest {
	size: string;
	extra_fields: { reference_images?: string[] };
}

/** Text that XML cannot contain, or only escaped. */
const AWKWARD = 'News ]]> & <b> "quoted" \u0001\u001f\ufffe';

describeSince(WITH_TABLES)('The podcast', () => {
	const feedOf = async () => (await n8n.runExample('Podcast')).served!;

	it('has every episode of the morning examples, for any text', async () => {
		const parse = async (feed: string) => await new (rssParser())().parseString(feed);
		const before = (await parse(await feedOf())).items.length;
		await n8n.runExample('Morning show');
		await n8n.runExample('每日简报');
		const example = n8n.prepare(await n8n.example('Daily briefing'));
		const nodes = example.nodes.map((node) => {
			const tags = { ...(node.parameters.tags as object), title: AWKWARD };
			return node.name === 'Speak' ? { ...node, parameters: { ...node.parameters, tags } } : node;
		});
		const id = await n8n.rest.saveWorkflow({ ...example, name: 'Awkward briefing', nodes });
		expect(await n8n.rest.runWorkflow(id, 'Start', 120_000)).toMatchObject({ status: 'success' });

		const feed = await feedOf();
		const { items, itunes } = await parse(feed);
		expect(items).toHaveLength(before + 3);
		expect(items[0].title.trim()).toBe('News ]]> & <b> "quoted"');
		expect(items[1].title).toMatch(/^每日简报/);
		expect(itunes.image).toMatch(/\.png$/);
		// Both briefings may be made in the same second.
		expect(new Set(items.map(({ guid }) => guid)).size).toBe(before + 3);
		for (const { enclosure, guid, itunes: own } of items) {
			expect(guid).toMatch(/^(?:daily-briefing|morning-show)-\d{8}-\d+$/);
			expect(Number(own.duration)).toBeGreaterThan(10);
			const audio = await fetch(enclosure.url);
			expect(audio.headers.get('content-type')).toBe('audio/mpeg');
			expect((await audio.arrayBuffer()).byteLength).toBe(Number(enclosure.length));
		}
		for (const [, address, type] of feed.matchAll(/<podcast:\w+ url="([^"]+)" type="([^"]+)"/g)) {
			const file = await fetch(address);
			expect([file.status, file.headers.get('content-type')]).toEqual([200, type]);
		}
	});

	it('serves parts of the audio', async () => {
		const [, address, length] = /<enclosure url="([^"]+)" length="(\d+)"/.exec(await feedOf())!;
		const all = Buffer.from(await (await fetch(address)).arrayBuffer());
		const last = Number(length) - 1;
		const answerTo = async (range: string, method = 'GET') => {
			const { status, headers } = await fetch(address, { method, headers: { range } });
			return [status, headers.get('content-range'), headers.get('content-length')];
		};
		expect(await answerTo('bytes=0-1')).toEqual([206, `bytes 0-1/${length}`, '2']);
		expect(await answerTo('bytes=100-')).toEqual([206, `bytes 100-${last}/${length}`, `${last - 99}`]);
		expect(await answerTo('bytes=-50')).toEqual([206, `bytes ${last - 49}-${last}/${length}`, '50']);
		expect(await answerTo(`bytes=${length}-`)).toEqual([416, `bytes */${length}`, expect.any(String)]);
		expect(await answerTo('bytes=0-1', 'HEAD')).toEqual([206, `bytes 0-1/${length}`, '2']);
		const part = await fetch(address, { headers: { range: 'bytes=1000-1999' } });
		expect(Buffer.from(await part.arrayBuffer())).toEqual(all.subarray(1000, 2000));
		expect((await fetch(address.replace(/file=.*/, 'file=none'))).status).toBe(404);
	});
});

describeSince(WITH_TABLES)('Digest of feeds', () => {
	const SPEECH = 'POST /v1/audio/speech';
	const table = 'Stories of the test';
	const told = async () => (await n8n.rest.dataTableRows(table)).map(({ link }) => link);
	const sent = (path: string) => n8n.emulator.journal.entries(`POST ${path}`);
	let workflowId: string;

	const run = async () => {
		n8n.emulator.journal.clear();
		expect(await n8n.rest.runWorkflow(workflowId, 'Start', 120_000)).toMatchObject({ status: 'success' });
	};

	beforeAll(async () => {
		const example = n8n.prepare(await n8n.example('Digest of feeds'));
		const text = JSON.stringify(example.nodes).replace(
			'"tableName":"Told stories"',
			`"tableName":"${table}"`,
		);
		const nodes = JSON.parse(text) as Workflow['nodes'];
		workflowId = await n8n.rest.saveWorkflow({ ...example, name: 'Digest of the test', nodes });
	});

	it('loses no story at a crash', async () => {
		n8n.emulator.behaviour.set(SPEECH, { latencyMs: 1000 });
		await n8n.rest.startWorkflow(workflowId, 'Start');
		await n8n.emulator.journal.until(1, SPEECH, 60_000);
		await Promise.all([n8n.server, ...n8n.workers].map((server) => server.kill()));
		await n8n.restart();
		expect(await told()).toEqual([]);
	});

	it('tells an event of two feeds once, and a story that could not be spoken in the next run', async () => {
		n8n.emulator.behaviour.set(SPEECH, {
			faults: [{ kind: 'status', status: 400, when: 'hives', times: 1 }],
		});
		await run();
		expect(sent('/v1/embeddings')).toHaveLength(1);
		expect(sent('/v1/chat/completions')).toHaveLength(5);
		expect(await told()).toHaveLength(5);
		await run();
		expect(sent('/v1/chat/completions')).toHaveLength(1);
		expect((await told()).sort()).toEqual([
			'https://river.example/1',
			'https://river.example/2',
			...[1, 2, 3, 4].map((post) => `https://town.example/${post}`),
		]);
	});

	it('sends nothing when nothing is new', async () => {
		await run();
		expect(n8n.emulator.journal.entries().filter(({ method }) => method === 'POST')).toEqual([]);
	});
});

interface ParsedFeed {
	items: Array<{
		title: string;
		guid: string;
		enclosure: { url: string; length: string };
		itunes: { duration: string };
	}>;
	itunes: { image: string };
}

/** The parser of n8n's RSS node. */
function rssParser(): new () => { parseString(feed: string): Promise<ParsedFeed> } {
	return createRequire(n8n.installation.n8n)('rss-parser') as ReturnType<typeof rssParser>;
}
