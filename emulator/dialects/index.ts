import { badEntries } from './badEntries';
import { chatAnswers } from './chatAnswers';
import { chatStreams } from './chatStreams';
import { decorativeFields } from './decorative';
import type { Dialect } from './dialect';
import { envelopeErrors } from './envelopeErrors';
import { foreignStatuses } from './foreignStatuses';
import { imageShapes } from './images';
import { ambiguous, embeddingShapes, listShapes, rerankShapes } from './lists';
import { musicShapes } from './music';
import { optionalFields } from './optionalFields';
import { otherStreams } from './otherStreams';
import { speechShapes } from './speech';
import { toolCalls } from './toolCalls';
import { utilityShapes } from './utilities';

export type { Dialect, Meaning } from './dialect';

/** The dialects by their domain; a dialect is added to the list of its domain, and nowhere else. */
export const dialectGroups: Readonly<Record<string, readonly Dialect[]>> = {
	'Errors inside status 200': envelopeErrors,
	'Failing statuses with foreign bodies': foreignStatuses,
	'Decorative fields': decorativeFields,
	'Optional fields': optionalFields,
	'One bad entry': badEntries,
	'Chat answers': chatAnswers,
	'Chat streams': [...chatStreams, ...otherStreams],
	Images: imageShapes,
	'Speech and voices': speechShapes,
	Songs: musicShapes,
	'Models and voices': listShapes,
	Rankings: rerankShapes,
	Vectors: embeddingShapes,
	'Ambiguous on purpose': ambiguous,
	Utilities: utilityShapes,
};

/** The dialects of tool calls, which only the models of agents receive. */
export const toolDialects = toolCalls;

const all = [...Object.values(dialectGroups).flat(), ...toolDialects];
const byName = new Map(all.map((dialect) => [dialect.name, dialect]));

/**
 * The dialect of that name.
 * @throws Error if there is none
 */
export function dialectNamed(name: string): Dialect {
	const dialect = byName.get(name);
	if (!dialect) throw new Error(`There is no dialect "${name}".`);
	return dialect;
}
