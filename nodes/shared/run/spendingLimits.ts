import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { MAX_RUN_COST, MAX_RUN_REQUESTS, MAX_RUN_TOKENS } from '../fields/spendingLimits';
import type { Ledger } from '../send/ledger';
import { SpendingLimits } from '../send/spend';
import { toNumber } from './parameterReader';

/**
 * The limits of a run; undefined without any of them.
 *
 * @param options of the first item
 * @throws GatewayFailure (kind `input`) for a value that is not a number
 */
export function openSpendingLimits(options: IDataObject, ledger: Ledger): SpendingLimits | undefined {
	if (![MAX_RUN_REQUESTS, MAX_RUN_TOKENS, MAX_RUN_COST].some(({ name }) => name in options)) return undefined;
	// A value that is missing in a row must not take the limit away.
	const read = (definition: INodeProperties) =>
		definition.name in options ? toNumber(options[definition.name], definition) : 0;
	const limits = {
		requests: read(MAX_RUN_REQUESTS),
		tokens: read(MAX_RUN_TOKENS),
		cost: read(MAX_RUN_COST),
	};
	return new SpendingLimits(limits, ledger);
}
