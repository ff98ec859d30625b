import type * as AiNodeSdk from '@n8n/ai-node-sdk';
import { settingsFailure } from '../shared/failure/words';
import { WITH_AI_SDK } from '../shared/olderEngines';
import type { ChatAnswer } from './formats/answer';

export type {
	FinishReason as SdkFinishReason,
	GenerateResult as SdkResult,
	Message as SdkMessage,
	MessageContent as SdkContent,
	StreamChunk as SdkChunk,
	TokenUsage as SdkTokenUsage,
	Tool as SdkTool,
} from '@n8n/ai-node-sdk';

export type Sdk = typeof AiNodeSdk;

/** Options of a call. The model also gets LangChain's own names for them. */
export interface SdkCallOptions {
	stopSequences?: string[];
	stop?: string[];
	/** The tool that the model must call: `any`, `auto`, `none`, or the name of one. */
	tool_choice?: unknown;
	/** Set by this package. Gets the whole answer, because the SDK passes on only a part of it. */
	onAnswer?: (answer: ChatAnswer) => void;
}

/** Loads n8n's SDK when it is used, because other nodes must work without it. @throws GatewayFailure if absent */
export function loadSdk(what: string): Sdk {
	let sdk: Partial<Sdk> = {};
	try {
		sdk = require('@n8n/ai-node-sdk') as Partial<Sdk>;
	} catch {
		// The SDK is not installed.
	}
	const { BaseChatModel, supplyModel, getParametersJsonSchema } = sdk;
	if (BaseChatModel && supplyModel && getParametersJsonSchema) return sdk as Sdk;
	throw settingsFailure(
		`This n8n is too old for ${what}; n8n ${WITH_AI_SDK} or newer is required`,
		'Update n8n: the package @n8n/ai-node-sdk is missing, which newer versions have. Everything else in this package works without it, and Unified AI Chat can use the same models.',
	);
}
