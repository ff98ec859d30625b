import { inputFailure } from '../../shared/errors/errorMessages';
import { imageOfText } from '../../shared/files/images';
import { detectMediaType } from '../../shared/files/mediaTypes';
import { asRecord, parseJson, textOr } from '../../shared/values';
import type { Conversation, Part, Turn } from '../formats/conversation';
import type { SdkContent, SdkMessage } from './sdk';

const LABEL = 'The message to the model';

/**
 * The conversation that an agent or a chain passes to its model. It leaves out the reasoning of earlier answers, and
 * empty texts, which gateways reject.
 *
 * @throws GatewayFailure (kind `input`) when nothing is left to send, or a file is not an image
 */
export function conversationOf(messages: SdkMessage[]): Conversation {
	const turns: Turn[] = [];
	for (const message of messages) {
		const turn = { role: roleOf(message), parts: message.content.flatMap((block) => partOf(block, message)) };
		const previous = turns.at(-1);
		// The messages format requires the results of one answer's tool calls in one message.
		if (previous && hasResults(turn) && hasResults(previous)) previous.parts.push(...turn.parts);
		else if (turn.parts.length > 0) turns.push(turn);
	}
	if (turns.every(({ role }) => role === 'system')) throw emptyFailure();
	return { system: '', turns };
}

function roleOf({ role }: SdkMessage): Turn['role'] {
	return role === 'system' || role === 'assistant' ? role : 'user';
}

function hasResults({ parts }: Turn): boolean {
	return parts.some(({ type }) => type === 'toolResult');
}

function partOf(block: SdkContent, { name, role }: SdkMessage): Part[] {
	switch (block.type) {
		case 'text':
			return textOr(block.text) === '' ? [] : [{ type: 'text', text: textOr(block.text) }];
		case 'file':
			return role === 'system' || role === 'assistant' ? [] : [imagePart(block)];
		case 'tool-call': {
			const input = asRecord(parseJson(textOr(block.input))?.value) ?? {};
			return [
				{
					type: 'toolCall',
					id: textOr(block.toolCallId),
					name: textOr(block.toolName),
					arguments: input,
				},
			];
		}
		case 'tool-result':
			return [
				{
					type: 'toolResult',
					id: textOr(block.toolCallId),
					name: name ?? '',
					text: resultText(block.result),
				},
			];
		default:
			return [];
	}
}

function imagePart({ data, mediaType, providerMetadata }: SdkContent): Part {
	const url = asRecord(providerMetadata)?.url;
	if (typeof url === 'string') return { type: 'image', image: imageOfText(url, LABEL) };
	const base64 = data instanceof Uint8Array ? Buffer.from(data).toString('base64') : textOr(data);
	const start = Buffer.from(base64.slice(0, 400), 'base64');
	const type = textOr(mediaType) || (detectMediaType(start) ?? 'unknown');
	if (type.startsWith('image/')) {
		return { type: 'image', image: imageOfText(`data:${type};base64,${base64}`, LABEL) };
	}
	throw inputFailure(
		LABEL,
		`contains a file that is not an image (${type})`,
		'The chat models of the gateway accept text and images. Convert the file to text first, for example with an Extract from File node.',
	);
}

/** The result of a tool as text; the format has nothing else for it. */
function resultText(result: unknown): string {
	if (typeof result === 'string') return result;
	if (!Array.isArray(result)) return JSON.stringify(result ?? null);
	return result
		.map((block: unknown) => {
			const { type, text } = asRecord(block) ?? {};
			return type === 'text' ? textOr(text) : type === 'file' ? '[file]' : JSON.stringify(block);
		})
		.join('\n');
}

function emptyFailure() {
	return inputFailure(
		LABEL,
		'is empty',
		'Check the prompt of the node that uses this model. If the prompt comes from an expression, check that the item has the field.',
	);
}
