import type { IBinaryData, INodeExecutionData } from 'n8n-workflow';

/** Values that differ from run to run: IDs, times, and addresses of the gateway and its files. */
const VARIABLE: Array<[RegExp, string]> = [
	[/(?:127\.0\.0\.1|localhost):\d+/g, 'HOST'],
	[/\b(?:chatcmpl-|msg_|req_)\w+/g, 'ID'],
	[/\b[0-9a-f]{32}\b/g, 'TASK'],
];

/** Fields that are left out. The figures of a batch depend on which texts shared it; times and IDs always differ. */
const VARIABLE_FIELDS =
	/tokens$|textsInRequest$|^(?:id|created|responseId|submittedAt|finishedAt|submitTime|startTime|finishTime|createTime|createdAt)$/i;

/**
 * The output of a node without what differs from run to run, so that a retry can be compared with a run without failure.
 *
 * @param digest returns a digest of a file's content
 * @param chance fields with random content
 */
export async function comparable(
	outputs: INodeExecutionData[][],
	digest: (file: IBinaryData) => Promise<string>,
	chance = /(?!)/,
): Promise<unknown> {
	const item = async ({ json, binary = {}, pairedItem }: INodeExecutionData) => ({
		json: withoutVariables(json, chance),
		pairedItem,
		files: await Promise.all(
			Object.entries(binary).map(async ([field, file]) => ({
				field,
				fileName: file.fileName,
				mimeType: file.mimeType,
				digest: chance.test('content') ? undefined : await digest(file),
			})),
		),
	});
	return await Promise.all(outputs.map(async (items) => await Promise.all(items.map(item))));
}

function withoutVariables(json: unknown, chance: RegExp): unknown {
	const text = JSON.stringify(json, (name, value: unknown) =>
		VARIABLE_FIELDS.test(name) || chance.test(name) ? undefined : value,
	);
	return JSON.parse(VARIABLE.reduce((all, [pattern, name]) => all.replace(pattern, name), text));
}
