import { fileNameFrom } from '../shared/files/fileName';
import { storeFile } from '../shared/files/storeFile';
import { toFailure } from '../shared/errors/gatewayFailure';
import type { Answer } from '../shared/http/answerReaders';
import { mediaTypeOf } from '../shared/http/headers';
import type { Call } from '../shared/runtime/call';
import type { OperationResult } from '../shared/runtime/operation';
import { utilityFailure } from './failures';
import { emptyItem, toItems, type ItemsSettings } from './items';
import { readUtility, type UtilityContent } from './readUtility';
import type { UtilityRequest } from './request';

/** One request, and how its answer is put out. */
export interface UtilityFetch extends UtilityRequest {
	/** What a file is named after. */
	fileName: string;
	/** Whether HTML is an answer; otherwise it is a console or a sign-in page. */
	mayBeWebPage: boolean;
	usualList?: string;
}

/**
 * Sends a request to a utility endpoint and makes items of whatever comes back: fields, text or a file.
 *
 * @throws GatewayFailure
 */
export async function fetchUtility(call: Call, fetch: UtilityFetch): Promise<OperationResult[]> {
	const { endpoint, query } = fetch;
	const encoding = query.find(([name]) => name === 'encoding')?.[1];
	const request = {
		...call.requestOptions,
		endpoint,
		query,
		streamed: encoding?.startsWith('image'),
	};
	try {
		return await call.client.send(request, async (answer) => {
			const content = await readUtility(answer, fetch.mayBeWebPage);
			remarkOnSurprise(call, encoding, content);
			return await toResults(call, fetch, answer, content);
		});
	} catch (error) {
		throw utilityFailure(toFailure(error));
	}
}

async function toResults(
	call: Call,
	{ fileName, usualList }: UtilityFetch,
	answer: Answer,
	content: UtilityContent,
): Promise<OperationResult[]> {
	switch (content.kind) {
		case 'file':
			return [await toFile(call, fileName, answer)];
		case 'empty':
			return [{ json: emptyItem() }];
		case 'text':
			return [{ json: { text: content.text } }];
		case 'json': {
			const items = toItems(content, { ...itemsSettings(call), usualList });
			if (items.length === 0)
				call.hint('The list that the gateway sent is empty, so there is no item for it');
			return items.map((json) => ({ json }));
		}
	}
}

async function toFile(call: Call, name: string, answer: Answer): Promise<OperationResult> {
	const field = String(shown(call, 'binaryPropertyName', 'data')).trim() || 'data';
	const file = await storeFile(call.context, answer.body, mediaTypeOf(answer), (extension) =>
		fileNameFrom(name, 'file', extension),
	);
	const { fileName, mimeType, bytes } = file;
	return { json: { fileName, mimeType, bytes }, files: { [field]: file } };
}

/** A parameter that the editor hides when another kind of answer is asked for than the one that came. */
function shown(call: Call, name: string, otherwise: string | boolean): unknown {
	return call.context.getNodeParameter(name, call.itemIndex, otherwise);
}

function itemsSettings(call: Call): ItemsSettings {
	const { fullResponse, listToSplitOut } = call.options;
	return {
		fullResponse: fullResponse === true,
		splitOutLists: shown(call, 'splitOutLists', false) === true,
		wantedList: typeof listToSplitOut === 'string' ? listToSplitOut.trim() : '',
	};
}

/** Says so when the answer is of another kind than what was asked for. */
function remarkOnSurprise(call: Call, encoding: string | undefined, { kind }: UtilityContent): void {
	if (!encoding || kind === 'empty') return;
	const expected = encoding === 'json' ? 'json' : encoding.startsWith('image') ? 'file' : 'text';
	if (kind === expected) return;
	const came = { json: 'JSON', file: 'a file', text: 'text' }[kind];
	call.hint(`The gateway answered with ${came} although Encoding is "${encoding}"`);
}
