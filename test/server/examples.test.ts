import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { INode } from 'n8n-workflow';

import { readCodeExamples } from '../../tools/host/codeExamples';
import { startOf, triggerOf } from '../../tools/host/examples';
import { reasonsOf } from '../../tools/host/report';
import type { Workflow } from '../../tools/host/n8nTypes';
import { folders } from '../../tools/host/folders';
import { runExample } from '../../tools/host/runExample';
import { requireDescribed } from '../integration/schemas/everyRun';
import { useServer } from './useServer';
import { isSince, WITH_AI_SDK, WITH_TABLES } from './versions';

const n8n = useServer();

const has = ({ nodes }: Workflow, name: string) => nodes.some(({ type }) => type.endsWith(`.${name}`));

const examples = readdirSync(folders.examples)
	.filter((file) => file.endsWith('.json'))
	.map((file) => JSON.parse(readFileSync(path.join(folders.examples, file), 'utf8')) as Workflow)
	.filter((example) => isSince(WITH_TABLES) || !has(example, 'dataTable'));

type Connections = Record<string, { main?: Array<Array<{ node: string }> | null> }>;

/** Where items go that have failed in a loop, not at an error output. */
const AFTER_FAILURES = ['Unfinished songs'];

/** The nodes that must have run: all nodes that are reachable when no item fails. */
function expectedNodes(example: Workflow): string[] {
	const reached = new Set<string>();
	const visit = (name: string): void => {
		const node = example.nodes.find((candidate) => candidate.name === name);
		if (!node || node.disabled || reached.has(name) || AFTER_FAILURES.includes(name)) return;
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
	it('include the first one', () => {
		expect(examples.map(({ name }) => name)).toContain('Daily briefing');
	});

	it.each(examples.map((example) => [example.name, example] as const))(
		'run every node of "%s" without a failure',
		async (name, example) => {
			const result = await n8n.runExample(name);
			const report = reasonsOf(result);
			if (isTooOldFor(example)) return expect(report.join()).toContain('Update n8n');
			expect({ report, succeeded: result.succeeded }).toEqual({ report: [], succeeded: true });
			const ran = result.nodes.filter(({ items }) => items > 0).map(({ name: node }) => node);
			expect(ran).toEqual(expect.arrayContaining(expectedNodes(example)));
			const { runData } = await n8n.rest.execution(result.executionId!);
			requireDescribed(example.nodes as unknown as INode[], runData);
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
		requireDescribed(workflow.nodes as unknown as INode[], runData);
	});
});

describe('What examples end in', () => {
	it.each([
		['Morning show', ['morning-show.xml', '.mp3', '.srt', '.vtt']],
		['Classify rows', ['feedback.csv']],
		['Digest of a feed', ['.mp3', '.srt', '.vtt']],
		['Pictures and voice for a script', ['scene-1.png', 'scene-4.png', 'Voice-over.mp3', 'Voice-over.srt']],
	])('%s: %j', async (name, endings) => {
		const names = (await n8n.runExample(name)).files.map(({ fileName }) => fileName);
		for (const ending of endings) {
			expect(names).toContainEqual(expect.stringContaining(ending));
		}
	});

	it('Images from a spreadsheet: a contact sheet, and a log of the rows, also of one that fails', async () => {
		const example = await n8n.example('Images from a spreadsheet');
		const nodes = example.nodes.map((node) => {
			const { jsonOutput } = node.parameters;
			if (node.name !== 'Sheet') return node;
			const changed = (jsonOutput as string).replace(/"A lighthouse[^"]*"/, '""');
			return { ...node, parameters: { ...node.parameters, jsonOutput: changed } };
		});
		const id = await n8n.rest.saveWorkflow(n8n.prepare({ ...example, name: 'A row fails', nodes }));
		const { files, succeeded } = await runExample(n8n.rest, {
			workflowId: id,
			name: 'A row fails',
			start: startOf(example),
		});
		expect(succeeded).toBe(true);
		const textOf = async (name: string) => {
			const file = files.find(({ fileName }) => fileName === name);
			return (await n8n.rest.file(file!.id)).toString();
		};
		expect((await textOf('contact-sheet.html')).match(/<img src="http/g)).toHaveLength(5);
		const [head, failed, ...rest] = (await textOf('cost-log.csv')).trim().split('\n');
		expect(head).toContain('time,name,prompt,model,size,tokens,cost,failure');
		expect(failed).toMatch(/,lighthouse,.*Prompt/);
		expect(rest).toHaveLength(5);
		for (const row of rest) expect(row).toMatch(/,image-2,\d+x\d+,/);
	});
});
