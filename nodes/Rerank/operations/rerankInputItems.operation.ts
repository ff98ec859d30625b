import type { IDataObject } from 'n8n-workflow';
import { inputFailure } from '../../shared/failure/words';
import { SIMPLIFY } from '../../shared/fields/options';
import type { Call } from '../../shared/run/call';
import { showHint } from '../../shared/run/exits';
import { runInGroups } from '../../batches/groups';
import type { BatchOperation, LinkedResult } from '../../shared/run/operation';
import { isBlank, withoutGaps } from '../../shared/plain/values';
import { MODEL, QUERY, rankingOptions, readRankingJob, TOP_N } from '../fields';
import { detailsOf, hintsOn, rankDocuments, type RankingResult } from '../rankDocuments';
import { noticeField, textField } from '../../shared/fields/field';

const NOTICE = noticeField(
	'notice',
	'Each input item is a document. The node returns the complete items with their files, sorted by relevance.',
);

const TEXT = textField('Text', 'text', 'The text of an item to compare with the query', {
	typeOptions: { rows: 2 },
	required: true,
	placeholder: 'e.g. {{ $json.title }} {{ $json.content }}',
});

function readCandidate(call: Call) {
	const job = readRankingJob(call);
	return { call, query: call.requiredText(QUERY), text: call.text(TEXT), simplify: call.flag(SIMPLIFY), job };
}

type Candidate = ReturnType<typeof readCandidate>;

/** Sorts the input items by relevance; items with the same query and settings are ranked together. */
export const rerankInputItems: BatchOperation = {
	value: 'rerankInputItems',
	name: 'Rerank Input Items',
	action: 'Rerank input items',
	description: 'Sort the input items by relevance to a query and keep the best',
	isTool: false,
	fields: [NOTICE, MODEL, QUERY, TEXT, TOP_N, SIMPLIFY, ...rankingOptions()],
	async runAll(calls) {
		const { groups, results } = await runInGroups<Candidate>(calls, {
			read: readCandidate,
			keyOf: ({ query, job }) => JSON.stringify([query, job]),
			run: rankItems,
		});
		if (groups > 1) {
			const message = `The items have ${groups} different queries or settings. Items with the same ones were ranked together.`;
			showHint(calls[0], message);
		}
		return results;
	},
};

async function rankItems(group: Candidate[]): Promise<LinkedResult[]> {
	const texts = group.map(({ text }) => text);
	if (texts.every(isBlank)) return group.map(withoutText);
	const [{ call, query, job }] = group;
	const items = group.map((candidate) => candidate.call.itemIndex);
	const ranking = await rankDocuments(call, query, texts, job, { items });
	for (const hint of hintsOn(ranking, texts, items)) showHint(call, hint);
	const failed = [...ranking.failures].map(([index, failure]): LinkedResult => ({
		from: items[index],
		failure,
	}));
	return [...keptItems(group, ranking), ...failed];
}

function keptItems(group: Candidate[], ranking: RankingResult): LinkedResult[] {
	return ranking.kept.map(({ index, score, entry, rest }, place) => {
		const { call, simplify } = group[index];
		const json = { ...call.inputFields(), relevanceScore: score };
		// The item is the user's, so what the gateway sent must not take the place of its fields.
		const sent = { result: entry, response: rest } as IDataObject;
		const details = detailsOf(ranking, { rank: place + 1, index: call.itemIndex, ...withoutGaps(sent) });
		return {
			from: call.itemIndex,
			json: simplify ? json : { ...json, ...details },
			files: call.item.binary,
			isForeign: true,
		};
	});
}

/** If no item has text, there is most likely a mistake in the expression. */
function withoutText({ call }: Candidate, _index: number, group: Candidate[]): LinkedResult {
	const where = group.length > 1 ? ` in all ${group.length} items` : '';
	const failure = inputFailure(
		TEXT,
		`is empty${where}`,
		'Check that the expression uses a field that the items have.',
	);
	return { from: call.itemIndex, failure };
}
