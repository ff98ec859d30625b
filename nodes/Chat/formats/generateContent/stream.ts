import { type Fields, asRecord, textOr, withoutFields } from '../../../shared/plain/values';
import { inOrder, indexOf, isFields, listOf, objectsIn } from '../lists';
import type { Assembler, StreamFormat } from '../chatFormat';
import { textOfContent } from '../contentParts';
import { Merger } from '../merger';
import { isGenerateContent } from './answer';

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
		const { content } = candidate;
		const others = withoutFields(candidate, ['content', 'groundingMetadata', 'citationMetadata']);
		const index = indexOf(candidate, place);
		const empty = { content: { role: 'model', parts: [] } };
		const known: Fields = this.candidates.get(index) ?? this.merger.count(empty);
		this.candidates.set(index, known);
		this.merger.assign(known, others);
		for (const name of ['groundingMetadata', 'citationMetadata']) {
			// Its fields come in several events.
			if (isFields(candidate[name])) this.merger.collect((known[name] ??= {}) as Fields, candidate[name]);
		}
		const parts = objectsIn(asRecord(content)?.parts);
		// The text is read before merging, which makes the parts grow.
		const text = textOfContent(parts);
		const all = known.content as Fields;
		for (const part of parts) {
			if (addCallPiece(listOf(all.parts), part)) this.merger.count(part);
			else this.merger.merge(all, { parts: [part] });
		}
		return index === 0 ? text : '';
	}
}

/**
 * Adds a part with a piece of a call whose arguments are streamed (`streamFunctionCallArguments` of Vertex AI): the first
 * piece has the name, and the last one may be empty. A call whose end is missing keeps `willContinue`, which tells the
 * reader that its arguments were cut off.
 *
 * @param parts those of the candidate so far @returns whether the part is such a piece
 */
function addCallPiece(parts: unknown[], { functionCall, ...others }: Fields): boolean {
	const piece = asRecord(functionCall);
	if (!piece) return false;
	const { partialArgs, willContinue = false, ...call } = piece;
	const isFirst = Boolean(call.name) && (partialArgs !== undefined || willContinue === true);
	if (isFirst) parts.push({ functionCall: { args: {}, ...call, willContinue: true } });
	const part = asRecord(parts.at(-1));
	const open = asRecord(part?.functionCall);
	if (open?.willContinue !== true || (call.name && !isFirst)) return false;
	Object.assign(part!, others);
	const args = asRecord(open.args);
	// A tool must not run without an argument that cannot be read.
	if (!args || !objectsIn(partialArgs).every((one) => addArgument(args, one))) open.args = null;
	else if (willContinue !== true) delete open.willContinue;
	return true;
}

const STEP = /\.([^.[\]]+)|\[(\d+)\]|\['([^']*)'\]|\["([^"]*)"\]/g;
const VALUES = ['stringValue', 'numberValue', 'boolValue', 'nullValue'];

/** Adds a piece of an argument; pieces of a text are joined. @returns false if it cannot be read */
function addArgument(args: Fields, { jsonPath, ...piece }: Fields): boolean {
	const path = textOr(jsonPath);
	const steps = [...path.matchAll(STEP)];
	const name = VALUES.find((one) => one in piece);
	if (steps.length === 0 || name === undefined || path !== `$${steps.map(([step]) => step).join('')}`)
		return false;
	let target: Fields = args;
	for (const [index, [, plain, place, single, double]] of steps.entries()) {
		const key = plain ?? place ?? single ?? double;
		// Assigning it would change the prototype, and a place beyond the end would make a list of any length.
		if (key === '__proto__' || (Array.isArray(target) && Number(key) > target.length)) return false;
		const before = Object.hasOwn(target, key) ? target[key] : undefined;
		if (index === steps.length - 1) {
			const value = name === 'nullValue' ? null : piece[name];
			target[key] = typeof before === 'string' && typeof value === 'string' ? before + value : value;
			return true;
		}
		const inner = before ?? (steps[index + 1][2] === undefined ? {} : []);
		if (typeof inner !== 'object') return false;
		target[key] = inner;
		target = inner as Fields;
	}
	return false;
}
