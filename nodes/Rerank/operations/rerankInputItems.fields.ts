import type { INodeProperties } from 'n8n-workflow';
import { SIMPLIFY } from '../../shared/fields/options';
import type { Call } from '../../shared/runtime/call';
import { EMPTY_DOCUMENTS, MODEL, QUERY, rankingOptions, readRankingJob, TOP_N } from '../fields';
import type { RankingJob } from '../rankDocuments';

const NOTICE: INodeProperties = {
	displayName:
		'Each input item is a document. The node returns the complete items with their files, sorted by relevance.',
	name: 'notice',
	type: 'notice',
	default: '',
};

export const TEXT: INodeProperties = {
	displayName: 'Text',
	name: 'text',
	type: 'string',
	typeOptions: { rows: 2 },
	required: true,
	default: '',
	placeholder: 'e.g. {{ $json.title }} {{ $json.content }}',
	description: 'The text of an item to compare with the query',
};

/** Parameters of Rerank → Rerank Input Items. */
export const rerankInputItemsFields = [
	NOTICE,
	MODEL,
	QUERY,
	TEXT,
	TOP_N,
	SIMPLIFY,
	rankingOptions([EMPTY_DOCUMENTS]),
];

/** The parameters of one item. */
export interface RerankInputItemsSettings {
	query: string;
	/** May be blank. */
	text: string;
	simplify: boolean;
	job: RankingJob;
}

/** @throws GatewayFailure (kind `input`) that names the parameter that cannot be used */
export function readRerankInputItems(call: Call): RerankInputItemsSettings {
	const job = readRankingJob(call);
	return { query: call.requiredText(QUERY), text: call.text(TEXT), simplify: call.flag(SIMPLIFY), job };
}
