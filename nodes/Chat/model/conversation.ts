import type { Learned } from '../../shared/send/client';
import { emptyFailure, inputFailure } from '../../shared/failure/words';
import { asRecord, isBlank, textOr } from '../../shared/plain/values';
import { parseJson } from '../../shared/plain/json';
import type { ChatFormat, InputSettings } from '../formats/chatFormat';
import {
	type CallPart,
	type Conversation,
	isCall,
	type Part,
	plainTextOf,
	type Turn,
} from '../formats/conversation';
import { contentOfResult, MESSAGE_LABEL, usableFile } from '../sdkBlocks';
import type { SdkContent, SdkMessage } from '../sdk';

/**
 * Reads the conversation that an agent or a chain passes to its model. Answers with tool calls stay as the model gave
 * them, with their thoughts. The reasoning of other answers is left out, as are empty texts, which gateways reject.
 */
export function conversationOf(
	messages: SdkMessage[],
	{ input }: Pick<ChatFormat, 'input'>,
	answerWith: (call: CallPart) => Turn | undefined = () => undefined,
): Conversation {
	const turns: Turn[] = [];
	for (const message of messages) {
		const parts = message.content.flatMap((block) => partOf(block, message, input));
		const turn = asAnswered({ role: roleOf(message), parts }, answerWith);
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

function asAnswered(turn: Turn, answerWith: (call: CallPart) => Turn | undefined): Turn {
	const [first, ...others] = turn.parts.filter(isCall);
	const answer = first && answerWith(first);
	if (!answer) return turn;
	const asked = answer.parts.filter(isCall);
	const calls = [first, ...others].map((call) => asked.find(({ id }) => id === call.id) ?? call);
	return { ...answer, parts: [...answer.parts.filter((part) => !isCall(part)), ...calls] };
}

function roleOf({ role }: SdkMessage): Turn['role'] {
	return role === 'system' || role === 'assistant' ? role : 'user';
}

function hasResults({ parts }: Turn): boolean {
	return parts.some(({ type }) => type === 'toolResult');
}

function partOf(block: SdkContent, { name = '', role }: SdkMessage, input: InputSettings): Part[] {
	const id = textOr(block.toolCallId);
	switch (block.type) {
		case 'text':
			return textOr(block.text) === '' ? [] : [{ type: 'text', text: textOr(block.text) }];
		case 'file':
			return role === 'system' || role === 'assistant' ? [] : [filePart(block, input)];
		case 'tool-call': {
			const given = asRecord(parseJson(textOr(block.input))?.value) ?? {};
			return [{ type: 'toolCall', id, name: textOr(block.toolName), arguments: given }];
		}
		case 'tool-result':
			return [{ type: 'toolResult', id, name, ...contentOfResult(block.result, input) }];
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

/**
 * The most answers, and characters of their JSON, in memory. The newest stay: without them, APIs refuse their results.
 * Agents ask about all items before they hand back the first result.
 */
const MOST_ANSWERS = 10_000;
const MOST_LENGTH = 50_000_000;

/**
 * Remembers answers with tool calls until the agent hands back the results. n8n's Agent keeps neither what the model
 * thought nor which calls came together, and creates its model anew for each turn.
 */
export class AnswerMemory {
	private answers: Array<{ scope: string; turn: Turn; length: number }> = [];

	/** @param scope the agent that asks and its execution, because the IDs of calls are not always unique */
	keep(scope: string, turn: Turn): void {
		if (!turn.parts.some(isCall)) return;
		const { length } = JSON.stringify(turn);
		this.answers = [...this.answers.slice(1 - MOST_ANSWERS), { scope, turn, length }];
		while (this.answers.length > 1 && this.length > MOST_LENGTH) this.answers.shift();
	}

	private get length(): number {
		return this.answers.reduce((sum, { length }) => sum + length, 0);
	}

	has(scope: string, id: string): boolean {
		return this.newest(scope, (call) => call.id === id) !== undefined;
	}

	/** Finds the newest answer with a call of this ID and name, to which an agent may have added arguments. */
	find(scope: string, { id, name, arguments: given }: CallPart): Turn | undefined {
		const isSame = ([key, value]: [string, unknown]) => JSON.stringify(given[key]) === JSON.stringify(value);
		return this.newest(
			scope,
			(call) => call.id === id && call.name === name && Object.entries(call.arguments).every(isSame),
		);
	}

	private newest(scope: string, isWanted: (call: CallPart) => boolean): Turn | undefined {
		const isHere = (part: Part) => isCall(part) && isWanted(part);
		return this.answers.findLast((one) => one.scope === scope && one.turn.parts.some(isHere))?.turn;
	}
}

const ABOUT = 'answers with tool calls';

/** Returns the memory for all agents that use a gateway. @param learned what is known about the gateway */
export function answerMemoryOf(learned: Pick<Learned, 'recall' | 'note'>): AnswerMemory {
	const memory = learned.recall<AnswerMemory>(ABOUT) ?? new AnswerMemory();
	// Noting it again keeps a memory in use from being dropped.
	learned.note(ABOUT, memory);
	return memory;
}
