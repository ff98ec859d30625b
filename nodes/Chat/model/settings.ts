import type { RequestOptions } from '../../shared/gateway/client';
import type { SubNodeCall } from '../../shared/runtime/subNode';

/** The messages format demands a number. */
const DEFAULT_MESSAGES_MAX_TOKENS = 4096;

/** The parameters of the Chat Model. */
export interface ChatModelSettings {
	model: string;
	format: 'chat' | 'messages';
	maxTokens?: number;
	temperature?: number;
	/** Whether answers come piece by piece even if nobody reads along. */
	stream: boolean;
	/** Whether a stream of the chat format is asked for its token usage. */
	includeUsage: boolean;
	/** Merged into each request; wins over the other fields. */
	extraBodyFields: Record<string, unknown>;
	options: RequestOptions;
}

/**
 * Reads the parameters.
 *
 * @throws GatewayFailure (kind `input`) that names the one which cannot be used
 */
export function readSettings(call: SubNodeCall): ChatModelSettings {
	const format = call.text('format') === 'messages' ? 'messages' : 'chat';
	const max = format === 'messages' ? 1 : 2;
	const maxTokens = call.optionalNumber('maxTokens', 'Max Tokens', { min: 1, whole: true });
	return {
		model: call.picked('model', 'Model'),
		format,
		maxTokens: maxTokens ?? (format === 'messages' ? DEFAULT_MESSAGES_MAX_TOKENS : undefined),
		temperature: call.optionalNumber('temperature', 'Temperature', { min: 0, max }),
		stream: call.options.stream === true,
		includeUsage: call.options.includeUsage !== false,
		extraBodyFields: call.extraBodyFields,
		options: call.requestOptions,
	};
}
