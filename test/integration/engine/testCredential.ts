import './environment';
import { CredentialTestContext } from 'n8n-core';
import type {
	ICredentialsDecrypted,
	INodeCredentialTestResult,
	INodeType,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

/** Tests a credential as the editor does when it is saved: with the function that a node names for it. */
export async function testCredentialOf(
	nodeType: INodeType,
	data: Record<string, string>,
): Promise<INodeCredentialTestResult> {
	const [{ testedBy }] = nodeType.description.credentials!;
	const context = new CredentialTestContext({} as IWorkflowExecuteAdditionalData);
	const credential: ICredentialsDecrypted = { id: '1', name: 'Gateway', type: 'unifiedAiGatewayApi', data };
	return await nodeType.methods!.credentialTest![testedBy as string].call(context, credential);
}
