import type { ISupplyDataFunctions, SupplyData } from 'n8n-workflow';
import { settingsFailure } from '../../shared/errors/errorMessages';
import { WITH_AI_SDK } from '../../shared/olderEngines';
import type { ChatAnswer } from '../formats/answer';

/** A block of a message. Its fields depend on `type`; they are checked where they are read. */
export type SdkContent = { type: string } & Record<string, unknown>;

export interface SdkMessage {
	role: string;
	content: SdkContent[];
	/** The name of the tool, in a tool message. */
	name?: string;
	id?: string;
}

/** A function, or (`provider`) a tool that the vendor of the model runs. */
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

/** Options of a call. The model also gets LangChain's own names for them. */
export interface SdkCallOptions {
	stopSequences?: string[];
	stop?: string[];
	/** Set by this package: gets the answer, of which the SDK does not hand on everything. */
	onAnswer?: (answer: ChatAnswer) => void;
}

interface SdkChatModel {
	modelId: string;
	/** Set by `withTools`. */
	tools: SdkTool[];
}

/**
 * The part of `@n8n/ai-node-sdk`, version 1, that this package uses. It is declared here because the SDK comes with n8n
 * and is not available when this package is built.
 */
export interface AiNodeSdk {
	BaseChatModel: new (provider: string, modelId: string) => SdkChatModel;
	supplyModel(context: ISupplyDataFunctions, model: SdkChatModel): SupplyData;
	/** The JSON Schema of the tool's arguments. */
	getParametersJsonSchema(tool: SdkTool): unknown;
}

/**
 * The SDK of the n8n that this package runs in. It is loaded only when it is used, because the other nodes must load
 * without it.
 *
 * @param what needs it, in words
 * @throws GatewayFailure (kind `settings`) when n8n has no SDK
 */
export function loadSdk(what: string): AiNodeSdk {
	const sdk = requiredSdk();
	const { BaseChatModel, supplyModel, getParametersJsonSchema } = sdk;
	if (BaseChatModel && supplyModel && getParametersJsonSchema) return sdk as AiNodeSdk;
	throw settingsFailure(
		`This n8n is too old for ${what}; n8n ${WITH_AI_SDK} or newer is required`,
		'Update n8n: the package @n8n/ai-node-sdk is missing, which newer versions have. Everything else in this package works without it, and Unified AI Chat can use the same models.',
	);
}

function requiredSdk(): Partial<AiNodeSdk> {
	try {
		return require('@n8n/ai-node-sdk') as Partial<AiNodeSdk>;
	} catch {
		return {};
	}
}
