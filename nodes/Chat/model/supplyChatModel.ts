import type { SupplyData } from 'n8n-workflow';
import { subNodeError } from '../../shared/run/exits';
import { type SubNodeCall, withSubNodeErrors } from '../../shared/run/subNode';
import { completeAdapter } from './adapter';
import type { ChatModelSettings } from './fields';
import type { GatewayChat } from './gatewayChat';
import { requestTools } from './request';
import type { Sdk, SdkCallOptions, SdkChunk, SdkMessage, SdkResult } from './sdk';

/** The model in the form that n8n's agents and chains expect. */
export function supplyChatModel(
	sdk: Sdk,
	call: SubNodeCall,
	chat: GatewayChat,
	{ model, format }: ChatModelSettings,
): SupplyData['response'] {
	class GatewayChatModel extends sdk.BaseChatModel {
		async generate(messages: SdkMessage[], options: SdkCallOptions = {}): Promise<SdkResult> {
			return await withSubNodeErrors(call, async () => await chat.generate(this.question(messages, options)));
		}

		async *stream(messages: SdkMessage[], options: SdkCallOptions = {}): AsyncGenerator<SdkChunk> {
			try {
				yield* chat.stream(this.question(messages, options));
			} catch (error) {
				throw await subNodeError(call, error);
			}
		}

		private question(messages: SdkMessage[], options: SdkCallOptions) {
			const tools = requestTools(this.tools, format, (tool) => sdk.getParametersJsonSchema(tool));
			return { messages, tools, call: options };
		}
	}
	return completeAdapter(
		sdk.supplyModel(call.context, new GatewayChatModel('unified-ai-gateway', model)).response,
	);
}

/** Which model asks, and in which execution. */
export function scopeOf({ context }: SubNodeCall): string {
	return JSON.stringify([context.getExecutionId(), context.getNode().name]);
}
