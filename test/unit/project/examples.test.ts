import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { validateWorkflow } from '@n8n/workflow-sdk';
import { NodeHelpers, type INode, type INodeProperties, type INodePropertyOptions } from 'n8n-workflow';
import { startOf, withEmulatorChoices } from '../../../tools/host/examples';
import { readCodeExamples } from '../../../tools/host/codeExamples';
import { folders } from '../../../tools/host/folders';
import type { Workflow, WorkflowNode } from '../../../tools/host/n8nTypes';
import { nodeTypes, withDefaults } from '../../integration/engine/nodeTypes';

const packageName = 'n8n-nodes-unified-ai-gateway';

/** The nodes that n8n 2 does not load by default, and those that n8n Cloud does not have. */
const missingNodes = [
	'n8n-nodes-base.executeCommand',
	'n8n-nodes-base.localFileTrigger',
	'n8n-nodes-base.readWriteFile',
];
/** What n8n 3.0 removes: nodes, version 1 of the agent, expressions, and a mode of Execute Workflow. */
const removedInN8n3 =
	/n8n-nodes-base\.(?:function|functionItem|itemLists|aiTransform)"|langchain\.code"|\$getPairedItem|\$evaluateExpression/;
/** Buttons, fields, tabs and nodes of n8n that the notes name. */
const editorWords = [
	'Execute workflow',
	'Executions',
	'Open chat',
	'Predefined Credential Type',
	'Retry On Fail',
	'Streaming',
	'Unified AI Gateway API',
	'Let the model define this parameter',
];
/** Columns of the sample tables. */
const columns = ['name', 'prompt', 'ratio', 'title', 'style', 'lyrics', 'script'];

/** The parameters that n8n adds to a node that is a tool. */
const toolParameters = ['descriptionType', 'toolDescription'];

const examples = readdirSync(folders.examples)
	.filter((file) => file.endsWith('.json'))
	.map((file) => {
		const text = readFileSync(path.join(folders.examples, file), 'utf8');
		return { file, text, workflow: JSON.parse(text) as Workflow };
	});

const isNote = ({ type }: Workflow['nodes'][number]) => type === 'n8n-nodes-base.stickyNote';

/** The notes of an example, by name. */
function notesOf({ nodes }: Workflow): Record<string, string> {
	return Object.fromEntries(
		nodes.filter(isNote).map(({ name, parameters }) => [name, parameters.content as string]),
	);
}

const isExpression = (value: unknown) => typeof value === 'string' && value.startsWith('=');
const isFromList = (value: unknown) => (value as { mode?: string } | undefined)?.mode === 'list';

