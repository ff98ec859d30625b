import type { INodeProperties } from 'n8n-workflow';
import { inputFailure } from '../../shared/errors/errorMessages';
import { SIMPLIFY } from '../../shared/fields/options';
import type { Call } from '../../shared/runtime/call';
import { asRecord, parseJson, toText } from '../../shared/values';
import { EMPTY_DOCUMENTS, MODEL, QUERY, rankingOptions, readRankingJob, TOP_N } from '../fields';
import type { RankingJob } from '../rankDocuments';

export const DOCUMENTS: INodeProperties = {
	displayName: 'Documents',
	name: 'documents',
	type: 'string',
	typeOptions: { rows: 6 },
	required: true,
	default: '',
	placeholder: 'e.g. {{ $json.passages }}',
	description: 'JSON list of texts or objects, or plain text with one document per line',
};

const OUTPUT: INodeProperties = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	options: [
		{
			name: 'One Item per Document',
			value: 'documents',
			description: 'An item for each document, most relevant first',
		},
		{
			name: 'One Item With All Documents',
			value: 'list',
			description: 'An item with a list of the documents, most relevant first',
		},
	],
	default: 'documents',
	description: 'How to return the ranked documents',
};

const TEXT_FIELD: INodeProperties = {
	displayName: 'Text Field',
	name: 'textField',
	type: 'string',
	default: 'text',
	placeholder: 'e.g. content',
	description: 'Name of the field that contains the text, for documents that are objects',
};

/** Parameters of Rerank → Rerank List. */
export const rerankListFields = [
	MODEL,
	QUERY,
	DOCUMENTS,
	TOP_N,
	OUTPUT,
	SIMPLIFY,
	rankingOptions([EMPTY_DOCUMENTS, TEXT_FIELD]),
];

/** A document of a list. */
export interface ListedDocument {
	/** What is ranked. */
	text: string;
	/** The document as the user entered it: a text, or an object of which only one field is ranked. */
	given: unknown;
}

/** The parameters of one item. */
export interface RerankListSettings {
	query: string;
	documents: ListedDocument[];
	/** Whether to return all documents in one item. */
	asList: boolean;
	simplify: boolean;
	job: RankingJob;
}

/** @throws GatewayFailure (kind `input`) that names the parameter that cannot be used */
export function readRerankList(call: Call): RerankListSettings {
	const job = readRankingJob(call);
	return {
		query: call.requiredText(QUERY),
		documents: readDocuments(call.text(DOCUMENTS), call.options.textOrDefault(TEXT_FIELD)),
		asList: call.text(OUTPUT) === 'list',
		simplify: call.flag(SIMPLIFY),
		job,
	};
}

/**
 * Reads the documents of a list: a JSON list of texts, numbers, or objects, or plain text with one document per line.
 * Blank lines are skipped.
 *
 * @param textField the field of an object that is ranked
 * @throws GatewayFailure (kind `input`) for a JSON list that is cut off, or an entry that cannot be ranked
 */
export function readDocuments(value: string, textField: string): ListedDocument[] {
	const trimmed = value.trim();
	const parsed: unknown = trimmed.startsWith('[') ? parseJson(trimmed)?.value : undefined;
	if (Array.isArray(parsed)) return parsed.map((entry, index) => readEntry(entry, index, textField));
	if (/^\[\s*["{[]/.test(trimmed)) {
		throw inputFailure(
			DOCUMENTS,
			'starts like a JSON list, but is not valid JSON',
			'Check quotation marks, commas, and the closing bracket, or enter one document per line.',
		);
	}
	return trimmed
		.split(/\r\n|\r|\n/)
		.map((line) => line.trim())
		.filter((line) => line !== '')
		.map((text) => ({ text, given: text }));
}

function readEntry(entry: unknown, index: number, textField: string): ListedDocument {
	if (typeof entry !== 'object' || entry === null) return { text: toText(entry), given: entry };
	const record = asRecord(entry);
	if (!record || !(textField in record)) {
		throw inputFailure(
			DOCUMENTS,
			`contains an entry (number ${index + 1}) without the field "${textField}"`,
			`Each entry must be a text or an object. Enter the name of the field that contains the text in Options → ${TEXT_FIELD.displayName}.`,
		);
	}
	return { text: toText(record[textField]), given: entry };
}
