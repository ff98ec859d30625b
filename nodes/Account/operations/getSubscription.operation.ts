import type { IDataObject } from 'n8n-workflow';
import { toFailure } from '../../shared/failure/failure';
import { optionFields, SIMPLIFY } from '../../shared/fields/options';
import { type Endpoint, endpoints } from '../../shared/send/endpoints';
import { OptionalFields } from '../../shared/answer/optionalFields';
import { type ItemOperation, toItem } from '../../shared/run/operation';
import { asRecord, numberOf } from '../../shared/plain/values';
import { flagField } from '../../shared/fields/field';

/** Once the option is added, it is on; without it, usage is not requested. */
const INCLUDE_USAGE = flagField(
	'Include Usage',
	'includeUsage',
	'Whether to also request how much the account has spent. Not all gateways report it.',
);

/** The limits that comparable gateways report. */
const LIMITS = ['hard_limit_usd', 'soft_limit_usd', 'system_hard_limit_usd'];

/** Gets the limits of the account (interface, 4.12), and on request what it has spent. */
export const getSubscription: ItemOperation = {
	value: 'getSubscription',
	name: 'Get Subscription',
	action: 'Get subscription',
	description: 'Get the limits of your account and, optionally, what it has spent',
	fields: [SIMPLIFY, ...optionFields(endpoints.subscription, {}, [INCLUDE_USAGE])],
	async run(call) {
		const simplify = call.flag(SIMPLIFY);
		const includeUsage = call.options.flag(INCLUDE_USAGE);
		const fetch = async <T>(endpoint: Endpoint, read: (body: unknown) => T) =>
			await call.client.json({ ...call.requestOptions, endpoint }, read);
		const fields = new OptionalFields();
		// The interface does not show the response (4.12), so whatever comes is the subscription.
		const whole = await fetch(endpoints.subscription, toItem);
		const isUsual = LIMITS.some((name) => numberOf(whole[name]) !== undefined);
		const json = simplify && isUsual ? simplified(whole, fields) : whole;
		call.hint(fields.hint);
		if (!includeUsage) return { json };
		try {
			const usage = await fetch(endpoints.billingUsage, (body) => body);
			const cents = simplify ? numberOf(asRecord(usage)?.total_usage) : undefined;
			const used = cents === undefined ? { usage: usage as IDataObject } : { usedUsd: cents / 100 };
			return { json: { ...json, ...used } };
		} catch (error) {
			throw toFailure(error).with({ partial: { subscription: json } });
		}
	},
};

function simplified(subscription: IDataObject, fields: OptionalFields): IDataObject {
	const end = subscription.access_until;
	const limit = (name: string) => fields.count(subscription[name], name);
	return {
		hardLimitUsd: limit('hard_limit_usd'),
		softLimitUsd: limit('soft_limit_usd'),
		systemHardLimitUsd: limit('system_hard_limit_usd'),
		hasPaymentMethod: fields.flag(subscription.has_payment_method, 'has_payment_method'),
		// Without an end, it is 0, or -1 (early versions of One API, `model/token.go`); without the field, it is unknown.
		accessUntil: [0, -1].some((none) => numberOf(end) === none) ? null : fields.time(end, 'access_until'),
	};
}
