import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { answerFailure } from '../../shared/errors/errorMessages';
import { toFailure } from '../../shared/errors/gatewayFailure';
import { optionsField, SIMPLIFY } from '../../shared/fields/options';
import { type Endpoint, endpoints } from '../../shared/gateway/endpoints';
import { LooseFields } from '../../shared/http/looseFields';
import { unusable } from '../../shared/http/schemas';
import type { Call } from '../../shared/runtime/call';
import type { ItemOperation } from '../../shared/runtime/operation';
import { asRecord, numberOf } from '../../shared/values';

/** Once the option is added, it is on; without it, usage is not requested. */
const INCLUDE_USAGE: INodeProperties = {
	displayName: 'Include Usage',
	name: 'includeUsage',
	type: 'boolean',
	default: true,
	description: 'Whether to also request how much the account has spent. Not all gateways report it.',
};

/** Parameters of Account → Get Subscription. */
const getSubscriptionFields: INodeProperties[] = [
	SIMPLIFY,
	optionsField({ timeoutSeconds: endpoints.subscription.timeoutSeconds, body: false }, [INCLUDE_USAGE]),
];

/** What to return. */
interface SubscriptionSettings {
	simplify: boolean;
	includeUsage: boolean;
}

function readSubscriptionSettings(call: Call): SubscriptionSettings {
	return { simplify: call.flag(SIMPLIFY), includeUsage: call.options.flag(INCLUDE_USAGE) };
}

/** The limits of the account. It has at least one, so that no other response is mistaken for a subscription. */
const LIMITS = ['hard_limit_usd', 'soft_limit_usd', 'system_hard_limit_usd'];

/** Reads a subscription (interface, 4.12, which does not show it). @throws GatewayFailure (kind `answer`) without a limit */
function readSubscription(body: unknown): IDataObject {
	for (const fields of [asRecord(body), asRecord(asRecord(body)?.data)]) {
		if (fields && LIMITS.some((name) => numberOf(fields[name]) !== undefined)) return fields as IDataObject;
	}
	throw unusable(answerFailure(`it has no limit, such as "${LIMITS[0]}"`), body);
}

/** Gets the limits of the account (interface, 4.12), and on request what it has spent. */
export const getSubscription: ItemOperation = {
	value: 'getSubscription',
	name: 'Get Subscription',
	action: 'Get subscription',
	description: 'Get the limits of your account and, optionally, what it has spent',
	fields: getSubscriptionFields,
	async run(call) {
		const { simplify, includeUsage } = readSubscriptionSettings(call);
		const fetch = async (endpoint: Endpoint) => await call.client.json({ ...call.requestOptions, endpoint });
		const fields = new LooseFields();
		const subscription = readSubscription(await fetch(endpoints.subscription));
		const json = simplify ? simplified(subscription, fields) : subscription;
		call.hint(fields.hint);
		if (!includeUsage) return { json };
		try {
			const usage = await fetch(endpoints.billingUsage);
			const cents = numberOf(asRecord(usage)?.total_usage);
			if (cents === undefined) throw unusable(answerFailure('the field "total_usage" is missing'), usage);
			return {
				json: { ...json, ...(simplify ? { usedUsd: cents / 100 } : { usage: usage as IDataObject }) },
			};
		} catch (error) {
			throw toFailure(error).with({ partial: { subscription: json } });
		}
	},
};

function simplified(subscription: IDataObject, fields: LooseFields): IDataObject {
	const limit = (name: string) => fields.count(subscription[name], name);
	return {
		hardLimitUsd: limit('hard_limit_usd'),
		softLimitUsd: limit('soft_limit_usd'),
		systemHardLimitUsd: limit('system_hard_limit_usd'),
		hasPaymentMethod: fields.flag(subscription.has_payment_method, 'has_payment_method'),
		// 0 means that there is no end.
		accessUntil: fields.time(subscription.access_until, 'access_until') ?? null,
	};
}
