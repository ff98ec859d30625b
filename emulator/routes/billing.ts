import type { FastifyPluginAsync } from 'fastify';
import { invalidRequest } from '../http/errors';
import type { Journal, JournalEntry } from '../journal';

/** The cost of each successful request, in cents (0.01 USD). */
const centsPerRequest = 0.2;
const limitUsd = 100;
const dayMs = 86_400_000;

/** Start of a day in ms, or undefined if the parameter is missing. */
function dayOf(query: Record<string, unknown>, name: string): number | undefined {
	const text = query[name];
	if (text === undefined) return undefined;
	const time = typeof text === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : NaN;
	if (Number.isNaN(time)) throw invalidRequest(`Invalid value for "${name}": expected a day as YYYY-MM-DD.`);
	return time;
}

const isPaid = ({ method, carriedOut, path }: JournalEntry) =>
	method === 'POST' && carriedOut && path.startsWith('/v1');

/** Limits and usage of the account (section 4.12); the usage follows the number of requests that were carried out. */
export const billingRoutes: FastifyPluginAsync<{ journal: Journal }> = async (app, { journal }) => {
	app.get('/v1/dashboard/billing/subscription', async () => ({
		object: 'billing_subscription',
		has_payment_method: true,
		soft_limit_usd: limitUsd * 0.8,
		hard_limit_usd: limitUsd,
		system_hard_limit_usd: limitUsd,
		access_until: 0,
	}));

	app.get('/v1/dashboard/billing/usage', async (request) => {
		const query = request.query as Record<string, unknown>;
		const from = dayOf(query, 'start_date') ?? Number.NEGATIVE_INFINITY;
		const until = dayOf(query, 'end_date') ?? Number.POSITIVE_INFINITY;
		if (from > until) throw invalidRequest('Invalid value for "end_date": it lies before "start_date".');
		const paid = journal.count(
			(entry) => isPaid(entry) && entry.receivedAt >= from && entry.receivedAt < until + dayMs,
		);
		return { object: 'list', total_usage: paid * centsPerRequest };
	});
};
