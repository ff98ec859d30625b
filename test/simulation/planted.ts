/** A mistake in one layer that the simulation must find. */
export interface PlantedFault {
	/** What the layer does wrong. */
	name: string;
	/** The module below `nodes` in which it is. */
	module: string;
	/** What stands there, and what stands there instead. */
	from: string;
	to: string;
}

const UNSETTLED = 'if (!isPaid) this.spending.requests -= 1;';

const rows: Array<[name: string, module: string, from: string, to: string]> = [
	[
		'repeats whatever was not rejected',
		'shared/failure/verdict',
		"again === 'ifFree' ? repeatsUnclear : again !== 'never'",
		"again !== 'never'",
	],
	[
		'takes 502 for a gateway that has not begun',
		'shared/failure/rules',
		'when: ({ status }) => BUSY.includes(status),',
		'when: ({ status }) => BUSY.includes(status) || status === 502,',
	],
	[
		'takes a limit with status 403 for a rejection',
		'shared/failure/meaning',
		'with: isOneOf(400, 403),',
		'with: isOneOf(400),',
	],
	[
		'takes a lost connection for one that was never made',
		'shared/send/transportError',
		'return _bytesDispatched === 0;',
		'return true;',
	],
	[
		'tries the second address after an unclear outcome',
		'shared/send/reach',
		"if (failure.verdict.again !== 'elsewhere')",
		"if (!['elsewhere', 'ifFree'].includes(failure.verdict.again))",
	],
	// The credential asks again before it adds the key, but in the same way.
	[
		"takes every address for the credential's own",
		'shared/send/addresses',
		'all.some((own) => originOf(own) === origin)',
		'true',
	],
	[
		'does not notice a stop between two attempts',
		'shared/send/retry',
		'eitherOf(request.stop ?? run.signal, request.signal)',
		'request.signal',
	],
	['lets its timer run on', 'shared/send/timeLimits', 'this.watched.delete(one);', ''],
	[
		'accepts a body that was cut off',
		'shared/send/timeLimits',
		'of chunks)',
		'of (async function* () { try { yield* chunks; } catch {} })())',
	],
	[
		'drops the part of an answer that has arrived',
		'Chat/formats/readAnswer',
		'withArrived(error: unknown): GatewayFailure {',
		'withArrived(error: unknown): GatewayFailure { return error;',
	],
	['keeps no results', 'shared/run/paidResults', 'this.records[key] = { value };', ''],
	['notes no unclear outcomes', 'shared/run/paidResults', 'this.records[key] = facts;', ''],
	[
		'forgets the texts that shared a request',
		'batches/paidTexts',
		'if (stored !== undefined) {',
		'if (false) {',
	],
	['makes a new idempotency key in each try', 'shared/run/payments', '? known :', '? randomUUID() :'],
	['takes every request of an item for the same', 'shared/run/payments', 'hashOf(identity)', "hashOf('')"],
	['gives a reservation back twice', 'shared/send/spendingLimits', UNSETTLED, UNSETTLED + UNSETTLED],
	['counts nothing as spent', 'shared/send/spendingLimits', UNSETTLED, 'this.spending.requests -= 1;'],
	[
		'forgets what is in progress at a limit',
		'shared/send/spendingLimits',
		'this.spending.requests - this.inProgress >= requests',
		'this.spending.requests >= requests',
	],
	[
		'takes an answer without a cost for a free one',
		'shared/send/spendingLimits',
		"if (limits.cost > 0 && !hasCost) spending.unreported ??= 'Max Cost';",
		'',
	],
	[
		'does not wait for the first answer',
		'shared/send/spendingLimits',
		'return this.waitsForUsage && this.inProgress > 0;',
		'return false;',
	],
	[
		'does not count repeated requests',
		'shared/send/ledger',
		'this.requests += 1;',
		'if (attempts === 1) this.requests += 1;',
	],
	['links items to the next one', 'shared/run/output', '{ item: from }', '{ item: from + 1 }'],
	['puts results out in another order', 'shared/run/pool', 'return results;', 'return results.reverse();'],
	[
		'does not remove the key from values',
		'shared/answer/redactor',
		'return await redactedValue(value, this.texts);',
		'return value;',
	],
	[
		'does not remove the key from failures',
		'shared/answer/redactor',
		'clean === plain ? failure :',
		'true ? failure :',
	],
	['never makes room for another item', 'shared/limiter/gate', 'this.inside -= 1;', ''],
	['ignores Parallel Requests', 'shared/send/client', '(state.pacer, mostRequests)', '(state.pacer)'],
];

export const plantedFaults = rows.map(([name, module, from, to]): PlantedFault => ({
	name,
	module,
	from,
	to,
}));
