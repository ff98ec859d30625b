import { parseJson } from '../../shared/values';
import { inOrder, indexOf, isFields, mergeDelta, type Assembler } from './assembler';

type Fields = Record<string, unknown>;

/** The kinds of block by the delta that fills them, for streams that do not announce a block. */
const BLOCK_OF_DELTA: Record<string, string> = {
	text_delta: 'text',
	thinking_delta: 'thinking',
	signature_delta: 'thinking',
	input_json_delta: 'tool_use',
	citations_delta: 'text',
};

/** Assembles the events of the messages format into a message object (interface, 2.4). */
export class MessagesAssembler implements Assembler {
	private readonly message: Fields = { type: 'message', role: 'assistant' };
	private readonly blocks = new Map<number, Fields>();
	/** JSON texts of tool calls, by block. */
	private readonly inputs = new Map<Fields, string>();
	private stopped = false;

	add(event: Fields): string {
		switch (event.type) {
			case 'message_start':
				if (isFields(event.message)) this.start(event.message);
				return '';
			case 'content_block_start':
				if (!isFields(event.content_block)) return '';
				this.blocks.set(indexOf(event), { ...event.content_block });
				return textOf(event.content_block);
			case 'content_block_delta':
				return isFields(event.delta) ? this.addDelta(indexOf(event), event.delta) : '';
			case 'message_delta':
				if (isFields(event.delta)) Object.assign(this.message, withoutPrototype(event.delta));
				if (isFields(event.usage)) this.addUsage(event.usage);
				return '';
			case 'message_stop':
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
		for (const [block, json] of this.inputs) {
			// A call that was cut off stays as the text that came.
			block.input = json.trim() === '' ? (block.input ?? {}) : (parseJson(json)?.value ?? json);
		}
		return { ...this.message, content: inOrder(this.blocks) };
	}

	private start({ content, ...message }: Fields): void {
		Object.assign(this.message, withoutPrototype(message));
		const blocks = Array.isArray(content) ? content.filter(isFields) : [];
		for (const [index, block] of blocks.entries()) this.blocks.set(index, { ...block });
	}

	private addUsage(usage: Fields): void {
		const known = isFields(this.message.usage) ? this.message.usage : {};
		const filled = Object.entries(withoutPrototype(usage)).filter(([, value]) => value !== null);
		this.message.usage = { ...known, ...Object.fromEntries(filled) };
	}

	private addDelta(index: number, delta: Fields): string {
		const { type, partial_json: json, citation, ...texts } = delta;
		const kind = BLOCK_OF_DELTA[type as string] ?? 'text';
		const block = this.blocks.get(index) ?? { type: kind };
		this.blocks.set(index, block);
		if (typeof json === 'string') this.inputs.set(block, (this.inputs.get(block) ?? '') + json);
		if (citation !== undefined) mergeDelta(block, { citations: [citation] });
		mergeDelta(block, texts);
		return textOf({ type: block.type, ...texts });
	}
}

function textOf({ type, text }: Fields): string {
	return type === 'text' && typeof text === 'string' ? text : '';
}

function withoutPrototype(fields: Fields): Fields {
	return Object.fromEntries(Object.entries(fields).filter(([key]) => key !== '__proto__'));
}
