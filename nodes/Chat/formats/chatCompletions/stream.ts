import { type Fields, asRecord, textOr, withoutFields } from '../../../shared/plain/values';
import { inOrder, indexOf, isFields, listOf } from '../lists';
import type { Assembler, StreamFormat } from '../chatFormat';
import { textOfContent } from '../contentParts';
import { isEmptyObject, Merger, withCallPiece } from '../merger';
import { transcriptOf, usagesIn } from './answer';

export const stream: StreamFormat = {
	begins: (event) => 'choices' in event,
	assembler: () => new ChatCompletionAssembler(),
};

/** Assembles the chunks of a stream (interface, 4.1 and 6.2) into a chat completion (2.3). */
class ChatCompletionAssembler implements Assembler {
	private readonly head: Fields = {};
	private readonly choices = new Map<number, Fields>();
	private readonly merger = new Merger();

	add(event: Fields): string {
		const { choices, citations, search_results } = event;
		for (const one of usagesIn(event)) this.merger.addUsage(this.head, 'usage', one);
		// Some gateways spread the sources over several events, and others repeat all of them in each.
		this.merger.collect(this.head, { citations, search_results });
		// Every chunk repeats the head, some of them with empty texts.
		const others = withoutFields(event, ['choices', 'usage', 'citations', 'search_results']);
		this.merger.assign(this.head, others, [null, '']);
		const texts = listOf(choices).map((one, place) => (isFields(one) ? this.addChoice(one, place) : ''));
		return texts.join('');
	}

	get isComplete(): boolean {
		return (
			this.choices.size > 0 && inOrder(this.choices).every(({ finish_reason: reason }) => Boolean(reason))
		);
	}

	body(): Fields {
		return { ...this.head, object: 'chat.completion', choices: inOrder(this.choices) };
	}

	private addChoice(
		{ delta, message: whole, finish_reason: reason, ...others }: Fields,
		place: number,
	): string {
		const index = indexOf(others, place);
		const known = this.choices.get(index) ?? this.merger.count<Fields>({ index, finish_reason: null });
		this.choices.set(index, known);
		this.merger.merge(known, others);
		// DashScope sends the word "null" before the end.
		if (typeof reason === 'string' && !['', 'null'].includes(reason)) known.finish_reason = reason;
		// Older APIs have only a text, and Together has it beside the delta.
		if (typeof others.text === 'string' && isEmptyObject(delta ?? whole ?? {})) {
			return index === 0 ? others.text : '';
		}
		// Some gateways send a whole message instead of a delta.
		const message = (known.message ??= { role: 'assistant', content: null }) as Fields;
		const isWhole = isFields(whole) && !isFields(delta);
		const said = isWhole ? withoutKnown(whole, message) : withCallPiece(asRecord(delta) ?? {});
		const { content = others.text, images, ...rest } = said;
		// The text is read before merging, which makes the parts grow.
		const text = textOfContent(content) || transcriptOf(rest);
		this.merger.merge(message, { ...rest, content });
		this.merger.collect(message, { images });
		return index === 0 ? text : '';
	}
}

/** Removes known texts from a whole message: gateways send it after the pieces, or longer in each event. */
function withoutKnown(whole: Fields, before: Fields): Fields {
	const rests = Object.entries(whole).map(([name, value]): [string, unknown] => {
		const known = textOr(before[name]);
		const isRepeated = name !== 'role' && known !== '' && textOr(value).startsWith(known);
		return [name, isRepeated ? textOr(value).slice(known.length) : value];
	});
	return Object.fromEntries(rests);
}