describe.each(examples.map((example) => [example.file, example] as const))(
	'The example %s',
	(file, { text, workflow }) => {
		const isChinese = file.endsWith('.zh-CN.json');

		it('has only nodes that a new n8n and n8n Cloud load', () => {
			expect(workflow.nodes.filter(({ type }) => missingNodes.includes(type))).toEqual([]);
		});

		it('has nothing that n8n 3.0 removes', () => {
			expect(text).not.toMatch(removedInN8n3);
			const kept = workflow.nodes.filter(
				({ type, typeVersion, parameters }) =>
					(type.endsWith('.agent') && Number(typeVersion) < 2) ||
					(type.endsWith('.executeWorkflow') && parameters.mode === 'each'),
			);
			expect(kept).toEqual([]);
		});

		it('depends on no folder and no environment variable of the machine', () => {
			expect(text).not.toMatch(/__[A-Z_]+__|\$env\b|process\.env/);
			const paths = text.match(
				/(?<![\w/.:}>-])(?:~|\/(?:home|root|tmp|data|files|mnt|opt|usr|var)|[A-Z]:\\)[^\s"`，。]*/g,
			);
			const isOfN8n = (found: string) => /^\/home\/node(?:$|\/\.n8n-files\/)/.test(found);
			expect((paths ?? []).filter((found) => !isOfN8n(found))).toEqual([]);
		});

		it('sets only parameters and options that its nodes have', () => {
			expect(unknownIn(workflow)).toEqual([]);
		});

		it('has one note, in its language', () => {
			const name = isChinese ? '说明' : 'Read me';
			const notes = notesOf(workflow);
			expect(Object.keys(notes)).toEqual([name]);
			expect(notes[name]).toMatch(isChinese ? /^## .*\p{Script=Han}.*\n/u : /^## [\x20-\x7e]+\n/);
		});

		it('starts from a trigger of the name that all examples use', () => {
			expect(startOf(workflow).trigger).toBe(isChinese ? '开始' : 'Start');
			expect(workflow.nodes.filter(({ type }) => /Trigger$|\.webhook$/.test(type))).toHaveLength(1);
		});

		it('leaves models and voices of the gateway to the user, and the emulator has one for each', () => {
			const ours = workflow.nodes.filter(({ type }) => type.startsWith(`${packageName}.`));
			const choosing = ours.filter(({ parameters: { model, voice } }) => [model, voice].some(isFromList));
			expect(choosing.map(issuesOf)).not.toContain(null);
			const missing = withEmulatorChoices(workflow).nodes.map(issuesOf);
			expect(missing.filter((issues) => issues !== null)).toEqual([]);
		});

		it('names only nodes, fields and buttons that exist in its note', () => {
			const [note] = Object.values(notesOf(workflow));
			const words = [...note.matchAll(/(?<!\*)\*([^*\n]+)\*(?!\*)/g)].map(([, word]) => word);
			expect(words).not.toEqual([]);
			const known = [...workflow.nodes.map(({ name }) => name), ...editorWords, ...columns];
			expect(words.filter((word) => !known.includes(word))).toEqual([]);
		});
	},
);

describe('All examples', () => {
	it('save episodes for the podcast in the same way', () => {
		const codes = examples.flatMap(({ workflow }) =>
			workflow.nodes.map(({ parameters: { jsCode = '' } }) => jsCode as string),
		);
		const saving = codes.filter((code) => code.startsWith('const show = '));
		expect(saving).toHaveLength(4);
		expect(new Set(saving.map((code) => code.slice(code.indexOf('\n')))).size).toBe(1);
	});
});

const codeExamples = readCodeExamples();

/** What n8n finds missing in the parameters of our nodes. */
function issuesOf(node: WorkflowNode): object | null {
	const type = nodeTypes[node.type.replace(/Tool$/, '')];
	if (type === undefined) return null;
	const { description } = type;
	const parameters = withDefaults(description, node.parameters as INode['parameters']);
	return NodeHelpers.getNodeParametersIssues(
		description.properties,
		{ ...(node as unknown as INode), parameters },
		description,
	);
}

/** The parameters, options, and choices of our nodes that do not exist. */
function unknownIn({ nodes }: Workflow): string[] {
	return nodes.flatMap(({ type, parameters }) => {
		const { description } = nodeTypes[type.replace(/Tool$/, '')] ?? {};
		if (!description) return [];
		const others = type.endsWith('Tool') ? toolParameters : [];
		const own = Object.entries(parameters).filter(([name]) => !others.includes(name));
		return own.flatMap(([name, value]) => unknownAs(name, value, description.properties));
	});
}

function unknownAs(name: string, value: unknown, among: INodeProperties[]): string[] {
	const own = among.filter((property) => property.name === name);
	const offered = own.flatMap(({ options = [] }) => options);
	if (own.some(({ type }) => type === 'collection')) {
		return Object.entries(value as object).flatMap(([inner, one]) =>
			unknownAs(inner, one, offered as INodeProperties[]),
		);
	}
	const choices = own.some(({ type }) => type === 'options') ? (offered as INodePropertyOptions[]) : [];
	const isKnown =
		choices.length === 0 || isExpression(value) || choices.some((choice) => choice.value === value);
	return own.length > 0 && isKnown ? [] : [`${name}: ${String(value)}`];
}

describe('Examples in code', () => {
	it.each(codeExamples.map((example) => [path.basename(example.file), example] as const))(
		'are workflows without errors, and nothing required is missing (%s)',
		(_name, { workflow }) => {
			const { errors } = validateWorkflow(workflow as never);
			expect(errors).toEqual([]);
			expect(unknownIn(workflow)).toEqual([]);
			expect(workflow.nodes.map(issuesOf).filter((issues) => issues !== null)).toEqual([]);
		},
	);
});
