import { randomUUID } from 'node:crypto';
import type * as ChatAnswers from '../../nodes/Chat/formats/readAnswer';
import type * as Redaction from '../../nodes/shared/answer/redactor';
import { type GatewayFailure, toFailure } from '../../nodes/shared/errors/gatewayFailure';
import type * as Outcomes from '../../nodes/shared/errors/outcome';
import type * as Gates from '../../nodes/shared/limiter/gate';
import type * as Texts from '../../nodes/shared/run/paidTexts';
import type * as Outputs from '../../nodes/shared/run/output';
import type * as Results from '../../nodes/shared/run/paidResults';
import type * as Paying from '../../nodes/shared/run/payments';
import type * as Pools from '../../nodes/shared/run/pool';
import type { GatewayClient } from '../../nodes/shared/send/client';
import type * as Clients from '../../nodes/shared/send/client';
import type * as Addresses from '../../nodes/shared/send/addresses';
import type { Layer } from '../../nodes/shared/send/layer';
import type * as Ledgers from '../../nodes/shared/send/ledger';
import type * as Reaching from '../../nodes/shared/send/reach';
import type * as Retrying from '../../nodes/shared/send/retry';
import type * as Spending from '../../nodes/shared/send/spend';
import type * as Limits from '../../nodes/shared/send/timeLimits';
import type * as Errors from '../../nodes/shared/send/transportError';

/** A mistake in one layer that the simulation must find. */
export interface PlantedFault {
	/** What the layer does wrong. */
	name: string;
	/** The module below `nodes` in which it is. */
	module: string;
	/** Returns the module with the mistake. @param actual a copy that nobody else uses */
	plant: (actual: never) => object;
}

function planted<Module extends object>(
	name: string,
	module: string,
	plant: (actual: Module) => Partial<Module> | void,
): PlantedFault {
	return { name, module, plant: (actual: never) => ({ ...(actual as Module), ...plant(actual) }) };
}

type Method = (this: Record<string, unknown>, ...args: never[]) => unknown;

/** Replaces a method of a class, whether it is private or not. @param make gets the original one */
function replace(of: { prototype: object }, name: string, make: (original: Method) => Method): void {
	const prototype = of.prototype as Record<string, Method>;
	prototype[name] = make(prototype[name]);
}

type Settle = (isPaid: boolean) => void;

/** Changes what becomes of a reservation when its request has ended. */
function changeSettling({ SpendingLimits }: typeof Spending, change: (settle: Settle) => Settle): void {
	replace(
		SpendingLimits,
		'reserve',
		(original) =>
			async function (...args) {
				return change((await original.apply(this, args)) as Settle);
			},
	);
}

/** A layer below which failures are others. */
const changing =
	(change: (failure: GatewayFailure) => GatewayFailure): Layer =>
	(next) =>
	async (request, read) => {
		try {
			return await next(request, read);
		} catch (error) {
			throw change(toFailure(error));
		}
	};

const requests: PlantedFault[] = [
	planted<typeof Outcomes>('repeats whatever was not rejected', 'shared/errors/outcome', () => ({
		mayRepeat: ({ kind }) => kind !== 'rejected',
	})),
	planted<typeof Outcomes>(
		'takes 502 for a gateway that has not begun',
		'shared/errors/outcome',
		(actual) => ({
			outcomeOfStatus: (answer) => (answer.status === 502 ? 'notTaken' : actual.outcomeOfStatus(answer)),
		}),
	),
	planted<typeof Errors>(
		'takes a lost connection for one that was never made',
		'shared/send/transportError',
		(actual) => ({
			explainTransportError: (error, known) => {
				const found = actual.explainTransportError(error, known);
				const isLost = found.kind === 'interrupted' && !found.timedOut;
				return isLost ? { kind: 'notConnected', reason: 'other' } : found;
			},
		}),
	),
	planted<typeof Reaching>(
		'tries the second address after an unclear outcome',
		'shared/send/reach',
		(actual) => ({
			reach:
				(...made) =>
				(next) =>
					actual.reach(...made)(
						changing((failure) =>
							failure.outcome?.kind === 'unclear' ? failure.after({ kind: 'notConnected' }) : failure,
						)(next),
					),
		}),
	),
	// The credential asks again before it adds the key, but in the same way.
	planted<typeof Addresses>("takes every address for the credential's own", 'shared/send/addresses', () => ({
		belongsToCredential: () => true,
	})),
	planted<typeof Retrying>('does not notice a stop between two attempts', 'shared/send/retry', (actual) => ({
		retry:
			(...made) =>
			(next) =>
			async (request, read) => {
				const never = new AbortController().signal;
				return await actual.retry(...made)(next)({ ...request, stop: never }, read);
			},
	})),
	planted<typeof Limits>('lets its timer run on', 'shared/send/timeLimits', (actual) => {
		replace(actual.Stopwatch, 'stop', () => () => undefined);
	}),
	planted<typeof Limits>('accepts a body that was cut off', 'shared/send/timeLimits', (actual) => {
		replace(
			actual.Stopwatch,
			'countSilence',
			(original) =>
				async function* (...args) {
					try {
						yield* original.apply(this, args) as AsyncGenerator;
					} catch {
						// The end of the body, whoever has cut it off.
					}
				},
		);
	}),
	planted<typeof ChatAnswers>(
		'drops the part of an answer that has arrived',
		'Chat/formats/readAnswer',
		(actual) => {
			replace(actual.ChatReader, 'withArrived', () => (error) => error);
		},
	),
];

