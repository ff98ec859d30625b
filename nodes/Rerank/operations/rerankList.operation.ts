import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { inputFailure } from '../../shared/errors/errorMessages';
import type { GatewayFailure } from '../../shared/errors/gatewayFailure';
import { SIMPLIFY } from '../../shared/fields/options';
import type { Call } from '../../shared/run/call';
import type { ItemOperation } from '../../shared/run/operation';
import { rawItem } from '../../shared/run/rawAnswer';
import { asRecord, isBlank, parseJson, toText } from '../../shared/plain/values';
import { EMPTY_DOCUMENTS, MODEL, QUERY, rankingOptions, readRankingJob, TOP_N } from '../fields';
import {
	detailsOf,
	documentsOfItem,
	hintsOn,
	rankDocuments,
	type RankingJob,
	type RankingResult,
} from '../rankDocuments';

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
const rerankListFields = [
	MODEL,
	QUERY,
	DOCUMENTS,
	TOP_N,
	OUTPUT,
	SIMPLIFY,
	rankingOptions([EMPTY_DOCUMENTS, TEXT_FIELD]),
];

/** A document of a list. */
interface ListedDocument {
	/** What is ranked. */
	text: string;
	/** The document as the user entered it: a text, or an object of which only one field is ranked. */
	given: unknown;
}

/** The parameters of one item. */
interface RerankListSettings {
	query: string;
	documents: ListedDocument[];
	/** Whether to return all documents in one item. */
	asList: boolean;
	simplify: boolean;
	job: RankingJob;
}

/** @throws GatewayFailure (kind `input`) that names the parameter that cannot be used */
function readRerankList(call: Call): RerankListSettings {
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

/** Sorts the documents of a list by relevance, for each item separately (interface, 4.10). */
export const rerankList: ItemOperation = {
	value: 'rerankList',
	name: 'Rerank List',
	action: 'Rerank list',
	description: 'Sort the texts of a list by relevance to a query and keep the best',
	fields: rerankListFields,
	async run(call) {
		const settings = readRerankList(call);
		const { query, documents, asList, job } = settings;
		const texts = documents.map(({ text }) => text);
		if (texts.every(isBlank)) throw noDocuments();
		const { capacity } = call;
		const ranking = await rankDocuments(call, query, documentsOfItem(call.itemIndex, texts), job, {
			capacity,
			stopAtFailure: true,
		});
		const results = resultsOf(ranking, documents);
		if (ranking.failed) throw incomplete(ranking.failed, documents, results);
		for (const hint of hintsOn(ranking, documents.length, job.settings)) call.hint(hint);
		if (!settings.simplify)
			return asList ? { json: rawList(ranking, settings) } : rawItems(ranking, settings);
		return asList ? { json: { results, ...ranking.tokens } } : results.map((json) => ({ json }));
	},
};

function resultsOf({ kept }: RankingResult, documents: ListedDocument[]): IDataObject[] {
	return kept.map(
		({ index, score }) => ({ document: documents[index].given, relevanceScore: score, index }) as IDataObject,
	);
}

/** The gateway's entries in ranked order, each with the rest of its response and what the node knows about it. */
function rawItems(
	ranking: RankingResult,
	{ query, documents, job }: RerankListSettings,
): Array<{ json: IDataObject }> {
	const { model } = job.settings;
	return ranking.kept.map(({ index }, place) => {
		const { text, given } = documents[index];
		const { entry = {}, rest = {} } = ranking.sentFor(text) ?? {};
		const places = { rank: place + 1, index, document: given as string };
		return { json: { ...rawItem(entry, rest), ...detailsOf(ranking, { ...places, query, model }) } };
	});
}

/** The gateway's response with its entries in ranked order; with several requests, the rest of each response. */
function rawList(ranking: RankingResult, { query, documents, job }: RerankListSettings): IDataObject {
	const sent = ranking.kept.flatMap(({ index }) => ranking.sentFor(documents[index].text) ?? []);
	const rests = [...new Set(sent.map(({ rest }) => rest))].filter((rest) => Object.keys(rest).length > 0);
	const indexes = ranking.kept.map(({ index }) => index);
	return {
		...(rests.length === 1 ? rests[0] : rests.length === 0 ? {} : { responses: rests }),
		results: sent.map(({ entry }) => entry),
		...detailsOf(ranking, { indexes, query, model: job.settings.model }),
	};
}

/** When a document could not be scored, the whole list fails, and the details keep the scores of the others. */
function incomplete(
	[index, failure]: [number, GatewayFailure],
	documents: ListedDocument[],
	results: IDataObject[],
): GatewayFailure {
	const failedDocument = { index, text: documents[index].text.slice(0, 100) };
	return failure.with({ partial: { ...failure.facts.partial, failedDocument, results } });
}

function noDocuments(): GatewayFailure {
	return inputFailure(
		DOCUMENTS,
		'contains no text',
		'Enter a JSON list of texts, or one document per line. If the value comes from an expression, check that this item has the field.',
	);
}
