import { z } from 'zod';

/** A number that some gateways send as text, as null or not at all. */
const looseNumber = z
	.union([z.number(), z.string().regex(/^-?\d{1,20}(\.\d{1,20})?$/)])
	.nullish()
	.transform((value) => (value === null || value === undefined ? undefined : Number(value)));

/**
 * Subscription of the account (interface, 4.12, which does not show it). At least one of the limits must be
 * there, so that another answer is not taken for a subscription.
 */
export const subscriptionSchema = z
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
		{ message: 'No limit is given', path: ['hard_limit_usd'] },
	);

export type Subscription = z.infer<typeof subscriptionSchema>;

/** What the account has spent, in 0.01 USD. */
export const billingUsageSchema = z.object({ total_usage: z.number().finite() }).passthrough();
