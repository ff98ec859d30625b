import type { AINodeConnectionType, IDataObject, ISupplyDataFunctions } from 'n8n-workflow';
import { subNodeError } from './subNode';

/**
 * Does one piece of a sub-node's work and shows it in the execution as a run of the node; n8n does that by
 * itself for LangChain's own classes only.
 *
 * @param input what the run shows as its input
 * @param work gives the value, and what the run shows as its output
 * @throws NodeApiError for whatever goes wrong; the run shows it, too
 */
export async function loggedRun<T>(
	context: ISupplyDataFunctions,
	connectionType: AINodeConnectionType,
	input: IDataObject,
	work: () => Promise<{ value: T; output: IDataObject }>,
): Promise<T> {
	const { index } = context.addInputData(connectionType, [[{ json: input }]]);
	try {
		const { value, output } = await work();
		context.addOutputData(connectionType, index, [[{ json: output }]]);
		return value;
	} catch (error) {
		throw logged(context, connectionType, index, error);
	}
}

function logged(
	context: ISupplyDataFunctions,
	connectionType: AINodeConnectionType,
	runIndex: number,
	thrown: unknown,
): Error {
	const error = subNodeError(context, thrown);
	context.addOutputData(connectionType, runIndex, error);
	return error;
}
