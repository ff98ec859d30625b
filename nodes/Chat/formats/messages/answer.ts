import type { OptionalFields } from '../../../shared/answer/optionalFields';
import { type Fields, asRecord, entryOf, isBlank, textOr } from '../../../shared/plain/values';
import { type AnswerParts, distinctSources } from '../answer';
import { listOf, objectsIn } from '../lists';
import type { AnswerFormat } from '../chatFormat';
import { saidIn } from '../contentParts';
import { picked, partsWithCallIds } from '../conversation';

/** Reads the answers (interface, 2.4). Blocks of other types are kept. */
export const answer: AnswerFormat = {
	isIn: ({ type, content }) => type === 'message' || Array.isArray(content),
	read,
	usage: ({ usage }) => usage,
	thoughts: ({ content }, ids) => ({
		parts: partsWithCallIds(objectsIn(content), ids, isNamedCall, handedBack),
	}),
};

function read(body: Fields, optional: OptionalFields): AnswerParts {
	const blocks = optional.list(body.content, 'content', asRecord);
	return {
		id: optional.text(body.id, 'id'),
		model: optional.text(body.model, 'model'),
		...saidIn(blocks),
		finishReason: body.stop_reason === null ? null : optional.text(body.stop_reason, 'stop_reason'),
		refusal: textOr(asRecord(body.stop_details)?.explanation),
		alternatives: [],
		sources: distinctSources(blocks.flatMap(({ citations }) => listOf(citations))),
	};
}

/** The documented fields of thoughts. The format refuses others, which some gateways add. */
const FIELDS_OF_THOUGHTS: Record<string, string[]> = {
	thinking: ['type', 'thinking', 'signature'],
	redacted_thinking: ['type', 'data'],
};

/** Returns a block as it is sent back. Blocks of the gateway's own tools must not change. */
function handedBack(block: Fields): Fields {
	const type = textOr(block.type);
	// "text content blocks must contain non-whitespace text" (Anthropic).
	if (type === 'text') return isBlank(textOr(block.text)) ? {} : picked(block, ['type', 'text', 'citations']);
	const names = entryOf(FIELDS_OF_THOUGHTS, type);
	return names ? { ...(type === 'thinking' ? { thinking: '' } : {}), ...picked(block, names) } : block;
}

function isNamedCall({ type, name }: Fields): boolean {
	return type === 'tool_use' && textOr(name) !== '';
}
