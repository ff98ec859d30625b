import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { triggerOf } from '../../tools/host/examples';
import { reasonsOf } from '../../tools/host/report';
import type { Workflow } from '../../tools/host/n8nTypes';
import { folders } from '../../tools/host/folders';
import { useServer } from './useServer';

const n8n = useServer();

/** All examples that do not wait for an external call. */
const selfStarting = readdirSync(folders.examples)
	.filter((file) => file.endsWith('.json'))
	.map((file) => JSON.parse(readFileSync(path.join(folders.examples, file), 'utf8')) as Workflow)
	.filter((example) => triggerOf(example) !== undefined);

type Connections = Record<string, { main?: Array<Array<{ node: string }> | null> }>;

/** The nodes that must have run: all nodes that are reachable when no item fails. */
function expectedNodes(example: Workflow): string[] {
	const reached = new Set<string>();
	const visit = (name: string): void => {
		const node = example.nodes.find((candidate) => candidate.name === name);
		if (!node || node.disabled || reached.has(name)) return;
		reached.add(name);
		const outputs = (example.connections as Connections)[name]?.main ?? [];
		const regular = node.onError === 'continueErrorOutput' ? outputs.slice(0, -1) : outputs;
		for (const target of regular.flatMap((targets) => targets ?? [])) visit(target.node);
	};
	visit(triggerOf(example) as string);
	return [...reached].sort();
}

describe('Examples', () => {
	it('include some that start by themselves', () => {
		expect(selfStarting.map(({ name }) => name)).toContain('Daily briefing');
	});

	it.each(selfStarting.map((example) => [example.name, example] as const))(
		'run every node of "%s" without a failure',
		async (name, example) => {
			const result = await n8n.runExample(name);
			const report = reasonsOf(result);
			expect({ report, succeeded: result.succeeded }).toMatchObject({ succeeded: true });
			expect(report).toEqual([]);
			const ran = result.nodes.filter(({ items }) => items > 0).map(({ name: node }) => node);
			expect(ran).toEqual(expect.arrayContaining(expectedNodes(example)));
		},
	);
});
