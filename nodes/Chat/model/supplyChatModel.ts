import type { ISupplyDataFunctions, SupplyData } from 'n8n-workflow';
import { subNodeError, withSubNodeErrors } from '../../shared/runtime/subNode';
import { completeAdapter } from './adapter';
import type { ChatModelSettings } from './fields';
import type { GatewayChat } from './gatewayChat';
import type { AiNodeSdk, SdkCallOptions, SdkChunk, SdkMessage, SdkResult } from './sdk';
import { requestTools } from './tools';

/** The model in the form that n8n's agents and chains expect. */
export function supplyChatModel(
	sdk: AiNodeSdk,
	context: ISupplyDataFunctions,
	chat: GatewayChat,
	{ model, format }: ChatModelSettings,
): SupplyData['response'] {
	class GatewayChatModel extends sdk.BaseChatModel {
		async generate(messages: SdkMessage[], call: SdkCallOptions = {}): Promise<SdkResult> {
			return await withSubNodeErrors(context, async () => await chat.generate(this.question(messages, call)));
		}

		async *stream(messages: SdkMessage[], call: SdkCallOptions = {}): AsyncGenerator<SdkChunk> {
			try {
				yield* chat.stream(this.question(messages, call));
			} catch (error) {
				throw subNodeError(context, error);
			}
		}

		private question(messages: SdkMessage[], call: SdkCallOptions) {
			const tools = requestTools(this.tools, format, (tool) => sdk.getParametersJsonSchema(tool));
			return { messages, tools, call };
		}
	}
	return completeAdapter(
		sdk.supplyModel(context, new GatewayChatModel('unified-ai-gateway', model)).response,
	);
}
