import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { z } from 'zod';
import { readErrorBody } from '../../shared/errors/errorBody';
import { statusFailure } from '../../shared/errors/errorMessages';
import { toFailure } from '../../shared/errors/gatewayFailure';
import { optionsField, SIMPLIFY } from '../../shared/fields/options';
import { type Endpoint, endpoints } from '../../shared/gateway/endpoints';
import { type AnswerReader, readJson } from '../../shared/http/answerReaders';
import { checkAnswer } from '../../shared/http/schemas';
import { requestIdOf } from '../../shared/http/headers';
import type { Call } from '../../shared/runtime/call';
import type { ItemOperation } from '../../shared/runtime/operation';
import { asRecord, isoTime } from '../../shared/values';

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

/** A number that some gateways send as text or null, or omit. */
const looseNumber = z
	.union([z.number(), z.string().regex(/^-?\d{1,20}(\.\d{1,20})?$/)])
	.nullish()
	.transform((value) => (value === null || value === undefined ? undefined : Number(value)));

/**
 * Subscription of the account (interface, 4.12, which does not show it). It must have at least one limit, so that no
 * other response is mistaken for a subscription.
 */
const subscriptionSchema = z
	.object({
		has_payment_method: z.boolean().nullish(),
		soft_limit_usd: looseNumber,
		hard_limit_usd: looseNumber,
		system_hard_limit_usd: looseNumber,
		/** Unix seconds; 0 for no end. */
		access_until: looseNumber,
	})
	.passthrough()
	.refine(
		(body) =>
			[body.soft_limit_usd, body.hard_limit_usd, body.system_hard_limit_usd].some(
				(limit) => limit !== undefined,
			),
		{ message: 'No limit is set', path: ['hard_limit_usd'] },
	);

type Subscription = z.infer<typeof subscriptionSchema>;

/** What the account has spent, in units of 0.01 USD. */
const billingUsageSchema = z.object({ total_usage: z.number().finite() }).passthrough();

/** Gets the limits of the account (interface, 4.12), and on request what it has spent. */
export const getSubscription: ItemOperation = {
	value: 'getSubscription',
	name: 'Get Subscription',
	action: 'Get subscription',
	description: 'Get the limits of your account and, optionally, what it has spent',
	fields: getSubscriptionFields,
	async run(call) {
		const { simplify, includeUsage } = readSubscriptionSettings(call);
		const subscription = checkAnswer(subscriptionSchema, await fetchBilling(call, endpoints.subscription));
		const json = simplify ? simplified(subscription) : (subscription as IDataObject);
		if (!includeUsage) return { json };
		try {
			const usage = checkAnswer(billingUsageSchema, await fetchBilling(call, endpoints.billingUsage));
			return { json: { ...json, ...(simplify ? { usedUsd: usage.total_usage / 100 } : { usage }) } };
		} catch (error) {
			throw toFailure(error).with({ partial: { subscription: json } });
		}
	},
};

async function fetchBilling(call: Call, endpoint: Endpoint): Promise<unknown> {
	return await call.client.send({ ...call.requestOptions, endpoint }, readBilling);
}

/** Billing endpoints report failures with status 200, in more forms than other endpoints. */
const readBilling: AnswerReader<unknown> = async (answer) => {
	const body = await readJson(answer);
	const error = asRecord(body)?.error;
	if (error === undefined || error === null || error === false) return body;
	const { status, headers } = answer;
	throw statusFailure({ status, ...readErrorBody(body, requestIdOf(headers)) });
};

function simplified(subscription: Subscription): IDataObject {
	const { access_until: until } = subscription;
	return {
		hardLimitUsd: subscription.hard_limit_usd,
		softLimitUsd: subscription.soft_limit_usd,
		systemHardLimitUsd: subscription.system_hard_limit_usd,
		hasPaymentMethod: subscription.has_payment_method,
		accessUntil: until ? timeOf(until) : null,
	};
}

function timeOf(unixSeconds: number): string | null {
	return isoTime(unixSeconds * 1000) ?? null;
}
