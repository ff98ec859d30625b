/** The part of n8n's SDK, version 1, that this package uses. The SDK is not installed when this package is built. */
declare module '@n8n/ai-node-sdk' {
	import type { ISupplyDataFunctions, SupplyData } from 'n8n-workflow';

	/** A block of a message. Its fields depend on `type`; they are checked where they are read. */
	export type MessageContent = { type: string } & Record<string, unknown>;

	export interface Message {
		role: string;
		content: MessageContent[];
		/** The name of the tool, in a tool message. */
		name?: string;
		id?: string;
	}

	/** A function or, with the type `provider`, a tool that the vendor of the model runs. */
	export type Tool = { type: string; name: string } & Record<string, unknown>;

	export interface TokenUsage {
		promptTokens: number;
		completionTokens: number;
		totalTokens: number;
	}

	export type FinishReason = 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'other';

	export interface GenerateResult {
		id?: string;
		finishReason: FinishReason;
		usage?: TokenUsage;
		message: Message;
		providerMetadata: Record<string, unknown>;
	}

	export type StreamChunk =
		| { type: 'text-delta'; delta: string }
		| { type: 'tool-call-delta'; id: string; name: string; argumentsDelta: string }
		| { type: 'finish'; finishReason: FinishReason; usage?: TokenUsage };

	export class BaseChatModel {
		constructor(provider: string, modelId: string);
		modelId: string;
		/** Set by `withTools`. */
		tools: Tool[];
	}

	export function supplyModel(context: ISupplyDataFunctions, model: BaseChatModel): SupplyData;
	/** The JSON Schema of the tool's arguments. */
	export function getParametersJsonSchema(tool: Tool): unknown;
}
