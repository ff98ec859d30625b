import { emptyFailure, inputFailure } from '../../shared/failure/words';
import { asRecord, isBlank, textOr } from '../../shared/plain/values';
import { parseJson } from '../../shared/plain/json';
import type { ChatFormat, InputSettings } from '../formats/chatFormat';
import { type Conversation, type Part, plainTextOf, type Turn } from '../formats/conversation';
import type { RequestedCall, RequestingAnswer } from './answerMemory';
import { contentOfResult, MESSAGE_LABEL, usableFile } from '../sdkBlocks';
import type { SdkContent, SdkMessage } from '../sdk';

/**
 * The conversation that an agent or a chain passes to its model. Answers with tool calls are as the model gave them,
 * with their thoughts; it leaves out the reasoning of other answers, and empty texts, which gateways reject.
 */
export function conversationOf(
	messages: SdkMessage[],
	{ input }: Pick<ChatFormat, 'input'>,
	requestingAnswer: (call: RequestedCall) => RequestingAnswer | undefined = () => undefined,
): Conversation {
	const turns: Turn[] = [];
	for (const message of messages) {
		const parts = message.content.flatMap((block) => partOf(block, message, input));
		const turn = asAnswered({ role: roleOf(message), parts }, requestingAnswer);
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
	const isEmpty = (turn: Turn) => turn.role === 'system' || isBlank(plainTextOf(turn) ?? 'file');
	if (turns.every(isEmpty))
		throw emptyFailure(MESSAGE_LABEL, 'Check the prompt of the node that uses this model.');
	return { system: '', turns };
}

function asAnswered(
	turn: Turn,
	requestingAnswer: (call: RequestedCall) => RequestingAnswer | undefined,
): Turn {
	const [first] = turn.parts.filter(isCall);
	const answer = first && requestingAnswer(first);
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

function partOf(block: SdkContent, { name, role }: SdkMessage, input: InputSettings): Part[] {
	switch (block.type) {
		case 'text':
			return textOr(block.text) === '' ? [] : [{ type: 'text', text: textOr(block.text) }];
		case 'file':
			return role === 'system' || role === 'assistant' ? [] : [filePart(block, input)];
		case 'tool-call': {
			const given = asRecord(parseJson(textOr(block.input))?.value) ?? {};
			return [
				{
					type: 'toolCall',
					id: textOr(block.toolCallId),
					name: textOr(block.toolName),
					arguments: given,
				},
			];
		}
		case 'tool-result':
			return [
				{
					type: 'toolResult',
					id: textOr(block.toolCallId),
					name: name ?? '',
					...contentOfResult(block.result, input),
				},
			];
		default:
			return [];
	}
}

function filePart(block: SdkContent, input: InputSettings): Part {
	const part = usableFile(block, input);
	if (part) return part;
	throw inputFailure(
		MESSAGE_LABEL,
		`contains a file that cannot be sent to the model (${textOr(block.mediaType) || 'of unknown type'})`,
		'Chat models accept text, images, and PDFs, and audio in the format Chat Completion. Convert the file to text first, for example with an Extract from File node.',
	);
}
