import { inputFailure } from '../shared/errors/errorMessages';
import { asRecord } from '../shared/values';

/**
 * The entries of a parameter of name-value pairs (`queryField`), in order. Entries without a name and without
 * a value are passed over.
 *
 * @param label what the editor calls the parameter
 * @throws GatewayFailure (kind `input`) for a value without a name
 */
export function queryPairs(value: unknown, label: string): Array<[string, string]> {
	const entries = asRecord(value)?.parameter;
	return (Array.isArray(entries) ? entries : []).flatMap((entry, index): Array<[string, string]> => {
		const pair = asRecord(entry);
		const name = toText(pair?.name).trim();
		const text = toText(pair?.value);
		if (name !== '') return [[name, text]];
		if (text === '') return [];
		throw inputFailure(
			label,
			`has no name in entry ${index + 1}`,
			'Enter the name of the parameter, or remove the entry.',
		);
	});
}

function toText(value: unknown): string {
	if (value === undefined || value === null) return '';
	return typeof value === 'object' ? JSON.stringify(value) : `${value as string}`;
}
