import { inputFailure } from '../shared/failure/words';
import { asRecord, toText } from '../shared/plain/values';
import type { UtilityParameter } from './catalogue/utility';

/** A parameter that names the entries to keep of a list, and what it names. */
export interface Wanted {
	parameter: UtilityParameter;
	text: string;
}

/**
 * The data of a response with only the wanted entries of its list. Data without the list stays as it is. @param onNote
 * is told what is missing @throws GatewayFailure if nothing that is wanted is there
 */
export function wantedOf(
	data: unknown,
	{ parameter, text }: Wanted,
	onNote: (note: string) => void,
): unknown {
	const { list, field } = parameter.keeps!;
	const entries = asRecord(data)?.[list] as unknown[] | undefined;
	const names = text.split(/[\s,;，；、]+/).filter((name) => name !== '');
	if (!Array.isArray(entries) || names.length === 0) return data;
	const nameOf = (entry: unknown) => toText(asRecord(entry)?.[field]).toLowerCase();
	const kept = names.map((name) => entries.filter((entry) => nameOf(entry) === name.toLowerCase()));
	const missing = names.filter((_, index) => kept[index].length === 0);
	if (missing.length > 0 && missing.length === names.length) {
		const failure = inputFailure(
			parameter,
			`names nothing that the response has ("${text}")`,
			'Check the spelling.',
		);
		// The request was sent.
		throw failure.with({ attempts: undefined });
	}
	if (missing.length > 0)
		onNote(`${parameter.displayName}: the response does not have ${missing.join(', ')}`);
	return { ...asRecord(data), [list]: [...new Set(kept.flat())] };
}
