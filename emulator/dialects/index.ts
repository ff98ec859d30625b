import type { Dialect } from './dialect';
import { envelopeErrors } from './envelopeErrors';
import { foreignStatuses } from './foreignStatuses';

export type { Dialect, Meaning } from './dialect';

/** The dialects by their domain; a dialect is added to the list of its domain, and nowhere else. */
export const dialectGroups: Readonly<Record<string, readonly Dialect[]>> = {
	'Errors inside status 200': envelopeErrors,
	'Failing statuses with foreign bodies': foreignStatuses,
};

const byName = new Map(
	Object.values(dialectGroups)
		.flat()
		.map((dialect) => [dialect.name, dialect]),
);

/**
 * The dialect of that name.
 * @throws Error if there is none
 */
export function dialectNamed(name: string): Dialect {
	const dialect = byName.get(name);
	if (!dialect) throw new Error(`There is no dialect "${name}".`);
	return dialect;
}
