import type { ISupplyDataFunctions, NodeApiError, SupplyData } from 'n8n-workflow';
import { GatewayClient } from '../gateway/client';
import { toFailure } from '../errors/gatewayFailure';
import { Call } from './call';
import { Places } from './pool';
import { readMaxConcurrency } from './runOperations';

/** The parameters of a sub-node for one item of the node that uses it, and the gateway. */
export type SubNodeCall = Call<ISupplyDataFunctions>;

/**
 * Makes what a sub-node hands to the node that uses it.
 *
 * @param make reads the parameters
 * @throws NodeApiError when the credential or a parameter cannot be used
 */
export async function supply(
	context: ISupplyDataFunctions,
	itemIndex: number,
	make: (call: SubNodeCall) => unknown,
): Promise<SupplyData> {
	return await withSubNodeErrors(context, async () => {
		const client = await GatewayClient.of(context);
		const maxConcurrency = readMaxConcurrency(context);
		const places = new Places(maxConcurrency);
		return { response: make(new Call(context, itemIndex, client, maxConcurrency, places)) };
	});
}

/**
 * Does a part of a sub-node's work.
 *
 * @throws NodeApiError for whatever goes wrong in it, so that n8n shows it on the sub-node
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

/** Anything thrown as n8n shows it on a sub-node. */
export function subNodeError(context: ISupplyDataFunctions, thrown: unknown): NodeApiError {
	return toFailure(thrown).toSubNodeError(context.getNode());
}
