import { emptyFailure, inputFailure } from '../../shared/failure/words';
import { detectMediaType } from '../../shared/files/mediaTypes';
import { sentFileOf, type SentFile } from '../../shared/files/sentFiles';
import { asRecord, isBlank, parseJson, textOr } from '../../shared/plain/values';
import { type Conversation, type FilePart, type Part, plainTextOf, type Turn } from '../formats/conversation';
import { type ChatFormat, kindOfAddress, kindOfFile, nameOfFile, takesFile } from '../formats/fileParts';
import type { RequestedCall, RequestingAnswer } from './answerMemory';
import type { SdkContent, SdkMessage } from './sdk';

const LABEL = 'The message to the model';

/**
 * The conversation that an agent or a chain passes to its model. Answers with tool calls are as the model gave them,
 * with their thoughts; it leaves out the reasoning of other answers, and empty texts, which gateways reject.
 */
export function conversationOf(
	messages: SdkMessage[],
	answerOf: (call: RequestedCall) => RequestingAnswer | undefined = () => undefined,
	format: ChatFormat = 'chatCompletion',
): Conversation {
	const turns: Turn[] = [];
	for (const message of messages) {
		const parts = message.content.flatMap((block) => partOf(block, message, format));
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
	const isEmpty = (turn: Turn) => turn.role === 'system' || isBlank(plainTextOf(turn) ?? 'file');
	if (turns.every(isEmpty)) throw emptyFailure(LABEL, 'Check the prompt of the node that uses this model.');
	return { system: '', turns };
}

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

function partOf(block: SdkContent, { name, role }: SdkMessage, format: ChatFormat): Part[] {
	switch (block.type) {
		case 'text':
			return textOr(block.text) === '' ? [] : [{ type: 'text', text: textOr(block.text) }];
		case 'file':
			return role === 'system' || role === 'assistant' ? [] : [filePart(block, format)];
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
					...contentOfResult(block.result, format),
				},
			];
		default:
			return [];
	}
}

function filePart(block: SdkContent, format: ChatFormat): Part {
	const part = usableFile(block, format);
	if (part) return part;
	throw inputFailure(
		LABEL,
		`contains a file that cannot be sent to the model (${textOr(block.mediaType) || 'of unknown type'})`,
		'Chat models accept text, images, and PDFs, and audio in the format Chat Completion. Convert the file to text first, for example with an Extract from File node.',
	);
}

/** The part for a file; undefined when the format has none. */
function usableFile(block: SdkContent, format: ChatFormat): Part | undefined {
	const sent = sentFile(block);
	if (!sent) return undefined;
	const kind =
		sent.kind === 'address'
			? (kindOfFile(textOr(block.mediaType)) ?? kindOfAddress(sent.url))
			: kindOfFile(sent.mimeType);
	// n8n's Agent passes the name of a PDF along.
	const name = nameOfFile(sent, textOr(asRecord(block.providerMetadata)?.filename));
	if (kind === 'text' && sent.kind === 'base64') {
		return { type: 'document', name, text: Buffer.from(sent.base64, 'base64').toString() };
	}
	return kind !== undefined && takesFile(format, { kind, sent })
		? { type: 'file', kind, name, sent }
		: undefined;
}

function sentFile({ data, mediaType, providerMetadata }: SdkContent): SentFile | undefined {
	const url = asRecord(providerMetadata)?.url;
	if (typeof url === 'string') return sentFileOf(url, LABEL);
	const base64 = data instanceof Uint8Array ? Buffer.from(data).toString('base64') : textOr(data);
	if (base64 === '') return undefined;
	const start = Buffer.from(base64.slice(0, 400), 'base64');
	const mimeType = textOr(mediaType) || (detectMediaType(start) ?? 'application/octet-stream');
	return { kind: 'base64', mimeType, base64 };
}

/** The result of a tool: its text, and the files that models can read. */
export function contentOfResult(result: unknown, format: ChatFormat): { text: string; files?: FilePart[] } {
	if (typeof result === 'string') return { text: result };
	if (!Array.isArray(result)) return { text: JSON.stringify(result ?? null) };
	const texts: string[] = [];
	const files: FilePart[] = [];
	for (const block of result) {
		const { type, text } = asRecord(block) ?? {};
		if (type === 'text') texts.push(textOr(text));
		else if (type !== 'file') texts.push(JSON.stringify(block));
		else {
			const part = usableFile(block as SdkContent, format);
			if (part?.type === 'file') files.push(part);
			else texts.push(part?.type === 'document' ? part.text : '[file]');
		}
	}
	return { text: texts.join('\n'), ...(files.length > 0 ? { files } : {}) };
}
