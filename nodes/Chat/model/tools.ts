import { asRecord, textOr } from '../../shared/values';
import { chatCompletionTools } from '../formats/chatCompletion';
import type { Tool } from '../formats/conversation';
import { messagesTools } from '../formats/messages';
import type { AiNodeSdk, SdkTool } from './sdk';

/**
 * The `tools` of a request in either format. Tools that the vendor of the model runs are sent unchanged.
 *
 * @param schemaOf returns the JSON Schema of a tool's arguments
 */
export function requestTools(
	tools: SdkTool[],
	format: 'chat' | 'messages',
	schemaOf: AiNodeSdk['getParametersJsonSchema'],
): object[] {
	const toolsOf = format === 'chat' ? chatCompletionTools : messagesTools;
	return tools.flatMap((tool) =>
		tool.type === 'provider'
			? [{ type: tool.name, ...asRecord(tool.args) }]
			: toolsOf([functionOf(tool, schemaOf)]),
	);
}

function functionOf(tool: SdkTool, schemaOf: AiNodeSdk['getParametersJsonSchema']): Tool {
	const { name, description } = tool;
	const schema = asRecord(schemaOf(tool));
	return {
		name,
		description: textOr(description),
		// Tools without arguments have an empty schema, or one that the SDK cannot convert.
		parameters: schema?.type === 'object' ? withoutDraft(schema) : { type: 'object', properties: {} },
	};
}

/** Some formats reject unknown fields. */
function withoutDraft(schema: Record<string, unknown>): Record<string, unknown> {
	return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== '$schema'));
}
