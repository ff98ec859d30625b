import type { OptionalFields } from '../../../shared/answer/optionalFields';
import { type Fields, asRecord, entryOf, textOr, isEmpty } from '../../../shared/plain/values';
import { type AnswerParts, MAX_ANSWERS, distinctSources, type Source } from '../answer';
import { byIndex, listOf, objectsIn } from '../lists';
import type { AnswerFormat } from '../chatFormat';
import { saidIn, textOfContent } from '../contentParts';
import { picked, type Thoughts, partsWithCallIds } from '../conversation';

/** Reads the answers (interface, 2.5). */
export const answer: AnswerFormat = {
	isIn: isGenerateContent,
	read,
	usage: ({ usageMetadata, usage }) => usageMetadata ?? usage,
	thoughts,
};

const FIELDS = ['candidates', 'promptFeedback', 'usageMetadata'];

/** Tells whether a response, or an event of a stream, is of this format. Those of the messages format have a type. */
export function isGenerateContent(body: Fields): boolean {
	return body.type === undefined && FIELDS.some((name) => name in body);
}

/** The finish reasons as numbers, which clients can ask for. Higher numbers differ between Google's APIs. */
const REASONS_BY_NUMBER: Record<string, string> = {
	...{ 1: 'STOP', 2: 'MAX_TOKENS', 3: 'SAFETY', 4: 'RECITATION' },
};

function read(body: Fields, optional: OptionalFields): AnswerParts {
	const isBlocked = asRecord(body.promptFeedback) !== undefined;
	const list = body.candidates ?? (isBlocked ? [] : undefined);
	const candidates = byIndex(optional.list(list, 'candidates', candidateIn, MAX_ANSWERS));
	const first = candidates.at(0);
	const { toolCalls, ...content } = saidIn(partsOfCandidate(first, optional));
	const feedback = optional.record(body.promptFeedback, 'promptFeedback');
	// A prompt that is blocked gets no candidate at all.
	const blocked = (feedback.blockReason ?? first?.blockReason) ? 'content_filter' : '';
	const said = optional.text(first?.finishReason, 'finishReason');
	const reason = said && (entryOf(REASONS_BY_NUMBER, said) ?? said);
	const isOrdinary = reason === 'STOP' || reason === 'MAX_TOKENS';
	return {
		id: optional.text(body.responseId, 'responseId'),
		model: optional.text(body.modelVersion, 'modelVersion'),
		...content,
		toolCalls: toolCalls.map((call, index) => ({ ...call, id: call.id || `call_${index}` })),
		finishReason: first?.finishReason === null ? null : (reason ?? blocked),
		// Explains why there is no text. If the end is ordinary, the message is only a note about the calls.
		refusal: isOrdinary ? '' : textOr(first?.finishMessage, textOr(feedback.blockReasonMessage)),
		alternatives: candidates
			.slice(1)
			.map((candidate) => textOfContent(partsOfCandidate(candidate, optional))),
		sources: sourcesIn(first),
	};
}

/** A candidate that was blocked may have nothing but the reason. */
function candidateIn(value: unknown): Fields | undefined {
	const candidate = asRecord(value);
	if (!candidate) return undefined;
	return ['content', 'finishReason', 'blockReason'].some((name) => name in candidate) ? candidate : undefined;
}

/** A candidate that was blocked has no content, or content without parts. */
function partsOfCandidate(candidate: Fields | undefined, optional: OptionalFields): Fields[] {
	const parts = asRecord(candidate?.content)?.parts;
	return optional.list(isEmpty(parts) ? [] : parts, 'candidates.content.parts', asRecord);
}

/** The sources of a candidate: the chunks that its text is grounded in, and the pages that it cites. */
function sourcesIn({ groundingMetadata, citationMetadata: cited }: Fields = {}): Source[] {
	const chunks = listOf(asRecord(groundingMetadata)?.groundingChunks).map((chunk) => {
		const { web, retrievedContext, maps } = asRecord(chunk) ?? {};
		return web ?? retrievedContext ?? maps;
	});
	const { citationSources, citations } = asRecord(cited) ?? {};
	return distinctSources([...chunks, ...listOf(citationSources), ...listOf(citations)]);
}

/** Fields of a part that are sent back. Files are left out; thoughts without a signature mean nothing to the model. */
const HANDED_BACK = [
	...['text', 'thought', 'thoughtSignature', 'functionCall'],
	...['executableCode', 'codeExecutionResult', 'toolCall', 'toolResponse'],
];

function thoughts({ candidates }: Fields, ids: string[]): Partial<Thoughts> {
	const parts = objectsIn(asRecord(objectsIn(candidates)[0]?.content)?.parts);
	const isCall = ({ functionCall }: Fields) => textOr(asRecord(functionCall)?.name) !== '';
	const handedBack = (part: Fields): Fields => {
		const isBare = part.thoughtSignature === undefined && (part.thought === true || part.text === '');
		const isNone = isBare || (part.functionCall !== undefined && !isCall(part));
		return isNone ? {} : picked(part, HANDED_BACK);
	};
	return { parts: partsWithCallIds(parts, ids, isCall, handedBack) };
}
