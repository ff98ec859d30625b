import { inputFailure } from '../shared/errors/errorMessages';
import { asRecord, parseJson } from '../shared/values';

/** A document of a list: what is ranked, and what was given. */
export interface ListedDocument {
	text: string;
	/** A text, or an object of which only one field is ranked. */
	given: unknown;
}

export const DEFAULT_TEXT_FIELD = 'text';

/**
 * Reads the documents of a list: a JSON list of texts, numbers or objects, or plain text with one document per line.
 * Blank lines are no documents.
 *
 * @param textField which field of an object is ranked
 * @throws GatewayFailure (kind `input`) for a JSON list that is cut off, or an entry that cannot be ranked
 */
export function readDocuments(value: string, textField: string): ListedDocument[] {
	const trimmed = value.trim();
	const parsed: unknown = trimmed.startsWith('[') ? parseJson(trimmed)?.value : undefined;
	if (Array.isArray(parsed)) return parsed.map((entry, index) => readEntry(entry, index, textField));
	if (/^\[\s*["{[]/.test(trimmed)) {
		throw inputFailure(
			'Documents',
			'begins like a JSON list but is not one',
			'Check quotation marks, commas and the closing bracket, or enter one document per line.',
		);
	}
	return trimmed
		.split(/\r\n|\r|\n/)
		.map((line) => line.trim())
		.filter((line) => line !== '')
		.map((text) => ({ text, given: text }));
}

function readEntry(entry: unknown, index: number, textField: string): ListedDocument {
	if (typeof entry !== 'object' || entry === null) return { text: textOf(entry), given: entry };
	const record = asRecord(entry);
	if (!record || !(textField in record)) {
		throw inputFailure(
			'Documents',
			`holds an entry (number ${index + 1}) without the field "${textField}"`,
			'Each entry must be a text or an object. Enter the name of the field that holds the text in Options → Text Field.',
		);
	}
	return { text: textOf(record[textField]), given: entry };
}

function textOf(value: unknown): string {
	if (typeof value === 'string') return value;
	return value === null || value === undefined ? '' : JSON.stringify(value);
}
