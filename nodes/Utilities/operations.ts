import { utilityEndpoint } from '../shared/gateway/endpoints';
import { mediaTypeOf, type Answer } from '../shared/gateway/readers';
import { fileNameFrom } from '../shared/files/fileName';
import { storeFile } from '../shared/files/storeFile';
import type { Call } from '../shared/runtime/call';
import type { ItemOperation, OperationResult } from '../shared/runtime/operation';
import { catalogue } from './catalogue';
import type { Utility } from './catalogue/utility';
import { utilityFields } from './fields';
import { readUtility } from './readUtility';
import { utilityRequest } from './request';

/** One operation for each endpoint of the catalogue. */
export const operations: ItemOperation[] = catalogue.map((utility) => ({
	resource: utility.group,
	value: utility.value,
	name: utility.name,
	action: utility.action,
	description: utility.description,
	fields: utilityFields(utility),
	run: async (call) => await run(call, utility),
}));

async function run(call: Call, utility: Utility): Promise<OperationResult[]> {
	const encoding = utility.encodings.length > 0 ? call.text('encoding') : undefined;
	const { path, query } = utilityRequest(utility, valuesOf(call, utility), encoding);
	return await call.client.send(
		{ ...call.requestOptions, endpoint: utilityEndpoint(path), query },
		async (answer) => {
			if (/^(image|audio|video)\//.test(mediaTypeOf(answer))) return [await toFile(call, utility, answer)];
			const simplify = encoding !== 'json' || call.flag('simplify');
			const splitOutLists = encoding === 'json' && call.flag('splitOutLists');
			const items = await readUtility(answer, encoding, { simplify, splitOutLists });
			return items.map((json) => ({ json }));
		},
	);
}

async function toFile(call: Call, { name }: Utility, answer: Answer): Promise<OperationResult> {
	const field = call.requiredText('binaryPropertyName', 'Put Output File in Field');
	const file = await storeFile(call.context, answer.body, mediaTypeOf(answer), (extension) =>
		fileNameFrom(name, 'file', extension),
	);
	const { fileName, mimeType, bytes } = file;
	return { json: { fileName, mimeType, bytes }, files: { [field]: file } };
}

/** Required parameters are fields of their own; the others stand in Options. */
function valuesOf(call: Call, { parameters }: Utility): Record<string, unknown> {
	return Object.fromEntries(
		parameters.map(({ key, required }) => [key, required ? call.text(key) : call.options[key]]),
	);
}
