import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { credentialType, importExamples } from '../../tools/host/examples';
import type { Workflow } from '../../tools/host/n8nTypes';
import { folders } from '../../tools/host/folders';
import type { ExampleResult } from '../../tools/host/runExample';
import { decode } from '../audioTools';
import { apiKey, useServer } from './useServer';

const n8n = useServer();
/** That of `decode`, in Hertz. */
const SAMPLE_RATE = 24_000;

describe('The package from its tarball', () => {
	it('registers every node with a display name that starts with "Unified AI"', async () => {
		const manifest = JSON.parse(await readFile(path.join(folders.project, 'package.json'), 'utf8')) as {
			n8n: { nodes: string[] };
		};
		const ours = n8n.nodeTypes.filter(({ name }) => name.startsWith(`${n8n.packageName}.`));
		const files = ours
			.map(({ name }) => name.slice(n8n.packageName.length + 1))
			.filter((name) => !name.endsWith('Tool'));
		const expected = manifest.n8n.nodes.map((file) => path.basename(file, '.node.js'));
		expect(files.map((name) => name[0].toUpperCase() + name.slice(1)).sort()).toEqual(expected.sort());
		for (const { displayName } of ours) expect(displayName).toMatch(/^Unified AI /);
	});

	it('registers the credential type', async () => {
		const types = await n8n.rest.credentialTypes();
		expect(types.map(({ name }) => name)).toContain(credentialType);
	});

	it('serves the icons of every node and of the credential', async () => {
		const withIcons = [...n8n.nodeTypes, ...(await n8n.rest.credentialTypes())].filter(
			({ name }) => name.startsWith(`${n8n.packageName}.`) || name === credentialType,
		);
		const urls = withIcons.flatMap(({ iconUrl }) =>
			typeof iconUrl === 'object' ? Object.values(iconUrl) : [iconUrl],
		);
		expect(urls.length).toBeGreaterThan(withIcons.length);
		for (const url of new Set(urls)) {
			const response = await fetch(`${n8n.server.url}/${url}`);
			expect({ url, status: response.status }).toEqual({ url, status: 200 });
			expect(await response.text()).toContain('<svg');
		}
	});

	it('loads without warnings', async () => {
		const log = await readFile(n8n.server.logFile, 'utf8');
		const about = log
			.split('\n')
			.filter((line) => line.includes(n8n.packageName) || /failed to load|error loading/i.test(line))
			// Some versions of n8n log warnings about their own nodes.
			.filter((line) => !line.includes('"n8n-nodes-base.'));
		expect(about).toEqual([]);
	});
});

describe('Example "Daily briefing"', () => {
	let briefing: Workflow;
	let result: ExampleResult;

	beforeAll(async () => {
		briefing = await n8n.example('Daily briefing');
		n8n.emulator.journal.clear();
		result = await n8n.runExample('Daily briefing');
	});

	it('speaks English, with the date of today', () => {
		const [{ body }] = n8n.emulator.journal.entries(({ path: address }) => address === '/v1/audio/speech');
		const { input } = body as { input: string };
		const today = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full' }).format().replace(/day /, 'day, ');
		expect(input).toContain(`welcome to your briefing for ${today}.`);
		expect(input).not.toMatch(/\p{Script=Han}/u);
	});

	it('outputs one audio file without gaps or extra bytes', async () => {
		const audio = result.files.filter(({ mimeType }) => mimeType.startsWith('audio/'));
		expect(audio).toHaveLength(1);
		const [file] = audio;
		expect(path.extname(file.fileName)).toBe('.mp3');
		// It throws for bytes that are no sound.
		const { samples } = decode(await n8n.rest.file(file.id));
		expect(samples.length).toBeGreaterThan(10 * SAMPLE_RATE);
	});

	it('outputs a podcast feed with the episode', async () => {
		const file = result.files.find(({ fileName }) => fileName === 'daily-briefing.xml');
		const feed = (await n8n.rest.file(file!.id)).toString();
		expect(feed).toMatch(/^<\?xml .*\n<rss [\s\S]*<\/rss>$/);
		const [, address, bytes] = /<enclosure url="([^"]+\.mp3)" length="(\d+)" type="audio\/mpeg"\/>/.exec(
			feed,
		)!;
		expect(URL.canParse(address)).toBe(true);
		const [audio] = result.files.filter(({ mimeType }) => mimeType === 'audio/mpeg');
		expect(await n8n.rest.file(audio.id)).toHaveLength(Number(bytes));
		expect(feed).not.toMatch(/undefined|NaN|Invalid/);
	});

	it('keeps changes from the editor when the examples are imported again', async () => {
		const digestFile = path.join(n8n.home, 'examples.json');
		const prepared = n8n.prepare(briefing);
		const id = (await n8n.rest.workflowIds()).get(prepared.name) as string;
		await n8n.rest.saveWorkflow({ ...prepared, nodes: prepared.nodes.slice(0, 1), connections: {} }, id);

		const [again] = await importExamples(n8n.rest, [prepared], digestFile);
		expect(again.workflowId).toBe(id);
		expect((await n8n.rest.workflow(id)).nodes).toHaveLength(1);

		const changed = { ...prepared, settings: { ...prepared.settings, saveManualExecutions: true } };
		await importExamples(n8n.rest, [changed], digestFile);
		expect((await n8n.rest.workflow(id)).nodes).toHaveLength(prepared.nodes.length);
		expect((await n8n.rest.workflowIds()).size).toBe(1);
	});
});

describe('Log of n8n', () => {
	it('does not contain the API key', async () => {
		expect(await readFile(n8n.server.logFile, 'utf8')).not.toContain(apiKey);
	});
});
