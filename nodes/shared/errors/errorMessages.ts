import { GatewayFailure, type FailureFacts, type FailureKind } from './gatewayFailure';

/** Which kind of failure an HTTP status is (interface, section 7). */
export function kindOfStatus(status: number): FailureKind {
	if (status === 401) return 'authentication';
	if (status === 402 || status === 403) return 'permission';
	if (status === 404 || status === 405) return 'notFound';
	if (status === 429) return 'rateLimit';
	if (status >= 500) return 'gateway';
	if (status >= 300 && status < 400) return 'address';
	return 'request';
}

/**
 * A failure for an answer with an HTTP status that is not a success.
 *
 * @param facts what the answer said; `status` must be set
 */
export function statusFailure(facts: FailureFacts & { status: number }): GatewayFailure {
	const kind = kindOfStatus(facts.status);
	const { message, description } = STATUS_TEXTS[kind] ?? STATUS_TEXTS.request!;
	return new GatewayFailure(kind, message(facts), withGatewayWords(description(facts), facts), facts);
}

interface Texts {
	message: (facts: FailureFacts) => string;
	description: (facts: FailureFacts) => string;
}

const STATUS_TEXTS: Partial<Record<FailureKind, Texts>> = {
	authentication: {
		message: () => 'The gateway did not accept the API key',
		description: () =>
			'Open the credential, paste the API Key again and test it. The key may be mistyped, expired or deleted, or belong to another gateway than the one in Base URL.',
	},
	permission: {
		message: ({ status }) => `The gateway does not allow this request for this API key (status ${status})`,
		description: () =>
			'Check in the console of your gateway that the key may use this model and that the account has credit left.',
	},
	notFound: {
		message: ({ status }) => `The gateway does not know this address or model (status ${status})`,
		description: () =>
			'Choose the model from the list (names are case-sensitive) and check Base URL in the credential: it is the address before "/v1".',
	},
	request: {
		message: ({ gatewayMessage, status }) =>
			gatewayMessage
				? `The gateway refused the request: ${gatewayMessage}`
				: `The gateway refused the request (status ${status})`,
		description: () =>
			'Check the parameters of this item. The request was not carried out, so correct it and run the item again.',
	},
	rateLimit: {
		message: ({ attempts }) =>
			attempts === 0
				? "The gateway's rate limit is used up, so this item was not sent"
				: `The gateway's rate limit is used up (tried ${times(attempts)})`,
		description: () =>
			'Run the remaining items later, set Requests per Minute in the credential to what your account allows, or raise Max Retries in Options to wait longer.',
	},
	gateway: {
		message: ({ status, attempts }) =>
			`The gateway is out of order at the moment (status ${status}, tried ${times(attempts)})`,
		description: ({ mayHaveBeenCarriedOut }) =>
			mayHaveBeenCarriedOut
				? 'The request may have been carried out all the same, so it was not sent again. Check with the gateway before you run this item once more.'
				: 'Run the item again in a few minutes. If this goes on, ask the operator of the gateway.',
	},
	address: {
		message: () => 'The gateway sends this request on to another address',
		description: () =>
			'The API key is never sent to another address than the one in the credential. Put the new address into Base URL if you trust it.',
	},
};

/** A failure for an answer that is a web page where data was expected. */
export function webPageFailure(url: string, facts: FailureFacts): GatewayFailure {
	return new GatewayFailure(
		'address',
		`${new URL(url).hostname} answered with a web page instead of data`,
		'Check Base URL in the credential: it should be the API address of the gateway (for example https://gateway.example.com), not the address of its web console. If it is right, a proxy or sign-in page stands in between.',
		facts,
	);
}

/** How a connection could not be made; nothing was sent. */
export type UnreachableReason = 'name' | 'refused' | 'secure' | 'blocked' | 'other';

/** A failure for a gateway that no connection could be made to. */
export function unreachableFailure(
	host: string,
	reason: UnreachableReason,
	facts: FailureFacts,
	detail = '',
): GatewayFailure {
	const texts: Record<UnreachableReason, [string, string]> = {
		name: [
			`The address ${host} does not exist`,
			'Check Base URL in the credential for typing slips, and that this n8n can reach the internet.',
		],
		refused: [
			`No gateway answers at ${host}`,
			'Check Base URL in the credential (host and port), and that the gateway is running. Nothing was sent.',
		],
		secure: [
			`No secure connection to ${host} could be made`,
			'The certificate of the gateway is not valid for this address, or the address does not speak HTTPS. Check whether Base URL begins with the right http:// or https://.',
		],
		blocked: [
			`n8n does not allow requests to ${host}`,
			`The allowed domains of the credential or the network rules of this n8n exclude the address. ${detail}`.trim(),
		],
		other: [
			`${host} could not be reached`,
			'Check Base URL in the credential and the network of this n8n. Nothing was sent.',
		],
	};
	const [message, description] = texts[reason];
	return new GatewayFailure('unreachable', message, description, facts);
}

