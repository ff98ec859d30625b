import { useNode } from '../engine/useNode';

const gateway = useNode('account', { simplify: true, options: {} });
const SUBSCRIPTION = 'GET /v1/dashboard/billing/subscription';
const USAGE = 'GET /v1/dashboard/billing/usage';

const account = async (operation: string, parameters: object = {}, settings: object = {}) =>
	await gateway.run({ operation, ...parameters }, settings);
const models = async (parameters: object) =>
	await account('getManyModels', { returnAll: true, ...parameters });
/** Lets the gateway answer with this JSON. */
function answerWith(route: string, body: unknown) {
	const answer = { kind: 'status', status: 200, contentType: 'application/json' } as const;
	const fault = { ...answer, body: JSON.stringify(body), times: 'always' as const };
	gateway.fail(route, fault);
}

describe('Get Many Models', () => {
	const list = {
		data: [
			{ id: 'a-1', owned_by: 'aurora', created: 1_700_000_000, supported_endpoint_types: ['chat'] },
			{ id: 'b-2', owned_by: 'Aurora', created: 1_750_000_000, supported_endpoint_types: ['embeddings'] },
			{ id: 'c-3', owned_by: 'sonata', created: 1_760_000_000 },
		],
	};

	it.each<[string, object, string[]]>([
		['part of the ID or owner', { filter: ' SONA ' }, ['c-3']],
		['a limit', { returnAll: false, limit: 1 }, ['a-1']],
		['a limit of those with a part of the owner', { returnAll: false, limit: 1, filter: 'sona' }, ['c-3']],
	])('lists models by %s', async (_what, parameters, ids) => {
		answerWith('GET /v1/models', list);
		const { items } = await models(parameters);
		expect(items.map(({ json }) => json.id)).toEqual(ids);
	});
});

it('A bad entry of a list costs this entry, and a hint names it', async () => {
	const small = { id: 'small', created: 1_700_000_000, supported_endpoint_types: ['chat'] };
	answerWith('GET /v1/models', { data: [small, { owned_by: 'nobody' }] });
	const { items, hints } = await models({});
	const created = '2023-11-14T22:13:20.000Z';
	expect(items.map(({ json }) => json)).toEqual([{ id: 'small', created, endpointTypes: ['chat'] }]);
	expect(hints.join()).toContain('data.1');
});

it('A list that cannot be read has cost nothing', async () => {
	answerWith('GET /v1/models', { items: [] });
	const parameters = { operation: 'getManyModels', returnAll: true };
	const { items } = await gateway.run(parameters, { onError: 'continueRegularOutput' });
	const { kind, charge = 'none' } = items[0].json.details as Record<string, unknown>;
	expect([kind, charge]).toEqual(['answer', 'none']);
	expect(JSON.stringify(items[0].json)).not.toMatch(/charged|paid/);
});

describe('Get Subscription', () => {
	it('returns the limits, simplified and raw, with and without usage', async () => {
		expect((await account('getSubscription')).items[0].json).toEqual({
			hardLimitUsd: 100,
			softLimitUsd: 80,
			systemHardLimitUsd: 100,
			hasPaymentMethod: true,
			accessUntil: null,
		});
		const raw = await account('getSubscription', { simplify: false, options: { includeUsage: true } });
		expect(raw.items[0].json).toMatchObject({
			object: 'billing_subscription',
			hard_limit_usd: 100,
			usage: { object: 'list', total_usage: 0 },
		});
		const spent = await account('getSubscription', { options: { includeUsage: true } });
		expect(spent.items[0].json.usedUsd).toBe(0);
		answerWith(USAGE, { total_usage: 1234 });
		const more = await account('getSubscription', { options: { includeUsage: true } });
		expect(more.items[0].json.usedUsd).toBe(12.34);
		answerWith(USAGE, { spent: 1234 });
		const other = await account('getSubscription', { options: { includeUsage: true } });
		expect(other.items[0].json).toMatchObject({ hardLimitUsd: 100, usage: { spent: 1234 } });
	});

	it('has limits of which all are 0', async () => {
		answerWith(SUBSCRIPTION, { hard_limit_usd: 0, soft_limit_usd: 0 });
		const { items } = await account('getSubscription');
		expect(items[0].json).toMatchObject({ hardLimitUsd: 0, softLimitUsd: 0 });
	});

	it('accepts numbers as text and returns the end of access', async () => {
		answerWith(SUBSCRIPTION, { hard_limit_usd: '12.50', access_until: 1_800_000_000 });
		const { items } = await account('getSubscription');
		expect(items[0].json).toMatchObject({ hardLimitUsd: 12.5, accessUntil: '2027-01-15T08:00:00.000Z' });
	});

	it('says what of it could not be read', async () => {
		answerWith(SUBSCRIPTION, { hard_limit_usd: 'much', soft_limit_usd: 5 });
		const { items, hints } = await account('getSubscription');
		expect(items[0].json).toMatchObject({ softLimitUsd: 5 });
		expect(hints.join()).toContain('could not be read and were left out: hard_limit_usd');
	});

	it.each([0, -1])('has no end of access if the gateway reports %j', async (end) => {
		answerWith(SUBSCRIPTION, { system_hard_limit_usd: 5, plan: 'team', access_until: end });
		const { items, hints } = await account('getSubscription');
		expect([items[0].json, hints]).toEqual([{ systemHardLimitUsd: 5, accessUntil: null }, []]);
	});

	it('sends the headers of its options with both requests', async () => {
		const headers = { values: [{ name: 'X-Tag', value: 'mine' }] };
		await account('getSubscription', { options: { includeUsage: true, headers } });
		expect(gateway.emulator.journal.entries().map((sent) => sent.headers['x-tag'])).toEqual(['mine', 'mine']);
	});

	it('keeps the subscription when usage is not available', async () => {
		gateway.fail(USAGE, { kind: 'status', status: 404, times: 'always' });
		const { outputs } = await account(
			'getSubscription',
			{ options: { includeUsage: true } },
			{ onError: 'continueErrorOutput' },
		);
		expect(outputs[1][0].json.details).toMatchObject({ partial: { subscription: { hardLimitUsd: 100 } } });
	});
});

it('Advice on an empty account names no model, because no request of the node has one', async () => {
	gateway.fail(SUBSCRIPTION, { kind: 'status', status: 402, times: 'always' });
	const { error } = await account('getSubscription');
	expect(error?.description).toMatch(/^Add credit in the console of your gateway, then run the item again\./);
});
