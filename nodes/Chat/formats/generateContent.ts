import type { OptionalFields } from '../../shared/answer/optionalFields';
import { asRecord, textOr } from '../../shared/plain/values';
import { type Endpoint, GENERATE } from '../../shared/send/endpoints';
import { type AnswerParts, MAX_ANSWERS } from './answer';
import {
	byIndex,
	inOrder,
	indexOf,
	isFields,
	listOf,
	objectsIn,
	withoutFields,
	type Assembler,
	type Fields,
} from './assembler';
import { openApiForm } from '../json/nativeSchema';
import { saidIn, textOfContent } from './contentParts';
import { withoutSystemTurns, type Conversation, type Part, type Turn } from './conversation';
import type { Tool } from './functions';
import { generateContentFile, namedText } from './fileParts';
import { Merger } from './merger';
import { generateContentSources } from './sources';
import type { Thoughts } from './thoughts';

/** The endpoint of a model (interface, 4.3); the interface does not show its streaming variant. */
export function generateContentEndpoint(model: string, streamed: boolean): Endpoint {
	const action = streamed ? 'streamGenerateContent' : 'generateContent';
	// Encoding throws for an incomplete surrogate pair.
	const name = encodeURIComponent(model.toWellFormed());
	const otherPath = 'If your gateway does not stream in this format, turn off Stream in Options.';
	const path = `/v1beta/models/${name}:${action}`;
	return { ...GENERATE, ...(streamed ? { otherPath } : {}), model, path };
}

/** The `contents` of the format (interface, 4.3), which has no field for a system text. */
export function generateContents(conversation: Conversation): object[] {
	const { system, turns } = withoutSystemTurns(conversation);
	const contents = turns.map(contentOf);
	if (system === '') return contents;
	const [first, ...others] = contents;
	if (first?.role !== 'user') return [{ role: 'user', parts: [{ text: system }] }, ...contents];
	return [{ ...first, parts: [{ text: system }, ...first.parts] }, ...others];
}

function contentOf({ role, parts, thoughts }: Turn): { role: 'user' | 'model'; parts: object[] } {
	const list = parts.flatMap((part) => partOf(part, thoughts));
	return { role: role === 'user' ? 'user' : 'model', parts: list };
}

function partOf(part: Part, thoughts: Thoughts | undefined): object[] {
	switch (part.type) {
		case 'text':
			return part.text === '' ? [] : [{ text: part.text }];
		case 'file':
			return [generateContentFile(part)];
		case 'document':
			return [{ text: namedText(part) }];
		case 'toolCall':
			return [{ functionCall: { name: part.name, args: part.arguments }, ...thoughts?.ofCalls[part.id] }];
		case 'toolResult':
			return [
				{ functionResponse: { name: part.name, response: { result: part.text } } },
				...(part.files ?? []).map(generateContentFile),
			];
	}
}

/** Whether a response, or an event of a stream, is of this format. */
export function isGenerateContent(body: Fields): boolean {
	return ['candidates', 'promptFeedback', 'usageMetadata'].some((name) => name in body);
}

/** Reads a generate-content response (interface, 2.5). @throws GatewayFailure (kind `answer`) when no candidate can be read */
export function readGenerateContent(body: Fields, optional: OptionalFields): AnswerParts {
	const isBlocked = asRecord(body.promptFeedback) !== undefined;
	const list = body.candidates ?? (isBlocked ? [] : undefined);
	const candidates = byIndex(optional.list(list, 'candidates', candidateIn, MAX_ANSWERS));
	const first = candidates.at(0);
	const { toolCalls, ...said } = saidIn(partsOf(first, optional));
	const feedback = optional.record(body.promptFeedback, 'promptFeedback');
	// A prompt that is blocked gets no candidate at all.
	const blocked = (feedback.blockReason ?? first?.blockReason) ? 'content_filter' : '';
	return {
		id: optional.text(body.responseId, 'responseId'),
		model: optional.text(body.modelVersion, 'modelVersion'),
		...said,
		toolCalls: toolCalls.map((call, index) => ({ ...call, id: call.id || `call_${index}` })),
		finishReason: optional.text(first?.finishReason, 'finishReason') ?? blocked,
		// Why there is no text, in words.
		refusal: textOr(first?.finishMessage, textOr(feedback.blockReasonMessage)),
		alternatives: candidates.slice(1).map((candidate) => textOfContent(partsOf(candidate, optional))),
		sources: generateContentSources(first),
	};
}

/** A candidate that was blocked may have nothing but the reason. */
function candidateIn(value: unknown): Fields | undefined {
	const candidate = asRecord(value);
	if (!candidate) return undefined;
	return ['content', 'finishReason', 'blockReason'].some((name) => name in candidate) ? candidate : undefined;
}

/** A candidate that was blocked has no content, or content without parts. */
function partsOf(candidate: Fields | undefined, optional: OptionalFields): Fields[] {
	return optional.optionalList(asRecord(candidate?.content)?.parts, 'candidates.content.parts', asRecord);
}

/** Assembles the responses of a generate-content stream into one (interface, 2.5). */
export class GenerateContentAssembler implements Assembler {
	private readonly head: Fields = {};
	private readonly candidates = new Map<number, Fields>();
	private readonly merger = new Merger();

	add(event: Fields): string {
		const { candidates, ...head } = event;
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

	private addCandidate({ content, groundingMetadata, ...others }: Fields, place: number): string {
		const index = indexOf(others, place);
		const empty = { content: { role: 'model', parts: [] } };
		const known: Fields = this.candidates.get(index) ?? this.merger.count(empty);
		this.candidates.set(index, known);
		this.merger.assign(known, others);
		// Its fields come in several events.
		const grounding = { ...asRecord(known.groundingMetadata) };
		this.merger.assign(grounding, asRecord(groundingMetadata) ?? {});
		if (isFields(groundingMetadata)) known.groundingMetadata = grounding;
		const parts = objectsIn(asRecord(content)?.parts);
		// Merging makes the parts grow.
		const text = textOfContent(parts);
		this.merger.merge(known.content as Fields, { parts });
		return index === 0 ? text : '';
	}
}

/** The `tools` of the generate-content format, as comparable services expect them. */
export function generateContentTools(tools: Tool[]): object[] {
	return [{ functionDeclarations: tools.map(declarationOf) }];
}

function declarationOf({ name, description, parameters }: Tool): object {
	if (Object.keys(asRecord(parameters.properties) ?? {}).length === 0) return { name, description };
	const form = openApiForm(parameters);
	return { name, description, ...(form ? { parameters: form } : { parametersJsonSchema: parameters }) };
}
