import { asRecord, textOr } from '../../shared/plain/values';
import type { FilePart } from '../formats/conversation';
import type { ChatFormat } from '../formats/fileParts';
import { contentOfResult } from '../model/conversation';
import type { SdkContent } from '../model/sdk';

/**
 * What a tool returned, for the model.
 *
 * @param output a text, a list of content blocks as LangChain and MCP write them, or anything else, which becomes JSON
 */
export function toolResult(output: unknown, format: ChatFormat): { text: string; files?: FilePart[] } {
	const content = asRecord(output)?.content ?? output;
	const isBlocks = Array.isArray(content) && content.length > 0 && content.every(isBlock);
	if (isBlocks) return contentOfResult(content.map(blockOf), format);
	return { text: typeof output === 'string' ? output : JSON.stringify(output ?? null) };
}

const BLOCKS = ['text', 'image', 'audio', 'file', 'image_url'];

function isBlock(value: unknown): boolean {
	const { type, text } = asRecord(value) ?? {};
	return BLOCKS.includes(textOr(type)) && (type !== 'text' || typeof text === 'string');
}

function blockOf(value: unknown): SdkContent {
	const block = asRecord(value)!;
	const { type, text, data, mimeType, mime_type: otherName, url, image_url: image } = block;
	if (type === 'text') return { type, text };
	const address = url ?? (typeof image === 'string' ? image : asRecord(image)?.url);
	return {
		type: 'file',
		data,
		mediaType: mimeType ?? otherName,
		...(typeof address === 'string' ? { providerMetadata: { url: address } } : {}),
	};
}
