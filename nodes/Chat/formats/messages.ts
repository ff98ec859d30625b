import type { OptionalFields } from '../../shared/answer/optionalFields';
import { asRecord, entryOf, isBlank, parseJson, textOr } from '../../shared/plain/values';
import type { AnswerParts } from './answer';
import {
	inOrder,
	indexOf,
	isFields,
	objectsIn,
	withoutFields,
	type Assembler,
	type Fields,
} from './assembler';
import { plainTextOf, withoutSystemTurns, type Conversation, type Part, type Turn } from './conversation';
import type { Tool } from './functions';
import { messagesGeneration, type RequestParts } from './generation';
import { saidIn, textOfContent } from './contentParts';
import { messagesFile } from './fileParts';
import { Merger } from './merger';
import { messagesSources } from './sources';

/** `messages` and `system` of the messages format (interface, 4.2); files in them may be `EmbeddedFile`s. */
export function messagesConversation(conversation: Conversation): { messages: object[]; system?: string } {
	const { system, turns } = withoutSystemTurns(conversation);
	const messages = turns
		.map((turn) => ({ role: turn.role, content: contentOf(turn) }))
		.filter(({ content }) => (typeof content === 'string' ? !isBlank(content) : content.length > 0));
	return { messages, ...(system === '' ? {} : { system }) };
}

/** The `tools` of the messages format, as comparable services expect them. */
export function messagesTools(tools: Tool[]): object[] {
	return tools.map(({ name, description, parameters }) => ({ name, description, input_schema: parameters }));
}

/** The body of a request (interface, 4.2). Its order is a part of what paid results are kept under. */
export function messagesBody(parts: RequestParts & { system?: string }): Fields {
	const { model, messages, system = '', tools, generation, streamed } = parts;
	return {
		...{ model, messages },
		...(isBlank(system) ? {} : { system }),
		...(tools.length > 0 ? { tools } : {}),
		...messagesGeneration(generation),
		...(streamed ? { stream: true } : {}),
	};
}

function contentOf(turn: Turn): string | object[] {
	return plainTextOf(turn) ?? [...(turn.thoughts?.blocks ?? []), ...turn.parts.flatMap(blockOf)];
}

function blockOf(part: Part): object[] {
	switch (part.type) {
		case 'text':
			// "text content blocks must contain non-whitespace text" (Anthropic); models write such texts before calls.
			return isBlank(part.text) ? [] : [{ type: 'text', text: part.text }];
		case 'file':
			return [messagesFile(part)];
		case 'document': {
			const source = { type: 'text', media_type: 'text/plain', data: part.text };
			return [{ type: 'document', source, title: part.name }];
		}
		case 'toolCall':
			return [{ type: 'tool_use', id: ownId(part.id), name: part.name, input: part.arguments }];
		case 'toolResult':
			return [{ type: 'tool_result', tool_use_id: ownId(part.id), content: resultContent(part) }];
	}
}

/** The ID of a call in characters that the format takes: a call of another model may have others, such as `functions.x:0`. */
function ownId(id: string): string {
	return id.replace(/[^\w-]/g, '_');
}

function resultContent({ text, files = [] }: Extract<Part, { type: 'toolResult' }>): string | object[] {
	if (files.length === 0) return text;
	return [...(text === '' ? [] : [{ type: 'text', text }]), ...files.map(messagesFile)];
}

/** Reads a message object (interface, 2.4). Blocks of other types are kept. */
export function readMessage(body: Fields, optional: OptionalFields): AnswerParts {
	const blocks = optional.list(body.content, 'content', asRecord);
	return {
		id: optional.text(body.id, 'id'),
		model: optional.text(body.model, 'model'),
		...saidIn(blocks),
		finishReason: optional.text(body.stop_reason, 'stop_reason'),
		refusal: textOr(asRecord(body.stop_details)?.explanation),
		alternatives: [],
		sources: messagesSources(blocks),
	};
}

/** The type of block that a delta belongs to, for streams that do not announce their blocks. */
const BLOCK_OF_DELTA: Record<string, string> = {
	text_delta: 'text',
	thinking_delta: 'thinking',
	signature_delta: 'thinking',
	input_json_delta: 'tool_use',
	citations_delta: 'text',
};

/** Assembles the events of a stream into a message object (interface, 2.4). */
export class MessagesAssembler implements Assembler {
	private readonly message: Fields = { type: 'message', role: 'assistant' };
	private readonly blocks = new Map<number, Fields>();
	private stopped = false;
	private readonly merger = new Merger();

	add(event: Fields): string {
		switch (event.type) {
			case 'message_start':
				return isFields(event.message) ? this.start(event.message) : '';
			case 'content_block_start':
				return isFields(event.content_block) ? this.startBlock(indexOf(event), event.content_block) : '';
			case 'content_block_delta':
				return isFields(event.delta) ? this.addDelta(indexOf(event), event.delta) : '';
			case 'message_delta':
				this.addFurtherFields(event);
				if (isFields(event.delta)) this.merger.assign(this.message, event.delta, []);
				if (isFields(event.usage)) this.addUsage(event.usage);
				return '';
			case 'message_stop':
				this.addFurtherFields(event);
				this.stopped = true;
				return '';
			default:
				return '';
		}
	}

	get isComplete(): boolean {
		return this.stopped || Boolean(this.message.stop_reason);
	}

	body(): Fields {
		return { ...withoutFields(this.message, ['choices']), content: inOrder(this.blocks).map(withInput) };
	}

	private start({ content, ...message }: Fields): string {
		this.merger.assign(this.message, message, []);
		return objectsIn(content)
			.map((block, index) => this.startBlock(index, block))
			.join('');
	}

	private startBlock(index: number, block: Fields): string {
		const known = this.blocks.get(index);
		// A text that was already seen stays, before the block that begins at the same position.
		if (known) this.blocks.set(index - 1 / (this.blocks.size + 1), known);
		this.blocks.set(index, this.merger.count({ ...block }));
		return textOfContent(block);
	}

	/** What a gateway adds to an event that the interface does not show. */
	private addFurtherFields(event: Fields): void {
		this.merger.assign(this.message, withoutFields(event, ['type', 'delta', 'usage']), []);
	}

	private addUsage(usage: Fields): void {
		const known = isFields(this.message.usage) ? { ...this.message.usage } : {};
		this.merger.assign(known, usage);
		this.message.usage = known;
	}

	private addDelta(index: number, delta: Fields): string {
		const { type, citation, ...texts } = delta;
		const blockType = entryOf(BLOCK_OF_DELTA, textOr(type)) ?? 'text';
		const block = this.blocks.get(index) ?? this.merger.count({ type: blockType });
		this.blocks.set(index, block);
		if (citation !== undefined) this.merger.merge(block, { citations: [citation] });
		this.merger.merge(block, texts);
		return textOfContent({ type: block.type, ...texts });
	}
}

/** A block with the input that came as JSON text. That of a call that was cut off stays text. */
function withInput({ partial_json: json, ...block }: Fields): Fields {
	if (typeof json !== 'string') return block;
	return { ...block, input: isBlank(json) ? (block.input ?? {}) : (parseJson(json)?.value ?? json) };
}
