import {
	DEFAULT_EMBEDDING_BATCH_SIZE,
	embedTexts,
	type EmbeddingSettings,
} from '../embedTexts';
import type { RequestOptions } from '../../shared/gateway/client';
import type { Call } from '../../shared/runtime/call';
import { readJobs, runGroups } from '../../shared/runtime/groups';
import { groupBy } from '../../shared/values';
import type { BatchOperation, LinkedResult } from '../../shared/runtime/operation';
import { toLinkedResult, type EmbedOutput } from '../embedOutput';
import { embedTextFields } from './embedText.fields';

/** One item's text, and all that it is sent and returned with. */
interface Job {
	call: Call;
	text: string;
	settings: EmbeddingSettings;
	options: RequestOptions;
	batchSize: number;
	output: EmbedOutput;
}

/** Turns the texts of all items into vectors; items with the same settings share requests (interface, 4.12). */
export const embedText: BatchOperation = {
	value: 'embedText',
	name: 'Embed Text',
	action: 'Embed text',
	description: 'Turn a text into a vector, for semantic search and comparison',
	fields: embedTextFields,
	async runAll(calls) {
		const stopAtFailure = !calls[0].context.continueOnFail();
		const { jobs, failures } = readJobs(calls, readJob);
		if (stopAtFailure && failures.length > 0) return failures;
		const results = new Map<number, LinkedResult>(failures.map((failure) => [failure.from, failure]));
		const [{ maxConcurrency }] = calls;
		const groups = groupBy(jobs, ({ settings, options }) => JSON.stringify([settings, options]));
		let failed = false;
		await runGroups(
			groups,
			maxConcurrency,
			async (group, concurrency) => {
				const linked = await embedGroup(group, concurrency, stopAtFailure);
				failed ||= linked.some((result) => 'failure' in result);
				for (const result of linked) results.set(result.from as number, result);
			},
			() => !(stopAtFailure && failed),
		);
		return calls.flatMap(({ itemIndex }) => results.get(itemIndex) ?? []);
	},
};

/** Items with the same settings; an item that was not sent because another one failed gets no result. */
async function embedGroup(
	group: Job[],
	maxConcurrency: number,
	stopAtFailure: boolean,
): Promise<LinkedResult[]> {
	const [{ call, settings, options, batchSize }] = group;
	const outcomes = await embedTexts(
		call.client,
		group.map(({ text }) => text),
		settings,
		{ batchSize, maxConcurrency, stopAtFailure },
		options,
	);
	return group.flatMap((job, place) => {
		const outcome = outcomes[place];
		if (!outcome) return [];
		return [toLinkedResult(job.call, outcome, job.settings.dimensions, job.output)];
	});
}

function readJob(call: Call): Job {
	const encodingFormat = call.options.encodingFormat;
	const output =
		call.text('output') === 'vector'
			? ({ kind: 'vector', simplify: call.flag('simplify') } as const)
			: ({ kind: 'item', field: call.requiredText('vectorField', 'Put Vector in Field').trim() } as const);
	return {
		call,
		text: call.requiredText('text', 'Text'),
		settings: {
			model: call.picked('model', 'Model'),
			dimensions: call.optionalNumber('dimensions', 'Dimensions', { min: 1 }),
			encodingFormat: encodingFormat === 'base64' || encodingFormat === 'float' ? encodingFormat : undefined,
			extraBodyFields: call.extraBodyFields,
		},
		options: call.requestOptions,
		batchSize: call.optionalNumber('batchSize', 'Batch Size', { min: 1 }) ?? DEFAULT_EMBEDDING_BATCH_SIZE,
		output,
	};
}
