import { inOrder, indexOf, isFields, mergeDelta, type Assembler } from './assembler';

type Fields = Record<string, unknown>;

/** Assembles the chunks of format A (interface, 4.1 and 6.2) into a chat completion (2.3). */
export class ChatCompletionAssembler implements Assembler {
	private readonly head: Fields = {};
	private readonly choices = new Map<number, Fields>();

	add(event: Fields): string {
		const { choices, ...head } = event;
		mergeHead(this.head, head);
		let text = '';
		for (const choice of Array.isArray(choices) ? choices : []) {
			if (isFields(choice)) text += this.addChoice(choice);
		}
		return text;
	}

	get isComplete(): boolean {
		return (
			this.choices.size > 0 && inOrder(this.choices).every(({ finish_reason: reason }) => Boolean(reason))
		);
	}

	body(): Fields {
		return { ...this.head, object: 'chat.completion', choices: inOrder(this.choices) };
	}

	private addChoice({ delta, message, finish_reason: reason, ...others }: Fields): string {
		const index = indexOf(others);
		const known = this.choices.get(index) ?? {
			index,
			message: { role: 'assistant', content: null },
			finish_reason: null,
		};
		this.choices.set(index, known);
		mergeDelta(known, others);
		if (typeof reason === 'string' && reason !== '') known.finish_reason = reason;
		// Some gateways send a whole message in place of a delta.
		const said = isFields(delta) ? delta : message;
		if (!isFields(said)) return '';
		mergeDelta(known.message as Fields, said);
		return index === 0 && typeof said.content === 'string' ? said.content : '';
	}
}

/** Every chunk repeats the head; only what is filled in counts. */
function mergeHead(head: Fields, chunk: Fields): void {
	for (const [key, value] of Object.entries(chunk)) {
		if (key === '__proto__' || value === null || value === '') continue;
		head[key] = value;
	}
}
