import { inOrder, indexOf, isFields, type Assembler } from './assembler';

type Fields = Record<string, unknown>;

/** Assembles the responses of a generate-content stream into one (interface, 2.5). */
export class GenerateContentAssembler implements Assembler {
	private readonly head: Fields = {};
	private readonly candidates = new Map<number, Fields>();

	add(event: Fields): string {
		const { candidates, ...head } = event;
		for (const [key, value] of Object.entries(head)) {
			if (key !== '__proto__' && value !== null) this.head[key] = value;
		}
		let text = '';
		for (const candidate of Array.isArray(candidates) ? candidates : []) {
			if (isFields(candidate)) text += this.addCandidate(candidate);
		}
		return text;
	}

	get isComplete(): boolean {
		if (this.candidates.size === 0) {
			const { promptFeedback } = this.head;
			return isFields(promptFeedback) && Boolean(promptFeedback.blockReason);
		}
		return inOrder(this.candidates).every(({ finishReason }) => Boolean(finishReason));
	}

	body(): Fields {
		return { candidates: inOrder(this.candidates), ...this.head };
	}

	private addCandidate({ content, ...others }: Fields): string {
		const index = indexOf(others);
		const known = this.candidates.get(index) ?? { content: { role: 'model', parts: [] } };
		this.candidates.set(index, known);
		for (const [key, value] of Object.entries(others)) {
			if (key !== '__proto__' && value !== null) known[key] = value;
		}
		const parts = isFields(content) && Array.isArray(content.parts) ? content.parts.filter(isFields) : [];
		const { parts: before } = known.content as { parts: Fields[] };
		for (const part of parts) addPart(before, part);
		return index === 0 ? parts.map(spoken).join('') : '';
	}
}

/** Pieces of one text become one part again. */
function addPart(parts: Fields[], part: Fields): void {
	const last = parts.at(-1);
	if (last && isPlainText(last) && isPlainText(part) && last.thought === part.thought) {
		last.text = `${last.text as string}${part.text as string}`;
	} else {
		parts.push({ ...part });
	}
}

function isPlainText(part: Fields): boolean {
	return (
		typeof part.text === 'string' && Object.keys(part).every((key) => key === 'text' || key === 'thought')
	);
}

function spoken({ text, thought }: Fields): string {
	return typeof text === 'string' && thought !== true ? text : '';
}
