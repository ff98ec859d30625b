import type { OptionalFields } from '../../../shared/answer/optionalFields';
import { asRecord, textOr } from '../../../shared/plain/values';
import type { AnswerParts } from '../answer';
import { type Fields, listOf, objectsIn } from '../assembler';
import type { AnswerFormat } from '../chatFormat';
import { saidIn } from '../contentParts';
import { distinctSources, type Source } from '../sources';

const THOUGHT_BLOCKS = ['thinking', 'redacted_thinking'];

/** The answers (interface, 2.4). Blocks of other types are kept. */
export const answer: AnswerFormat = {
	isIn: ({ type, content }) => type === 'message' || Array.isArray(content),
	read,
	usage: ({ usage }) => usage,
	thoughts: ({ content }) => ({
		blocks: objectsIn(content).filter(({ type }) => THOUGHT_BLOCKS.includes(textOr(type))),
	}),
};

function read(body: Fields, optional: OptionalFields): AnswerParts {
	const blocks = optional.list(body.content, 'content', asRecord);
	return {
		id: optional.text(body.id, 'id'),
		model: optional.text(body.model, 'model'),
		...saidIn(blocks),
		finishReason: optional.text(body.stop_reason, 'stop_reason'),
		refusal: textOr(asRecord(body.stop_details)?.explanation),
		alternatives: [],
		sources: sourcesIn(blocks),
	};
}

/** The sources of a message object: the citations of its texts. */
function sourcesIn(blocks: Fields[]): Source[] {
	return distinctSources(blocks.flatMap(({ citations }) => listOf(citations)));
}
