import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { GatewayFailure } from '../errors/gatewayFailure';
import { approximateLength, withoutGaps } from '../plain/values';
import type { LinkedResult, OperationFailure, OperationResult } from './operation';

/** Maximum length of the finished results that a failed execution keeps, in characters of JSON. */
const MAX_KEPT_LENGTH = 500_000;

/** A result or a failure as an output item. @param toJson by default an item that n8n sends to the error output */
export function toOutputItem(
	linked: LinkedResult,
	toJson = (failure: GatewayFailure): IDataObject => failure.toErrorItem(),
): INodeExecutionData {
	const { from } = linked;
	const { files = {} } = 'result' in linked ? linked.result : linked;
	return {
		json: 'result' in linked ? withoutGaps(linked.result.json) : toJson(linked.failure),
		...(Object.keys(files).length > 0 ? { binary: files } : {}),
		pairedItem: Array.isArray(from) ? from.map((item) => ({ item })) : { item: from },
	};
}

/** A failure for the model of an agent. Of one that is thrown, n8n would hand over the message only, or nothing. */
export function toToolAnswer(failure: GatewayFailure): IDataObject {
	const { message, description } = failure;
	const sentence = /[.!?。！？]$/.test(message) ? message : `${message}.`;
	const { json: details } = finishedBy({ failure });
	return {
		error: `${sentence} ${description}`,
		...(Object.keys(details).length > 0 ? { details } : {}),
	};
}

/**
 * What was finished and paid for when a run stops, for the context of the `thrown` error: JSON and references to
 * files, also of items that failed with something that was paid for. Up to about 500 kB.
 */
export function finishedResults(results: LinkedResult[], thrown?: GatewayFailure): IDataObject {
	const kept: IDataObject[] = [];
	let left = 0;
	let length = 0;
	for (const linked of results) {
		const { json, files = {} } = finishedBy(linked);
		const failure = 'failure' in linked ? linked.failure : undefined;
		const hasNothing = failure === thrown || Object.keys(json).length === 0;
		if (failure && hasNothing && Object.keys(files).length === 0) continue;
		const entry: IDataObject = { item: linked.from, json };
		if (failure && failure !== thrown) entry.error = failure.message;
		const references = Object.entries(files).map(([name, { id, fileName, mimeType, fileSize }]) => [
			name,
			{ id, fileName, mimeType, fileSize },
		]);
		if (references.length > 0) entry.files = Object.fromEntries(references) as IDataObject;
		if (length <= MAX_KEPT_LENGTH) length += approximateLength(entry);
		if (length > MAX_KEPT_LENGTH) left += 1;
		else kept.push(entry);
	}
	if (kept.length === 0 && left === 0) return {};
	return { finishedResults: kept, ...(left > 0 ? { finishedResultsLeftOut: left } : {}) };
}

/** What an item has finished, in the end or before it failed. */
export function finishedBy(linked: { result: OperationResult } | OperationFailure): OperationResult {
	if ('result' in linked) return linked.result;
	const { taskId, partial } = linked.failure.facts;
	return { json: { ...(taskId === undefined ? {} : { taskId }), ...partial }, files: linked.files };
}
