import type { IDataObject } from 'n8n-workflow';
import { optionsField, SIMPLIFY } from '../../shared/fields/options';
import { statusFailure } from '../../shared/errors/errorMessages';
import { checkAnswer } from '../../shared/http/checkAnswer';
import { endpoints, type Endpoint } from '../../shared/gateway/endpoints';
import { readErrorBody } from '../../shared/errors/errorBody';
import { requestIdOf } from '../../shared/http/headers';
import { asRecord } from '../../shared/values';
import { toFailure } from '../../shared/errors/gatewayFailure';
import { readJson, type AnswerReader } from '../../shared/http/answerReaders';
import type { Call } from '../../shared/runtime/call';
import type { ItemOperation } from '../../shared/runtime/operation';
import { billingUsageSchema, subscriptionSchema, type Subscription } from '../billingSchema';

/** What the account may spend (interface, 4.12). */
export const getSubscription: ItemOperation = {
	value: 'getSubscription',
	name: 'Get Subscription',
	action: 'Get subscription',
	description: 'Look up the limits of your account, and what it has spent',
	fields: [
		SIMPLIFY,
		optionsField({ timeoutSeconds: endpoints.subscription.timeoutSeconds, body: false }, [
			{
				displayName: 'Include Usage',
				name: 'includeUsage',
				type: 'boolean',
				default: true,
				description: 'Whether to ask what the account has spent, too; not every gateway tells',
			},
		]),
	],
	async run(call) {
		const subscription = checkAnswer(subscriptionSchema, await fetchBilling(call, endpoints.subscription));
		const json = call.flag('simplify') ? simplified(subscription) : (subscription as IDataObject);
		if (call.options.includeUsage !== true) return { json };
		try {
			const usage = checkAnswer(billingUsageSchema, await fetchBilling(call, endpoints.billingUsage));
			const spent = { usedUsd: usage.total_usage / 100 };
			return { json: { ...json, ...(call.flag('simplify') ? spent : { usage: usage }) } };
		} catch (error) {
			throw toFailure(toFailure(error).with({ partial: { subscription: json } }));
		}
	},
};

async function fetchBilling(call: Call, endpoint: Endpoint): Promise<unknown> {
	return await call.client.send({ ...call.requestOptions, endpoint }, readBilling);
}

/** Gateways report failures here with status 200, in more shapes than elsewhere. */
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
	const time = new Date(unixSeconds * 1000);
	return Number.isNaN(time.getTime()) ? null : time.toISOString();
}
