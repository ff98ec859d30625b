import path from 'node:path';
import { validateWorkflow } from '@n8n/workflow-sdk';
import { NodeHelpers, type INode } from 'n8n-workflow';
import { readCodeExamples } from '../../../tools/host/codeExamples';
import { folders } from '../../../tools/host/folders';
import type { WorkflowNode } from '../../../tools/host/n8nTypes';
import { nodeTypes } from '../../integration/engine/runWorkflow';
import { typeErrors } from './typedSdk';

const packageName = 'n8n-nodes-unified-ai-gateway';
const descriptions = Object.values(nodeTypes).map(({ description }) => description);
const examples = readCodeExamples();

/** What n8n finds missing in the parameters of our nodes. */
function issuesOf(node: WorkflowNode): object | null {
	const type = nodeTypes[node.type.replace(/Tool$/, '')];
	if (type === undefined) return null;
	const { description } = type;
	const parameters = NodeHelpers.getNodeParameters(
		description.properties,
		node.parameters as INode['parameters'],
		true,
		false,
		null,
		description,
	)!;
	return NodeHelpers.getNodeParametersIssues(
		description.properties,
		{ ...(node as unknown as INode), parameters },
		description,
	);
}

describe('Examples in code', () => {
	it('are jobs, each described in a sentence', () => {
		expect(examples.length).toBeGreaterThan(0);
		for (const { sentence } of examples) expect(sentence).toMatch(/^[A-Z][^.]+\.$/);
	});

	it("fit the types that n8n's AI builder makes of the nodes", () => {
		const sources = Object.fromEntries(examples.map(({ file, code }) => [file, code]));
		expect(typeErrors(sources, descriptions, packageName)).toEqual([]);
	});

	it('would be found if they did not fit these types', () => {
		const code = `
			import { node } from '@n8n/workflow-sdk';
			export default node({ type: '${packageName}.rerank', version: 1, config: { parameters: { topN: 'three' } } });
		`;
		const wrong = path.join(folders.examples, 'code', 'wrong.ts');
		expect(typeErrors({ [wrong]: code }, descriptions, packageName)).toEqual([
			expect.stringMatching(/^wrong\.ts:3 /),
		]);
	});

	it.each(examples.map((example) => [path.basename(example.file), example] as const))(
		'are workflows without errors, and nothing required is missing (%s)',
		(_name, { workflow }) => {
			const { errors } = validateWorkflow(workflow as never);
			expect(errors).toEqual([]);
			expect(workflow.nodes.map(issuesOf).filter((issues) => issues !== null)).toEqual([]);
		},
	);
});