/**
 * A failure for a connection that ended before the answer was complete.
 *
 * @param timedOut whether the time limit of the node ran out
 */
export function interruptedFailure(timedOut: boolean, facts: FailureFacts): GatewayFailure {
	const message = timedOut
		? 'The gateway did not answer in time'
		: 'The connection to the gateway broke before the answer was complete';
	const description = facts.mayHaveBeenCarriedOut
		? 'The request had already been sent, so the gateway may have carried it out and charged for it. That is why it was not sent again. Check with the gateway before you run this item once more.'
		: 'Run the item again.';
	const longer = timedOut ? ' If answers simply take long, raise Timeout (Seconds) in Options.' : '';
	return new GatewayFailure('interrupted', message, description + longer, facts);
}

/** A failure for an answer that cannot be read or lacks something; it was paid for, so it is kept. */
export function answerFailure(what: string, facts: FailureFacts = {}): GatewayFailure {
	return new GatewayFailure(
		'answer',
		`The gateway's answer cannot be used: ${what}`,
		withGatewayWords(
			'The request was carried out, but the answer is not what the interface describes. Check that the model fits this operation; if it does, send the request id to the operator of the gateway.',
			facts,
		),
		facts,
	);
}

/** A failure for a result file that could not be fetched from where the gateway put it. */
export function downloadFailure(url: string, why: string, facts: FailureFacts = {}): GatewayFailure {
	const host = URL.canParse(url) ? new URL(url).host : 'this address';
	return new GatewayFailure(
		'download',
		`The file could not be downloaded from ${host} (${why})`,
		'It was made and paid for, and its link is kept: open the link or fetch it with an HTTP Request node soon, because gateways delete such files after a while.',
		{ ...facts, partial: { ...facts.partial, url } },
	);
}

/** A failure for a file that arrived and that n8n could not put into its binary store. */
export function storageFailure(why: string): GatewayFailure {
	return new GatewayFailure(
		'storage',
		`n8n could not store the file (${why})`,
		'It was made and paid for. Make room where this n8n keeps binary data, or raise its limit for one file, before you run more items.',
		{ mayHaveBeenCarriedOut: true },
	);
}

/**
 * A failure for a task that the gateway took and could not carry out (interface, 2.9).
 *
 * @param reason `fail_reason` of the task; may be empty
 */
export function taskFailure(reason: string, facts: FailureFacts & { taskId: string }): GatewayFailure {
	return new GatewayFailure(
		'task',
		`The gateway could not finish the task${reason ? `: ${reason}` : ''}`,
		'Change what the reason names (often words in the prompt or the lyrics) and run the item again; a new task is a new charge. The task id is kept for questions to the operator of the gateway.',
		facts,
	);
}

/** A failure for a task that the gateway does not know under the path that was asked. */
export function unknownTaskFailure(facts: FailureFacts & { taskId: string }): GatewayFailure {
	return new GatewayFailure(
		'notFound',
		`The gateway knows no task "${facts.taskId}"`,
		withGatewayWords(
			'Check Task ID: tasks belong to the account that submitted them, and gateways forget them after a while. If no task is ever found, choose the other Query Path in Options.',
			facts,
		),
		facts,
	);
}

/** A failure for a parameter of the node, found before anything was sent. */
export function inputFailure(label: string, what: string, description: string): GatewayFailure {
	return new GatewayFailure('input', `${label} ${what}`, description, { attempts: 0 });
}

/** The failure of everything that was still under way when the execution was stopped. */
export function cancelledFailure(facts: FailureFacts = {}): GatewayFailure {
	return new GatewayFailure(
		'cancelled',
		'The execution was stopped',
		'Run the workflow again to go on.',
		facts,
	);
}

function times(attempts = 1): string {
	return attempts === 1 ? 'once' : `${attempts} times`;
}

function withGatewayWords(description: string, { gatewayMessage }: FailureFacts): string {
	return gatewayMessage ? `${description} The gateway said: “${gatewayMessage}”` : description;
}
