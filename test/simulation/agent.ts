import {
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type ISupplyDataFunctions,
} from 'n8n-workflow';
import { ChatModel } from '../../nodes/Chat/ChatModel.node.ts';
import type { SdkMessage, SdkResult } from '../../nodes/Chat/sdk';

const chatModel = new ChatModel();

/** An agent that asks the sub-node Chat Model once for each item. */
export class Agent implements INodeType {
	description = chatModel.description;

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const output: INodeExecutionData[] = [];
		for (const [item, { json }] of this.getInputData().entries()) {
			const question: SdkMessage = { role: 'user', content: [{ type: 'text', text: json.text }] };
			try {
				const supplied = await chatModel.supplyData.call(this as unknown as ISupplyDataFunctions, item);
				const model = supplied.response as { generate(messages: SdkMessage[]): Promise<SdkResult> };
				const { message } = await model.generate([question]);
				output.push({ json: { answer: message.content }, pairedItem: { item } });
			} catch (error) {
				if (!this.continueOnFail()) throw error;
				const { message, context } = error as Error & { context: IDataObject };
				output.push({ json: { error: message, details: context.data }, pairedItem: { item } });
			}
		}
		return [output];
	}
}
