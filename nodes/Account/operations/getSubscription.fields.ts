import type { INodeProperties } from 'n8n-workflow';
import { optionsField, SIMPLIFY } from '../../shared/fields/options';
import { endpoints } from '../../shared/gateway/endpoints';
import type { Call } from '../../shared/runtime/call';

/** Once the option is added, it is on; without it, usage is not requested. */
const INCLUDE_USAGE: INodeProperties = {
	displayName: 'Include Usage',
	name: 'includeUsage',
	type: 'boolean',
	default: true,
	description: 'Whether to also request how much the account has spent. Not all gateways report it.',
};

/** Parameters of Account → Get Subscription. */
export const getSubscriptionFields: INodeProperties[] = [
	SIMPLIFY,
	optionsField({ timeoutSeconds: endpoints.subscription.timeoutSeconds, body: false }, [INCLUDE_USAGE]),
];

/** What to return. */
export interface SubscriptionSettings {
	simplify: boolean;
	includeUsage: boolean;
}

export function readSubscriptionSettings(call: Call): SubscriptionSettings {
	return { simplify: call.flag(SIMPLIFY), includeUsage: call.options.flag(INCLUDE_USAGE) };
}
