import { type Fields, asRecord } from '../../../shared/plain/values';
import { inOrder, indexOf, isFields, listOf, objectsIn, withoutFields, type Assembler } from '../assembler';
import type { StreamFormat } from '../chatFormat';
import { textOfContent } from '../contentParts';
import { Merger } from '../merger';
import { isGenerateContent } from './answer';
import { addCallPiece } from './partialArgs';

export const stream: StreamFormat = {
	begins: isGenerateContent,
	assembler: () => new GenerateContentAssembler(),
};

/** Assembles the responses of a generate-content stream into one (interface, 2.5). */
class GenerateContentAssembler implements Assembler {
	private readonly head: Fields = {};
	private readonly candidates = new Map<number, Fields>();
	private readonly merger = new Merger();

	add(event: Fields): string {
		const { candidates, usageMetadata, ...head } = event;
		this.merger.addUsage(this.head, 'usageMetadata', usageMetadata);
		this.merger.assign(this.head, head);
		const added = (one: unknown, place: number) => (isFields(one) ? this.addCandidate(one, place) : '');
		return listOf(candidates).map(added).join('');
	}

	get isComplete(): boolean {
		if (this.candidates.size === 0) {
			const { promptFeedback } = this.head;
			return isFields(promptFeedback) && Boolean(promptFeedback.blockReason);
		}
		return inOrder(this.candidates).every(({ finishReason }) => Boolean(finishReason));
	}

	body(): Fields {
		const head = withoutFields(this.head, ['choices', 'content', 'type']);
		return { candidates: inOrder(this.candidates), ...head };
	}

	private addCandidate(candidate: Fields, place: number): string {
		const { content, groundingMetadata, citationMetadata, ...others } = candidate;
		const index = indexOf(others, place);
		const empty = { content: { role: 'model', parts: [] } };
		const known: Fields = this.candidates.get(index) ?? this.merger.count(empty);
		this.candidates.set(index, known);
		this.merger.assign(known, others);
		// Its fields come in several events.
		const grounding = { ...asRecord(known.groundingMetadata) };
		this.merger.assign(grounding, asRecord(groundingMetadata) ?? {});
		if (isFields(groundingMetadata)) known.groundingMetadata = grounding;
		const citations = { ...asRecord(known.citationMetadata) };
		for (const [name, list] of Object.entries(asRecord(citationMetadata) ?? {})) {
			citations[name] = this.merger.withNew(citations[name], list);
		}
		if (isFields(citationMetadata)) known.citationMetadata = citations;
		const parts = objectsIn(asRecord(content)?.parts);
		// Merging makes the parts grow.
		const text = textOfContent(parts);
		const all = known.content as Fields;
		for (const part of parts) {
			if (addCallPiece(listOf(all.parts), part)) this.merger.count(part);
			else this.merger.merge(all, { parts: [part] });
		}
		return index === 0 ? text : '';
	}
}
