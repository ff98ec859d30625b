import type { IExecuteFunctions } from 'n8n-workflow';
import { inputFailure } from '../../shared/errors/errorMessages';
import { rankDocuments, type RankingResult } from '../rankDocuments';
import type { Call } from '../../shared/runtime/call';
import { readJobs, runGroups } from '../../shared/runtime/groups';
import { groupBy, isBlank } from '../../shared/values';
import type { BatchOperation, LinkedResult } from '../../shared/runtime/operation';
import { detailsOf, remarksOn } from '../describeRanking';
import { readRankingJob, type RankingJob } from '../readSettings';
import { rerankInputItemsFields } from './rerankInputItems.fields';

/** One item as a document of a ranking. */
interface Candidate {
	call: Call;
	text: string;
	simplify: boolean;
	job: RankingJob;
}

/** Puts the input items in the order of their relevance; items with the same query are ranked together. */
export const rerankInputItems: BatchOperation = {
	value: 'rerankInputItems',
	name: 'Rerank Input Items',
	action: 'Rerank input items',
	description: 'Sort the input items by relevance to a query and keep the best',
	fields: rerankInputItemsFields,
	async runAll(calls) {
		const [{ context, maxConcurrency }] = calls;
		const stopAtFailure = !context.continueOnFail();
		const { jobs, failures } = readJobs(calls, readCandidate);
		if (stopAtFailure && failures.length > 0) return failures;
		const groups = groupBy(jobs, ({ job }) => JSON.stringify(job));
		const results = new Map<Candidate[], LinkedResult[]>();
		let failed = false;
		await runGroups(
			groups,
			maxConcurrency,
			async (group, concurrency) => {
				const ranked = await rankItems(group, concurrency, stopAtFailure);
				failed ||= ranked.some((result) => 'failure' in result);
				results.set(group, ranked);
			},
			() => !(stopAtFailure && failed),
		);
		if (groups.length > 1) {
			remark(
				context,
				`The items hold ${groups.length} different queries or settings; each was ranked by itself.`,
			);
		}
		return [...groups.flatMap((group) => results.get(group) ?? []), ...failures];
	},
};

async function rankItems(
	group: Candidate[],
	maxConcurrency: number,
	stopAtFailure: boolean,
): Promise<LinkedResult[]> {
	if (group.every(({ text }) => isBlank(text))) return group.map(withoutText);
	const [{ call, job }] = group;
	const ranking = await rankDocuments(
		call.client,
		group.map(({ text }) => text),
		job.settings,
		{ batchSize: job.batchSize, maxConcurrency, stopAtFailure },
		job.options,
	);
	for (const sentence of remarksOn(ranking, group.length, job.settings)) remark(call.context, sentence);
	return [...keptItems(group, ranking), ...failedItems(group, ranking)];
}

/** The kept items, whole and in ranked order. */
function keptItems(group: Candidate[], ranking: RankingResult): LinkedResult[] {
	return ranking.kept.map(({ index, score }, place) => {
		const { call, job, simplify } = group[index];
		const json = { ...call.item.json, relevanceScore: score };
		const details = { rerank: detailsOf(ranking, job.settings, place + 1, index) };
		return {
			from: call.itemIndex,
			result: { json: simplify ? json : { ...json, ...details }, files: call.item.binary },
		};
	});
}

function failedItems(group: Candidate[], { failures }: RankingResult): LinkedResult[] {
	return [...failures].map(([index, failure]) => ({ from: group[index].call.itemIndex, failure }));
}

/** Nothing to rank at all is more likely a slip in the expression than an answer. */
function withoutText({ call }: Candidate, _place: number, group: Candidate[]): LinkedResult {
	const where = group.length > 1 ? ` in all ${group.length} items` : '';
	const failure = inputFailure(
		'Text',
		`is empty${where}`,
		'Check that the expression names a field which the items have.',
	);
	return { from: call.itemIndex, failure };
}

function readCandidate(call: Call): Candidate {
	return { call, text: call.text('text'), simplify: call.flag('simplify'), job: readRankingJob(call) };
}

/** A remark on all items, beside the node's output. */
function remark(context: IExecuteFunctions, message: string): void {
	context.addExecutionHints({ message, location: 'outputPane' });
}
