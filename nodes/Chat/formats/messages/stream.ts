import { parseJson, withWholeIntegers } from '../../../shared/plain/json';
import { type Fields, asRecord, entryOf, isBlank, textOr, withoutFields } from '../../../shared/plain/values';
import { inOrder, indexOf, isFields, objectsIn } from '../lists';
import type { Assembler, StreamFormat } from '../chatFormat';
import { textOfContent } from '../contentParts';
import { Merger } from '../merger';

export const stream: StreamFormat = {
	begins: ({ type }) => /^(message|content_block)_/.test(textOr(type)),
	assembler: () => new MessagesAssembler(),
};

/** The type of block that a delta belongs to, for streams that do not announce their blocks. */
const BLOCK_OF_DELTA: Record<string, string> = {
	text_delta: 'text',
	thinking_delta: 'thinking',
	signature_delta: 'thinking',
	input_json_delta: 'tool_use',
	citations_delta: 'text',
};

/** Assembles the events of a stream into a message object (interface, 2.4). */
class MessagesAssembler implements Assembler {
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
				for (const { usage, ...fields } of [asRecord(event.delta) ?? {}, { usage: event.usage }]) {
					this.merger.assign(this.message, fields, []);
					this.merger.addUsage(this.message, 'usage', usage);
				}
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

	/** Keeps the fields of an event that the interface does not show, but a gateway adds. */
	private addFurtherFields(event: Fields): void {
		this.merger.assign(this.message, withoutFields(event, ['type', 'delta', 'usage']), []);
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

/** Parses the input of a block, which came as JSON text. The input of a call that was cut off stays text. */
function withInput({ partial_json: json, ...block }: Fields): Fields {
	if (typeof json !== 'string') return block;
	return {
		...block,
		input: isBlank(json) ? (block.input ?? {}) : (parseJson(withWholeIntegers(json))?.value ?? json),
	};
}
