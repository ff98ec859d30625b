import type { SdkChunk, SdkMessage, SdkResult, SdkTool } from '../../../nodes/Chat/sdk';

/** The part of n8n's SDK that the chat model needs; the server tests use the real one. */
export class BaseChatModel {
	tools: SdkTool[] = [];
	constructor(
		readonly provider: string,
		readonly modelId: string,
	) {}
	withTools(tools: SdkTool[]): this {
		return Object.assign(Object.create(Object.getPrototypeOf(this) as object) as this, this, { tools });
	}
}
export const supplyModel = (_context: object, model: object) => ({ response: model });
export const getParametersJsonSchema = ({ inputSchema }: SdkTool) => inputSchema ?? {};

/** The chat model, as agents see it. */
export interface Model extends BaseChatModel {
	generate(messages: SdkMessage[], options?: object): Promise<SdkResult>;
	stream(messages: SdkMessage[], options?: object): AsyncGenerator<SdkChunk>;
}

/** Two tools that the emulator's models call when the user asks about the weather and the clock. */
export const TOOLS: SdkTool[] = [
	{
		type: 'function',
		name: 'weather',
		description: 'Tells the weather',
		inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
	},
	{ type: 'function', name: 'clock', description: 'Tells the time' },
];

export const user = (text: string): SdkMessage => ({ role: 'user', content: [{ type: 'text', text }] });