const payments: PlantedFault[] = [
	planted<typeof Results>('keeps no results', 'shared/run/paidResults', (actual) => {
		replace(actual.PaidResults, 'keep', () => () => undefined);
	}),
	planted<typeof Results>('notes no unclear outcomes', 'shared/run/paidResults', (actual) => {
		replace(actual.PaidResults, 'note', () => () => undefined);
	}),
	planted<typeof Texts>('forgets the texts that shared a request', 'shared/run/paidTexts', (actual) => {
		replace(actual.KeptTexts, 'find', () => async () => undefined);
	}),
	planted<typeof Paying>('makes a new idempotency key in each try', 'shared/run/payments', (actual) => {
		replace(
			actual.Payments,
			'send',
			(original) =>
				async function (...args) {
					const client = this.client as GatewayClient;
					const send: GatewayClient['send'] = async (request, read) =>
						await client.send({ ...request, idempotencyKey: request.idempotencyKey && randomUUID() }, read);
					const changed = Object.create(client, { send: { value: send } }) as GatewayClient;
					return await original.apply(
						Object.create(this, { client: { value: changed } }) as typeof this,
						args,
					);
				},
		);
	}),
	planted<typeof Paying>('takes every request of an item for the same', 'shared/run/payments', (actual) => {
		replace(
			actual.Payments,
			'slot',
			(original) =>
				function (items: never, _identity: never, scope: never) {
					return original.call(this, items, '' as never, scope);
				},
		);
	}),
	planted<typeof Spending>('gives a reservation back twice', 'shared/send/spend', (actual) => {
		changeSettling(actual, (settle) => (isPaid) => {
			settle(isPaid);
			settle(isPaid);
		});
	}),
	planted<typeof Spending>('forgets what is in progress at a limit', 'shared/send/spend', (actual) => {
		replace(
			actual.SpendingLimits,
			'check',
			(original) =>
				function () {
					this.inProgress = 0;
					return original.call(this);
				},
		);
	}),
	planted<typeof Spending>('counts nothing as spent', 'shared/send/spend', (actual) => {
		changeSettling(actual, (settle) => () => settle(false));
	}),
	planted<typeof Ledgers>('does not count repeated requests', 'shared/send/ledger', (actual) => {
		const { sent } = actual.Ledger.prototype;
		actual.Ledger.prototype.sent = function (attempts) {
			if (attempts === 1) sent.call(this, attempts);
		};
	}),
];

const runs: PlantedFault[] = [
	planted<typeof Outputs>('links items to the next one', 'shared/run/output', (actual) => ({
		toOutputItem: (linked, toJson) => {
			const item = actual.toOutputItem(linked, toJson);
			return Array.isArray(linked.from) ? item : { ...item, pairedItem: { item: linked.from + 1 } };
		},
	})),
	planted<typeof Pools>('puts results out in another order', 'shared/run/pool', (actual) => ({
		runPool: async (entries, worker, settings) => (await actual.runPool(entries, worker, settings)).reverse(),
	})),
	planted<typeof Redaction>('does not remove the key from values', 'shared/answer/redactor', (actual) => {
		replace(actual.Redactor, 'value', () => async (value) => value);
	}),
	planted<typeof Redaction>('does not remove the key from failures', 'shared/answer/redactor', (actual) => {
		replace(actual.Redactor, 'failure', () => async (failure) => failure);
	}),
	planted<typeof Gates>('never makes room for another item', 'shared/limiter/gate', (actual) => {
		replace(actual.Gate, 'leave', () => () => undefined);
	}),
	planted<typeof Clients>('ignores Parallel Requests', 'shared/send/client', ({ GatewayClient }) => {
		const { of } = GatewayClient;
		GatewayClient.of = async (context, settings) =>
			await of.call(GatewayClient, context, { ...settings, mostRequests: undefined });
	}),
];

export const plantedFaults = [...requests, ...payments, ...runs];
