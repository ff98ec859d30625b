import type { Tool } from '../formats/conversation';
import { chatCompletionTools } from '../formats/chatCompletionRequest';
import { messagesTools } from '../formats/messagesRequest';
import { asRecord } from '../../shared/values';
import type { AiNodeSdk, SdkTool } from './sdk';

/**
 * The `tools` of a request in either format. Those that the model's vendor offers go out as they are.
 *
 * @param schemaOf makes JSON Schema of a tool's arguments
 */
export function requestTools(
	tools: SdkTool[],
	format: 'chat' | 'messages',
	schemaOf: AiNodeSdk['getParametersJsonSchema'],
): object[] {
	const write = format === 'chat' ? chatCompletionTools : messagesTools;
	return tools.flatMap((tool) =>
		tool.type === 'provider'
			? [{ type: tool.name, ...asRecord(tool.args) }]
			: write([functionOf(tool, schemaOf)]),
	);
}

function functionOf(tool: SdkTool, schemaOf: AiNodeSdk['getParametersJsonSchema']): Tool {
	const { name, description } = tool;
	const schema = asRecord(schemaOf(tool));
	return {
		name,
		description: typeof description === 'string' ? description : '',
		// Tools without arguments have an empty schema, or one of a kind that the SDK cannot translate.
		parameters: schema?.type === 'object' ? withoutDraft(schema) : { type: 'object', properties: {} },
	};
}

/** Gateways refuse fields that they do not know in some formats. */
function withoutDraft(schema: Record<string, unknown>): Record<string, unknown> {
	return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== '$schema'));
}
