import type { Conversation, Part, Turn } from '../formats/conversation';
import { imageOfText } from '../../shared/files/images';
import { detectMediaType } from '../../shared/files/mediaTypes';
import { inputFailure } from '../../shared/errors/errorMessages';
import { asRecord, parseJson } from '../../shared/values';
import type { SdkContent, SdkMessage } from './sdk';

const LABEL = 'The message to the model';

/**
 * The conversation that an agent or a chain hands to its model. Thoughts of earlier answers are left out,
 * and so are empty texts, which gateways refuse.
 *
 * @throws GatewayFailure (kind `input`) when nothing is left to be asked, or a file is no image
 */
export function conversationOf(messages: SdkMessage[]): Conversation {
	const turns: Turn[] = [];
	for (const message of messages) {
		const turn = { role: roleOf(message), parts: message.content.flatMap((block) => partOf(block, message)) };
		const previous = turns.at(-1);
		// The messages format wants the results of one answer's calls in one message.
		if (previous && holdsResults(turn) && holdsResults(previous)) previous.parts.push(...turn.parts);
		else if (turn.parts.length > 0) turns.push(turn);
	}
	if (turns.every(({ role }) => role === 'system')) throw nothingAsked();
	return { system: '', turns };
}

function roleOf({ role }: SdkMessage): Turn['role'] {
	return role === 'system' || role === 'assistant' ? role : 'user';
}

function holdsResults({ parts }: Turn): boolean {
	return parts.some(({ type }) => type === 'toolResult');
}

function partOf(block: SdkContent, { name, role }: SdkMessage): Part[] {
	switch (block.type) {
		case 'text':
			return textOf(block.text) === '' ? [] : [{ type: 'text', text: textOf(block.text) }];
		case 'file':
			return role === 'system' || role === 'assistant' ? [] : [imagePart(block)];
		case 'tool-call': {
			const input = asRecord(parseJson(textOf(block.input))?.value) ?? {};
			return [
				{
					type: 'toolCall',
					id: textOf(block.toolCallId),
					name: textOf(block.toolName),
					arguments: input,
				},
			];
		}
		case 'tool-result':
			return [
				{
					type: 'toolResult',
					id: textOf(block.toolCallId),
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
	const base64 = data instanceof Uint8Array ? Buffer.from(data).toString('base64') : textOf(data);
	const start = Buffer.from(base64.slice(0, 400), 'base64');
	const type = textOf(mediaType) || (detectMediaType(start) ?? 'unknown');
	if (type.startsWith('image/')) {
		return { type: 'image', image: imageOfText(`data:${type};base64,${base64}`, LABEL) };
	}
	throw inputFailure(
		LABEL,
		`holds a file that is no image (${type})`,
		'Chat models of the gateway take texts and images. Turn the file into text first, for example with an Extract from File node.',
	);
}

/** What a tool answered as text; the model cannot see anything else. */
function resultText(result: unknown): string {
	if (typeof result === 'string') return result;
	if (!Array.isArray(result)) return JSON.stringify(result ?? null);
	return result
		.map((block: unknown) => {
			const { type, text } = asRecord(block) ?? {};
			return type === 'text' ? textOf(text) : type === 'file' ? '[file]' : JSON.stringify(block);
		})
		.join('\n');
}

function textOf(value: unknown): string {
	return typeof value === 'string' ? value : '';
}

function nothingAsked() {
	return inputFailure(
		LABEL,
		'is empty',
		'Check the prompt of the node that uses this model: if it comes from an expression, the item must have that field.',
	);
}
