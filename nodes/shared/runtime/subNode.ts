import type {
	AINodeConnectionType,
	IDataObject,
	ISupplyDataFunctions,
	NodeApiError,
	SupplyData,
} from 'n8n-workflow';
import { toFailure } from '../errors/gatewayFailure';
import { GatewayClient } from '../gateway/client';
import { Call, runResources } from './call';
import { ParameterReader } from './parameterReader';
import { readMaxConcurrency } from './runOperations';

/** The parameters of a sub-node for one item of the node that uses it, and the gateway. */
export type SubNodeCall = Call<ISupplyDataFunctions>;

/**
 * The `supplyData` of every sub-node: creates the object that the sub-node gives to the node that uses it.
 *
 * @param create reads the parameters
 * @throws NodeApiError when the credential or a parameter cannot be used
 */
export async function supplySubNode(
	context: ISupplyDataFunctions,
	itemIndex: number,
	create: (call: SubNodeCall) => unknown,
): Promise<SupplyData> {
	return await withSubNodeErrors(context, async () => {
		const client = await GatewayClient.of(context);
		const parameters = new ParameterReader(context);
		const resources = runResources(context, client, readMaxConcurrency(parameters), parameters);
		return { response: create(new Call(resources, itemIndex)) };
	});
}

/**
 * Does a part of a sub-node's work.
 *
 * @throws NodeApiError for every failure, so that n8n shows it on the sub-node
 */
export async function withSubNodeErrors<T>(
	context: ISupplyDataFunctions,
	work: () => Promise<T>,
): Promise<T> {
	try {
		return await work();
	} catch (error) {
		throw subNodeError(context, error);
	}
}

/** Anything thrown, as n8n shows it on a sub-node. */
export function subNodeError(context: ISupplyDataFunctions, thrown: unknown): NodeApiError {
	return toFailure(thrown).toSubNodeError(context.getNode());
}

/**
 * Does one piece of a sub-node's work and shows it in the execution as a run of the node. n8n does that by itself only
 * for LangChain's own classes.
 *
 * @param input what the run shows as its input
 * @param work returns the value, and what the run shows as its output
 * @throws NodeApiError for every failure; the run shows it as well
 */
export async function loggedRun<T>(
	context: ISupplyDataFunctions,
	connectionType: AINodeConnectionType,
	input: IDataObject,
	work: () => Promise<{ value: T; output: IDataObject }>,
): Promise<T> {
	const { index } = context.addInputData(connectionType, [[{ json: input }]]);
	const log = (output: Parameters<ISupplyDataFunctions['addOutputData']>[2]) =>
		context.addOutputData(connectionType, index, output);
	const logError = (thrown: unknown) => {
		const error = subNodeError(context, thrown);
		log(error);
		return error;
	};
	try {
		const { value, output } = await work();
		log([[{ json: output }]]);
		return value;
	} catch (error) {
		throw logError(error);
	}
}
