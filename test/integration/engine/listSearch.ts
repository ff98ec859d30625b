import './environment';
import { LoadOptionsContext } from 'n8n-core';
import {
	Workflow,
	type ICredentialDataDecryptedObject,
	type INode,
	type INodeListSearchResult,
	type INodeType,
	type IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';
import { TestCredentials } from './credentials';
import { nodeTypes } from './nodeTypes';

/** Every list that the editor offers: the type of the node, and the name of the search method. */
export const searches = Object.entries(nodeTypes).flatMap(([type, { methods }]) =>
	Object.keys(methods?.listSearch ?? {}).map((method) => [type, method] as const),
);

/** Runs a list search of a node as the editor does when the user opens its picker. */
export async function searchList(
	nodeType: INodeType,
	method: string,
	credential: ICredentialDataDecryptedObject,
	filter?: string,
): Promise<INodeListSearchResult> {
	const node: INode = {
		id: 'node',
		name: 'Node',
		type: nodeType.description.name,
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
		credentials: { unifiedAiGatewayApi: { id: '1', name: 'Test' } },
	};
	const workflow = new Workflow({
		id: 'test-workflow',
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes: {
			getByName: () => nodeType,
			getByNameAndVersion: () => nodeType,
			getKnownTypes: () => ({}),
		},
	});
	const additionalData = {
		credentialsHelper: new TestCredentials(credential),
	} as unknown as IWorkflowExecuteAdditionalData;
	const context = new LoadOptionsContext(workflow, node, additionalData, '');
	return await nodeType.methods!.listSearch![method].call(context, filter);
}
