import { createHash } from 'node:crypto';
import { z } from 'zod';
import { invalidRequest } from '../http/errors';

/** A mark at the end of the part of a prompt that is kept in the prompt cache. */
export const cacheControl = z
	.object({ type: z.literal('ephemeral'), ttl: z.enum(['5m', '1h']).optional() })
	.strict()
	.optional();

interface Prompt {
	tools: readonly object[];
	system: string | readonly object[];
	messages: ReadonlyArray<{ role: string; content: string | readonly object[] }>;
}

/** The tokens of the input that were read from the cache or written to it. */
export interface CachedTokens {
	/** The tokens that were already in the cache. */
	read: number;
	/** The tokens that this request adds to the cache. */
	written: number;
}

/** The largest distance before a mark, in blocks, at which a beginning that was kept earlier is found. */
const LOOKBACK = 20;

/** Remembers the beginnings of prompts that earlier requests have marked, as long as the emulator runs. */
export class PromptCache {
	private readonly kept = new Set<string>();

	/**
	 * Which of the input tokens come from the cache and which are written to it; undefined for a request without marks.
	 * @param mostMarks how many blocks may be marked
	 * @throws RequestFailure 400 for more marks
	 */
	use(model: string, prompt: Prompt, inputTokens: number, mostMarks = Infinity): CachedTokens | undefined {
		const pieces = piecesOf(prompt);
		const hash = createHash('sha256').update(model);
		let length = 0;
		const ends = pieces.map(({ text, isMarked }) => {
			length += text.length;
			return { key: hash.update(text).copy().digest('hex'), length, isMarked };
		});
		const marks = ends.flatMap(({ isMarked }, index) => (isMarked ? [index] : []));
		if (marks.length === 0) return undefined;
		if (marks.length > mostMarks) {
			throw invalidRequest(
				`A maximum of ${mostMarks} blocks with cache_control may be provided. Found ${marks.length}.`,
			);
		}
		const tokensUntil = (end: number) => Math.floor((inputTokens * end) / length);
		const found = ends.findLast(
			({ key }, index) =>
				this.kept.has(key) && marks.some((mark) => mark >= index && mark - index <= LOOKBACK),
		);
		for (const mark of marks) this.kept.add(ends[mark].key);
		const read = tokensUntil(found?.length ?? 0);
		return { read, written: Math.max(0, tokensUntil(ends[marks[marks.length - 1]].length) - read) };
	}
}

/** Returns the pieces of a prompt in the order in which they are cached: tools, system, messages. */
function piecesOf({ tools, system, messages }: Prompt): Array<{ text: string; isMarked: boolean }> {
	const piece = (kind: string, value: string | object) => {
		const block = typeof value === 'string' ? { type: 'text', text: value } : value;
		const { cache_control: mark, ...content } = block as Record<string, unknown>;
		return { text: JSON.stringify([kind, content]), isMarked: mark !== undefined };
	};
	const pieces = (kind: string, content: string | readonly object[]) =>
		(typeof content === 'string' ? [content] : content).map((value) => piece(kind, value));
	return [
		...pieces('tool', tools),
		...pieces('system', system),
		...messages.flatMap(({ role, content }) => pieces(role, content)),
	];
}
