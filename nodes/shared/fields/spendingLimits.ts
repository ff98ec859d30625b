import type { INodeProperties } from 'n8n-workflow';

export const MAX_RUN_REQUESTS: INodeProperties = {
	displayName: 'Max Requests',
	name: 'maxRequests',
	type: 'number',
	typeOptions: { minValue: 0, numberPrecision: 0 },
	default: 0,
	description: 'Maximum number of requests, or 0 for no limit',
};

export const MAX_RUN_TOKENS: INodeProperties = {
	displayName: 'Max Tokens',
	name: 'maxTokens',
	type: 'number',
	typeOptions: { minValue: 0, numberPrecision: 0 },
	default: 0,
	description: 'Maximum number of input and output tokens, or 0 for no limit',
};

export const MAX_RUN_COST: INodeProperties = {
	displayName: 'Max Cost',
	name: 'maxCost',
	type: 'number',
	typeOptions: { minValue: 0, numberPrecision: 6 },
	default: 0,
	description: 'Maximum cost as far as the gateway reports it, or 0 for no limit',
};

/** The entry of Options, and its group of fields. */
export const SPENDING_LIMITS = { name: 'spendingLimits', group: 'limits' };

/**
 * Spending Limits as an entry of Options.
 *
 * @param by whether the gateway reports the tokens that a request takes, or only requests can be counted
 */
export function spendingLimitsOption(by: 'tokens' | 'requests'): INodeProperties {
	const { name, group } = SPENDING_LIMITS;
	const values = [MAX_RUN_REQUESTS, ...(by === 'tokens' ? [MAX_RUN_TOKENS] : []), MAX_RUN_COST];
	return {
		displayName: 'Spending Limits',
		name,
		type: 'fixedCollection',
		default: {},
		placeholder: 'Add limit',
		description: 'What may be spent. Once a limit is reached, nothing more is sent.',
		options: [{ displayName: 'Limits', name: group, values }],
	};
}
