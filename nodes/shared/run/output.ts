import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { GatewayFailure } from '../failure/failure';
import { withoutGaps } from '../plain/values';
import type { LinkedResult, OperationFailure, OperationResult } from './operation';

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

/** Returns what an item has finished, in the end or before it failed. */
export function finishedBy(linked: { result: OperationResult } | OperationFailure): OperationResult {
	if ('result' in linked) return linked.result;
	const { taskId, partial } = linked.failure.facts;
	return { json: { ...(taskId === undefined ? {} : { taskId }), ...partial }, files: linked.files };
}
