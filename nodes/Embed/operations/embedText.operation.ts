import type { Call } from '../../shared/runtime/call';
import { runInGroups } from '../../shared/runtime/groups';
import type { BatchOperation, LinkedResult } from '../../shared/runtime/operation';
import type { PoolShare } from '../../shared/runtime/askInBatches';
import { toLinkedResult } from '../embedOutput';
import { embedTexts } from '../embedTexts';
import { embedTextFields, readEmbedText, type EmbedTextSettings } from './embedText.fields';

interface TextOfItem extends EmbedTextSettings {
	call: Call;
}

/** Turns the texts of all items into vectors; items with the same settings share requests (interface, 4.12). */
export const embedText: BatchOperation = {
	value: 'embedText',
	name: 'Embed Text',
	action: 'Embed text',
	description: 'Turn text into a vector for semantic search and comparison',
	fields: embedTextFields,
	async runAll(calls) {
		const { results, failures } = await runInGroups<TextOfItem>(calls, {
			read: (call) => ({ call, ...readEmbedText(call) }),
			keyOf: ({ job: { settings, options } }) => JSON.stringify([settings, options]),
			run: embedGroup,
		});
		const linked = new Map([...results, ...failures].map((result) => [result.from, result]));
		return calls.flatMap(({ itemIndex }) => linked.get(itemIndex) ?? []);
	},
};

/** An item that was not sent because another one failed has no result. */
async function embedGroup(group: TextOfItem[], share: PoolShare): Promise<LinkedResult[]> {
	const [{ call, job }] = group;
	const texts = group.map(({ text }) => text);
	const outcomes = await embedTexts(call.client, texts, job, share);
	return group.flatMap((item, index) => {
		const outcome = outcomes[index];
		return outcome ? [toLinkedResult(item.call, outcome, item.job.settings.dimensions, item.output)] : [];
	});
}
