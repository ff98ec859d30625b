import { GatewayFailure } from '../../nodes/shared/failure/failure';
import type { Repeatability } from '../../nodes/shared/failure/evidence';
import type { Again, Charge, FailureKind } from '../../nodes/shared/failure/kinds';
import { RULES, RULES_AFTERWARDS } from '../../nodes/shared/failure/rules';
import { type Words, wordsOfStatus, wordsOfWebPage } from '../../nodes/shared/failure/statusWords';
import {
	UNREACHABLE,
	type UnreachableReason,
	wordsOfUnreachable,
} from '../../nodes/shared/failure/unreachableWords';
import {
	answerFailure,
	interruptedFailure,
	storageFailure,
	unreadableFailure,
} from '../../nodes/shared/failure/words';
import { withSection } from './section';
import { tableOf } from './table';

const CHARGES: Record<Charge, string> = { none: 'no', possible: 'possibly', certain: 'yes' };
const AGAIN: Record<Again, string> = {
	never: 'no',
	elsewhere: 'yes, also at **Alternate Base URL**',
	afterWait: 'yes, after a wait',
	inTurn: 'yes',
	soon: 'yes',
	ifFree: 'see below',
};

/** Returns a page with an up-to-date table of `nodes/shared/failure/rules.ts`, which says what became of a request. */
export function withRules(text: string): string {
	const rows = [...RULES, ...RULES_AFTERWARDS].map(({ what, kind, charge, again }) => [
		what,
		kind === 'ofStatus' ? 'by its status' : `\`${kind}\``,
		CHARGES[charge],
		AGAIN[again],
	]);
	const titles = ['What happened', 'Kind', 'Charged?', 'Sent again on its own?'];
	return withSection(text, 'outcomes', tableOf(titles, rows));
}

/** The meaning of each kind. `Record` ensures that none is missing. */
const KINDS: Record<FailureKind, string> = {
	input: 'A parameter of the node has no usable value',
	settings: 'The credential, the workflow, or this n8n is not set up correctly',
	unreachable: 'No connection could be made',
	spendingLimit: 'The node has reached a limit in **Spending Limits**, or cannot keep one',
	authentication: 'Status 401: the gateway does not accept the API key',
	permission: 'Status 402 or 403: the key may not use this model, or there is no credit left',
	notFound: 'Status 404 or 405: the gateway does not have this address, model, or task',
	request: 'Another 4xx, or an error inside status 200: the gateway refused the request',
	rateLimit: 'Status 429 until the retries ran out, or for longer than ten minutes',
	address: 'The address redirects elsewhere or returns a web page',
	gateway: 'Status 500 or above, after any retries',
	interrupted: 'The connection broke, or the time limit ran out, after the request had been sent',
	cancelled:
		'The execution was stopped, a time limit of the workflow ended it, or (**Join Items**) another item failed',
	answer: 'The response is incomplete or cannot be used; `partial` contains what could be read',
	download: 'A file was made, but could not be downloaded; `partial.url` contains the link',
	storage: 'A file was downloaded, but n8n could not store it; `partial.url` contains the link, if any',
	task: 'A task ended without a result; ask the operator of the gateway whether it was charged',
	bug: 'The package itself has failed: please report it with `stack`',
};

/** Returns a page with an up-to-date table of the kinds of failures. */
export function withKinds(text: string): string {
	const rows = Object.entries(KINDS).map(([kind, meaning]) => [`\`${kind}\``, meaning]);
	return withSection(text, 'kinds', tableOf(['Kind', 'Meaning'], rows));
}

const HOST = 'gateway.example.com';
const STATUSES = [400, 401, 402, 403, 404, 407, 413, 302, 408, 429, 502, 503];
const REASONS = Object.keys(UNREACHABLE) as UnreachableReason[];

/** The failures of a request with their advice, as the nodes write them; what many have in common is said once. */
export function withMessages(text: string): string {
	const does: Repeatability = 'generate';
	const failed = (status: number) => ({
		status,
		facts: { status, attempts: 1 },
		isUnclear: does === 'generate' && [408, 502].includes(status),
		namesModel: true,
	});
	const unclear = { charge: 'possible', again: 'ifFree' } as const;
	const lookedUp = (words: Words) => new GatewayFailure('gateway', ...words, { attempts: 1 }, unclear);
	const described = ({ message, description }: GatewayFailure): Words => [message, description];
	const all: Words[] = [
		...REASONS.map((reason) => wordsOfUnreachable(`https://${HOST}`, { reason, detail: '403' }, true)),
		wordsOfUnreachable(
			`https://${HOST}`,
			{ reason: 'refused', peer: { host: '10.0.0.9', port: 3128 } },
			true,
		),
		wordsOfWebPage(`https://${HOST}`, failed(200))!,
		...STATUSES.map((status) => {
			const words = wordsOfStatus(failed(status));
			return failed(status).isUnclear ? described(lookedUp(words)) : words;
		}),
		wordsOfWebPage(`https://${HOST}`, failed(403))!,
		...([undefined, 'silence', 'total'] as const).map((limit) =>
			described(interruptedFailure(limit, { attempts: 1 }, unclear)),
		),
		described(answerFailure('…')),
		described(storageFailure('…')),
		described(unreadableFailure('…')),
	];
	const lookUp = lookedUp(['', '']).description;
	const rows = all.map(([message, advice]) => [
		`_${withGaps(message)}_`,
		withGaps(advice).replace(lookUp, '**Look it up.**'),
	]);
	const table = tableOf(['Message', 'What to do'], rows);
	return withSection(text, 'messages', `**Look it up** stands for: ${lookUp}\n\n${table}`);
}

/** Replaces the parts of a text that are filled in with an ellipsis. */
function withGaps(words: string): string {
	return words
		.replaceAll(/\bgateway\.example\.com(:443)?(?=[ "]|$)|10\.0\.0\.9:3128/g, '…')
		.replaceAll(/\(status \d+(, tried once)?\)/g, '…')
		.replaceAll(/ \(tried once\)/g, ' …')
		.replaceAll('this address. 403.', 'this address.')
		.replaceAll(/( or model)? …( …)*/g, ' …');
}
