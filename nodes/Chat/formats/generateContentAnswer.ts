import { checkAnswer } from '../../shared/http/checkAnswer';
import { asRecord, textOr } from '../../shared/values';
import { generateContentSchema, type GenerateContent } from './generateContentSchema';
import { tokenUsage, toolArguments, type AnswerParts } from './answer';

type Part = Record<string, unknown>;
type Candidate = NonNullable<GenerateContent['candidates']>[number];

/**
 * Reads a generate-content response (interface, 2.5).
 *
 * @throws GatewayFailure (kind `answer`) when a field is not as the interface says
 */
export function readGenerateContent(body: unknown): AnswerParts {
	const answer = checkAnswer(generateContentSchema, body);
	const candidates = answer.candidates ?? [];
	const first = candidates.at(0);
	const parts = partsOf(first);
	const calls = parts.filter((part) => asRecord(part.functionCall));
	// A prompt that is blocked gets no candidate at all.
	const blocked = answer.promptFeedback?.blockReason ? 'content_filter' : '';
	return {
		id: answer.responseId,
		model: answer.modelVersion,
		text: textOf(parts),
		finishReason: first?.finishReason || blocked,
		usage: usageOf(answer),
		reasoning: joined(parts.filter(isThought)),
		toolCalls: calls.map((part, index) => {
			const { id, name, args } = part.functionCall as Part;
			return { id: textOr(id) || `call_${index}`, name: textOr(name), arguments: toolArguments(args) };
		}),
		refusal: '',
		alternatives: candidates.slice(1).map((candidate) => textOf(partsOf(candidate))),
		otherContent: parts.filter((part) => typeof part.text !== 'string' && !calls.includes(part)),
	};
}

function usageOf({ usageMetadata }: GenerateContent): AnswerParts['usage'] {
	const { promptTokenCount, candidatesTokenCount, thoughtsTokenCount, totalTokenCount } = usageMetadata ?? {};
	const written = candidatesTokenCount == null ? undefined : candidatesTokenCount + (thoughtsTokenCount ?? 0);
	return tokenUsage(promptTokenCount, written, totalTokenCount);
}

function partsOf(candidate: Candidate | undefined): Part[] {
	return candidate?.content?.parts ?? [];
}

function textOf(parts: Part[]): string {
	return joined(parts.filter((part) => !isThought(part)));
}

function joined(parts: Part[]): string {
	return parts.map(({ text }) => textOr(text)).join('');
}

function isThought({ thought }: Part): boolean {
	return thought === true;
}
