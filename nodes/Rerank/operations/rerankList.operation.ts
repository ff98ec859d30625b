import type { IDataObject } from 'n8n-workflow';
import { emptyFailure, inputFailure } from '../../shared/failure/words';
import type { GatewayFailure } from '../../shared/failure/failure';
import { SIMPLIFY } from '../../shared/fields/options';
import { type ItemOperation, rawItem } from '../../shared/run/operation';
import { asRecord, isBlank, toText, withoutGaps } from '../../shared/plain/values';
import { parseJson, withWholeIntegers } from '../../shared/plain/json';
import { MODEL, QUERY, rankingOptions, readRankingJob, TOP_N } from '../fields';
import { detailsOf, hintsOn, rankDocuments, type RankingResult } from '../rankDocuments';
import { choiceField, textField } from '../../shared/fields/field';

const DOCUMENTS = textField(
	'Documents',
	'documents',
	'JSON list of texts or objects, or plain text with one document per line',
	{ typeOptions: { rows: 6 }, required: true, placeholder: 'e.g. {{ $json.passages }}' },
);

const OUTPUT = choiceField('Output', 'output', {
	default: 'documents',
	description: 'How to return the ranked documents',
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
});

const TEXT_FIELD = textField(
	'Text Field',
	'textField',
	'Name of the field that contains the text, for documents that are objects',
	{ default: 'text', placeholder: 'e.g. content' },
);

interface ListedDocument {
	text: string;
	/** The document as the user entered it: a text, or an object of which only one field is ranked. */
	given: unknown;
}

/** Reads the documents of a JSON list of texts, numbers, or objects, or of plain text with one document per line. */
export function readDocuments(value: string, textField: string): ListedDocument[] {
	const trimmed = value.trim();
	const parsed: unknown = trimmed.startsWith('[') ? parseJson(withWholeIntegers(trimmed))?.value : undefined;
	if (Array.isArray(parsed)) return parsed.map((entry, index) => readEntry(entry, index, textField));
	if (/^\[\s*["'“{[]/.test(trimmed)) {
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

/** Sorts the documents of a list by relevance, for each item separately (interface, 4.10). */
export const rerankList: ItemOperation = {
	value: 'rerankList',
	name: 'Rerank List',
	action: 'Rerank list',
	description: 'Sort the texts of a list by relevance to a query and keep the best',
	fields: [MODEL, QUERY, DOCUMENTS, TOP_N, OUTPUT, SIMPLIFY, ...rankingOptions([TEXT_FIELD])],
	async run(call) {
		const job = readRankingJob(call);
		const query = call.requiredText(QUERY);
		const documents = readDocuments(call.text(DOCUMENTS), call.options.textOrDefault(TEXT_FIELD));
		const asList = call.text(OUTPUT) === 'list';
		const simplify = call.flag(SIMPLIFY);
		const texts = documents.map(({ text }) => text);
		if (texts.every(isBlank)) {
			throw emptyFailure(DOCUMENTS, 'Enter a JSON list of texts, or one document per line.');
		}
		const ranking = await rankDocuments(call, query, texts, job);
		const results = ranking.kept.map(
			({ index, score }) =>
				({ document: documents[index].given, relevanceScore: score, index }) as IDataObject,
		);
		if (ranking.failed) throw incomplete(ranking.failed, documents, results);
		for (const hint of hintsOn(ranking, texts)) call.hint(hint);
		if (asList) return { json: simplify ? { results, ...ranking.tokens } : rawList(ranking) };
		const items = simplify ? results : rawItems(ranking, documents);
		return items.map((json) => ({ json }));
	},
};

/** Returns the entries in ranked order, each with the rest of its response and what the node knows about it. */
function rawItems(ranking: RankingResult, documents: ListedDocument[]): IDataObject[] {
	return ranking.kept.map(({ index, entry = {}, rest = {} }, place) => {
		const places = { rank: place + 1, index, document: documents[index].given as string };
		return { ...rawItem(entry, rest), ...detailsOf(ranking, places) };
	});
}

/** Returns the response with its entries in ranked order; with several requests, the rest of each response. */
function rawList(ranking: RankingResult): IDataObject {
	const { kept } = ranking;
	const rests = [...new Set(kept.map(({ rest = {} }) => rest))].filter(
		(rest) => Object.keys(rest).length > 0,
	);
	const indexes = kept.map(({ index }) => index);
	return {
		...(rests.length > 1 ? { responses: rests } : rests[0]),
		results: kept.map(({ entry }) => entry),
		...detailsOf(ranking, { indexes }),
	};
}

/** If a document could not be scored, the whole list fails, and the details keep the scores of the others. */
function incomplete(
	{ failure, cause }: NonNullable<RankingResult['failed']>,
	documents: ListedDocument[],
	results: IDataObject[],
): GatewayFailure {
	const failedDocument =
		cause === undefined ? undefined : { index: cause, text: documents[cause].text.slice(0, 100) };
	const kept = withoutGaps({ failedDocument, results: results.length > 0 ? results : undefined });
	// Without anything to keep, the failure must not say that the details contain what arrived.
	if (Object.keys(kept).length === 0) return failure;
	return failure.with({ partial: { ...failure.facts.partial, ...kept } });
}
