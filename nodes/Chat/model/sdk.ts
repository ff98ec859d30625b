import type { ISupplyDataFunctions, SupplyData } from 'n8n-workflow';
import { GatewayFailure } from '../../shared/errors/gatewayFailure';

/** A block of a message. Which fields it has depends on `type`; they are checked where they are read. */
export type SdkContent = { type: string } & Record<string, unknown>;

export interface SdkMessage {
	role: string;
	content: SdkContent[];
	/** Of a tool message: the tool's name. */
	name?: string;
	id?: string;
}

/** A function, or (`provider`) something that the model's vendor offers. */
export type SdkTool = { type: string; name: string } & Record<string, unknown>;

export interface SdkTokenUsage {
	promptTokens: number;
	completionTokens: number;
	totalTokens: number;
}

export type SdkFinishReason = 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'other';

export interface SdkResult {
	id?: string;
	finishReason: SdkFinishReason;
	usage?: SdkTokenUsage;
	message: SdkMessage;
	providerMetadata: Record<string, unknown>;
}

export type SdkChunk =
	| { type: 'text-delta'; delta: string }
	| { type: 'tool-call-delta'; id: string; name: string; argumentsDelta: string }
	| { type: 'finish'; finishReason: SdkFinishReason; usage?: SdkTokenUsage };

/** What a call brings along; LangChain's own names reach the model beside those of the SDK. */
export interface SdkCallOptions {
	stopSequences?: string[];
	stop?: string[];
}

interface SdkChatModel {
	modelId: string;
	/** Set by `withTools`. */
	tools: SdkTool[];
}

/**
 * What this package uses of `@n8n/ai-node-sdk`, version 1. Written down here because the SDK belongs to n8n
 * and is not there while this package is built.
 */
export interface AiNodeSdk {
	BaseChatModel: new (provider: string, modelId: string) => SdkChatModel;
	supplyModel(context: ISupplyDataFunctions, model: SdkChatModel): SupplyData;
	/** Makes JSON Schema of whatever describes the tool's arguments. */
	getParametersJsonSchema(tool: SdkTool): unknown;
}

/**
 * The SDK of the n8n that this package runs in. It is looked for only when the node is used: where it is
 * missing, all other nodes still have to load.
 *
 * @throws GatewayFailure (kind `settings`) where n8n has none
 */
export function loadSdk(): AiNodeSdk {
	const sdk = requiredSdk();
	const { BaseChatModel, supplyModel, getParametersJsonSchema } = sdk;
	if (BaseChatModel && supplyModel && getParametersJsonSchema) return sdk as AiNodeSdk;
	throw new GatewayFailure(
		'settings',
		'This n8n is too old for the Unified AI Chat Model',
		"The node needs n8n's package @n8n/ai-node-sdk, which newer versions of n8n bring along: update n8n. All other nodes of this package work without it; Unified AI Chat asks the same models.",
		{ attempts: 0 },
	);
}

function requiredSdk(): Partial<AiNodeSdk> {
	try {
		return require('@n8n/ai-node-sdk') as Partial<AiNodeSdk>;
	} catch {
		return {};
	}
}
