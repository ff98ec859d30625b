import type { IDataObject } from 'n8n-workflow';
import type { Conversation, Part, Turn } from './formats/conversation';
import { imagesOf } from '../shared/files/images';
import { inputFailure } from '../shared/errors/errorMessages';
import { asRecord, textOr } from '../shared/values';
import { jsonValue, type Call } from '../shared/runtime/call';
import { instructionFor, type JsonWish } from './json/parseAnswer';

/** What the model is asked: a conversation, or the list of messages as the user wrote it. */
export type ChatInput = { conversation: Conversation } | { messages: object[] };

/**
 * Reads what the model is asked from the parameters of the item.
 *
 * @param settings `contentField` is what each message in JSON must hold; `systemAlways` says whether System
 *   Prompt counts beside messages, too; `wish` may add to the system text
 * @throws GatewayFailure (kind `input`) that names the parameter which cannot be used
 */
export async function readInput(
	call: Call,
	settings: { contentField: 'content' | 'parts'; systemAlways: boolean; wish: JsonWish | undefined },
): Promise<ChatInput & { system: string }> {
	const inputType = call.text('inputType');
	const written = inputType === 'prompt' || settings.systemAlways ? call.text('systemPrompt') : '';
	if (inputType === 'json') {
		return { messages: jsonMessages(call.value('messagesJson'), settings.contentField), system: written };
	}
	const told = settings.wish && call.flag('tellSchema') ? instructionFor(settings.wish) : '';
	const system = [written, told].filter((text) => text.trim() !== '').join('\n\n');
	const turns = inputType === 'messages' ? await messageTurns(call) : [await promptTurn(call)];
	return { conversation: { system, turns }, system };
}

async function promptTurn(call: Call): Promise<Turn> {
	const prompt = call.requiredText('prompt', 'Prompt');
	const images = await imageParts(call, call.value('images'), 'Images');
	return { role: 'user', parts: [{ type: 'text', text: prompt }, ...images] };
}

async function messageTurns(call: Call): Promise<Turn[]> {
	const messages = asRecord(call.value('messages'))?.message;
	const list = Array.isArray(messages) ? (messages as IDataObject[]) : [];
	if (list.length === 0) {
		throw inputFailure('Messages', 'is empty', 'Add at least one message of the user.');
	}
	return await Promise.all(list.map(async (message, index) => await messageTurn(call, message, index)));
}

async function messageTurn(call: Call, message: IDataObject, index: number): Promise<Turn> {
	const here = `Messages (entry ${index + 1})`;
	const { role, text } = message;
	if (role !== 'system' && role !== 'user' && role !== 'assistant') {
		throw inputFailure(here, `has the role "${textOr(role)}"`, 'Choose System, User or Assistant.');
	}
	const said = typeof text === 'object' ? JSON.stringify(text) : String(text ?? '');
	const images = role === 'user' ? await imageParts(call, message.images, `Images in ${here}`) : [];
	const texts: Part[] = said.trim() === '' ? [] : [{ type: 'text', text: said }];
	if (texts.length + images.length === 0) {
		throw inputFailure(
			here,
			'is empty',
			'Fill in its text. If it comes from an expression, check that this item has the field.',
		);
	}
	return { role, parts: [...texts, ...images] };
}

async function imageParts(call: Call, value: unknown, label: string): Promise<Part[]> {
	const entries = asRecord(value)?.image;
	if (!Array.isArray(entries)) return [];
	const images = await imagesOf(call.context, call.itemIndex, entries as IDataObject[], label);
	return images.map((image) => ({ type: 'image', image }));
}

function jsonMessages(value: unknown, contentField: 'content' | 'parts'): object[] {
	const label = 'Messages (JSON)';
	const messages = jsonValue(value, label, `[{"role": "user", ${EXAMPLES[contentField]}}]`);
	if (!Array.isArray(messages) || messages.length === 0) {
		throw inputFailure(
			label,
			'is not a list with at least one message',
			`Enter an array such as [{"role": "user", ${EXAMPLES[contentField]}}].`,
		);
	}
	for (const [index, message] of messages.entries()) {
		const content = asRecord(message)?.[contentField];
		const isFilled =
			contentField === 'parts' ? Array.isArray(content) : asRecord(message)?.role !== undefined;
		if (!asRecord(message) || !isFilled) {
			throw inputFailure(
				`${label}, entry ${index + 1},`,
				contentField === 'parts' ? 'has no list "parts"' : 'has no "role"',
				`Each entry should look like {"role": "user", ${EXAMPLES[contentField]}}.`,
			);
		}
	}
	return messages as object[];
}

const EXAMPLES = { content: '"content": "Hello"', parts: '"parts": [{"text": "Hello"}]' };
