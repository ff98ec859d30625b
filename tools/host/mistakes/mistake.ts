import type { Rule } from '../../../emulator';
import type { Workflow, WorkflowNode } from '../n8nTypes';
import { connectInOrder, manualTrigger, workflowNode } from '../workflowBuilder';

/** Something that a user gets wrong, and what the editor must say about it. */
export interface Mistake {
	/** What is wrong; also the name of the workflow and of its screenshots. */
	name: string;
	/** The nodes after the trigger, in order. */
	nodes: WorkflowNode[];
	/** Words in the editor that name what is wrong, and what to do. */
	says: string[];
	/** Fields of the credential that differ from the right ones; null if no credential is selected. */
	credential?: Record<string, string> | null;
	/** How the gateway behaves, by route. */
	rules?: Record<string, Rule>;
	/** Connections instead of those from each node to the next one. */
	connections?: Workflow['connections'];
	/** The node that fails; default: the last one. */
	failing?: string;
}

const nodePackage = 'n8n-nodes-unified-ai-gateway';

/** A node of this package, with its default name. */
export function ours(type: string, parameters: object): WorkflowNode {
	const label = type.replace(/(?=[A-Z])/g, ' ');
	const name = `Unified AI ${label[0].toUpperCase()}${label.slice(1)}`;
	return workflowNode(name, `${nodePackage}.${type}`, 1, parameters);
}

/** A value of a picker that is entered as an ID. */
export function byId(value: string): object {
	return { mode: 'id', value };
}

/** A picker in which nothing is selected. */
export const notSelected = { mode: 'list', value: '' };

/** Nodes that output items with these fields. */
export function rows(...items: object[]): WorkflowNode[] {
	return [
		workflowNode('Table', 'n8n-nodes-base.set', 3.4, {
			mode: 'raw',
			jsonOutput: JSON.stringify({ rows: items }),
		}),
		workflowNode('Rows', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'rows' }),
	];
}

/** Nodes that output a text file in the binary field "data". */
export function textFile(): WorkflowNode[] {
	return [
		...rows({ text: 'This is a text, not a recording.' }),
		workflowNode('Convert to File', 'n8n-nodes-base.convertToFile', 1.1, {
			operation: 'toText',
			sourceProperty: 'text',
			options: { fileName: 'sample.wav' },
		}),
	];
}

/** The rule of a gateway that always answers with a status. */
export function always(status: number): Mistake['rules'] {
	return { '*': { faults: [{ kind: 'status', status, times: 'always' }] } };
}

/** The workflow in which a mistake is made. */
export function workflowOf({ name, nodes, connections }: Mistake): Workflow {
	const placed = [manualTrigger(), ...nodes].map((node, index) => ({
		...node,
		position: connections && index === 2 ? [220, 220] : [220 * index, 0],
	}));
	return {
		name,
		nodes: placed,
		connections: connections ?? connectInOrder(placed),
		settings: { executionOrder: 'v1' },
	};
}
