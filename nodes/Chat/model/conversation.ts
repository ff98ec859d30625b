import { inputFailure } from '../../shared/errors/errorMessages';
import { imageOfText } from '../../shared/files/images';
import { detectMediaType } from '../../shared/files/mediaTypes';
import { asRecord, parseJson, textOr } from '../../shared/values';
import type { Conversation, Part, Turn } from '../formats/conversation';
import type { RequestedCall, RequestingAnswer } from './answerMemory';
import type { SdkContent, SdkMessage } from './sdk';

const LABEL = 'The message to the model';

/**
 * The conversation that an agent or a chain passes to its model. Answers with tool calls are as the model gave them, with
 * their thoughts. It leaves out the reasoning of other answers, and empty texts, which gateways reject.
 *
 * @param answerOf finds the answer that a tool call was part of
 * @throws GatewayFailure (kind `input`) when nothing is left to send, or a file is not an image
 */
export function conversationOf(
	messages: SdkMessage[],
	answerOf: (call: RequestedCall) => RequestingAnswer | undefined = () => undefined,
): Conversation {
	const turns: Turn[] = [];
	for (const message of messages) {
		const parts = message.content.flatMap((block) => partOf(block, message));
		const turn = asAnswered({ role: roleOf(message), parts }, answerOf);
		const [asking, previous] = [turns.at(-2), turns.at(-1)];
		// Agents hand back the calls of one answer one by one.
		if (asking && previous && hasResults(previous) && turn.thoughts && asking.thoughts === turn.thoughts) {
			asking.parts.push(...turn.parts.filter(isCall));
			continue;
		}
		// The messages format requires the results of one answer's tool calls in one message.
		if (previous && hasResults(turn) && hasResults(previous)) previous.parts.push(...turn.parts);
		else if (turn.parts.length > 0) turns.push(turn);
	}
	if (turns.every(({ role }) => role === 'system')) throw emptyFailure();
	return { system: '', turns };
}

/** A turn with tool calls as the model gave it, as far as that is known. */
function asAnswered(turn: Turn, answerOf: (call: RequestedCall) => RequestingAnswer | undefined): Turn {
	const [first] = turn.parts.filter(isCall);
	const answer = first && answerOf(first);
	if (!answer) return turn;
	const said: Part[] = answer.text === '' ? [] : [{ type: 'text', text: answer.text }];
	const others = turn.parts.filter(({ type }) => type !== 'toolCall' && type !== 'text');
	const calls = turn.parts.filter(isCall).map((part) => {
		const call = answer.calls.find(({ id }) => id === part.id);
		return call ? { ...part, arguments: call.arguments } : part;
	});
	return { ...turn, parts: [...said, ...others, ...calls], thoughts: answer.thoughts };
}

function isCall(part: Part): part is Extract<Part, { type: 'toolCall' }> {
	return part.type === 'toolCall';
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
