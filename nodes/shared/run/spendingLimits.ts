import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { MAX_RUN_COST, MAX_RUN_REQUESTS, MAX_RUN_TOKENS, SPENDING_LIMITS } from '../fields/spendingLimits';
import type { Ledger } from '../send/ledger';
import { SpendingLimits } from '../send/spend';
import { asRecord } from '../plain/values';
import { toNumber } from './parameterReader';

/**
 * The limits of a run; undefined without the option.
 *
 * @param options of the first item
 * @throws GatewayFailure (kind `input`) for a value that is not a number
 */
export function openSpendingLimits(options: IDataObject, ledger: Ledger): SpendingLimits | undefined {
	const fields = asRecord(asRecord(options[SPENDING_LIMITS.name])?.[SPENDING_LIMITS.group]);
	if (!fields) return undefined;
	// A value that is missing in a row must not take the limit away.
	const read = (definition: INodeProperties) =>
		definition.name in fields ? toNumber(fields[definition.name], definition) : 0;
	const limits = {
		requests: read(MAX_RUN_REQUESTS),
		tokens: read(MAX_RUN_TOKENS),
		cost: read(MAX_RUN_COST),
	};
	return new SpendingLimits(limits, ledger);
}
