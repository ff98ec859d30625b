import { chatAnswers, chatStreams } from './chat';
import type { Dialect } from './dialect';
import { errorsInside, failingStatuses } from './errors';
import { listShapes } from './lists';
import { imageShapes, speechShapes } from './media';
import { musicShapes } from './music';
import { optionalFields } from './optionalFields';
import { toolCalls } from './toolCalls';
import { utilityShapes } from './utilities';

export type { Dialect, Meaning } from './dialect';

/** Answers in the shapes of public APIs and recorded answers; each names its source. Tool calls are apart. */
export const dialects: readonly Dialect[] = [
	...errorsInside,
	...failingStatuses,
	...optionalFields,
	...chatAnswers,
	...chatStreams,
	...imageShapes,
	...speechShapes,
	...musicShapes,
	...listShapes,
	...utilityShapes,
];

/** The dialects of tool calls, which only the models of agents receive. */
export const toolDialects = toolCalls;

const byName = new Map([...dialects, ...toolDialects].map((dialect) => [dialect.name, dialect]));

/**
 * Returns the dialect with a name.
 * @throws Error if there is none
 */
export function dialectNamed(name: string): Dialect {
	const dialect = byName.get(name);
	if (!dialect) throw new Error(`There is no dialect "${name}".`);
	return dialect;
}
