import { parseJson } from '../../shared/plain/values';

/** Types of bodies with an event in each line. */
export const JSON_LINES = [
	'application/x-ndjson',
	'application/ndjson',
	'application/jsonl',
	'application/stream+json',
];

/** Whether a text has an event in each line. */
export function isJsonLines(text: string): boolean {
	const end = text.indexOf('\n');
	return (
		text.startsWith('{') &&
		text.slice(end).trimStart().startsWith('{') &&
		parseJson(text.slice(0, end)) !== undefined
	);
}

/** Whether a text begins like an event stream. @param text its first characters may be enough */
export function beginsLikeEvents(text: string): boolean {
	const start = text.slice(0, 64).trimStart();
	const beginnings = ['data:', 'event:', 'id:', 'retry:', ':'];
	// The first chunk may be shorter than a field name.
	return start !== '' && beginnings.some((one) => start.startsWith(one) || one.startsWith(start));
}

/** Some gateways send comments of an event stream before an answer as a whole. */
export function withoutComments(text: string): string {
	let start = 0;
	while (/^[\s:]/.test(text.charAt(start))) {
		const end = text.charAt(start) === ':' ? text.indexOf('\n', start) : start;
		if (end < 0) return text;
		start = end + 1;
	}
	return text.charAt(start) === '{' ? text.slice(start) : text;
}
