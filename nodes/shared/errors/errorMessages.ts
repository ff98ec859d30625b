import { GatewayFailure, type FailureFacts, type FailureKind } from './gatewayFailure';

/** The kind of failure that an HTTP status stands for (interface, section 7). */
function kindOfStatus(status: number): FailureKind {
	if (status === 401) return 'authentication';
	if (status === 402 || status === 403) return 'permission';
	if (status === 404 || status === 405) return 'notFound';
	if (status === 429) return 'rateLimit';
	if (status >= 500) return 'gateway';
	if (status >= 300 && status < 400) return 'address';
	return 'request';
}

/**
 * A failure for a response with an HTTP status that is not a success.
 *
 * @param facts what the response says
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

/** Advice for a request that was sent, but whose outcome is unclear. */
function unclearAdvice({ attempts = 1 }: FailureFacts): string {
	const check = 'Look it up in the console of your gateway before you run this item again.';
	if (attempts > 1) return `The gateway may have carried the request out and charged for it. ${check}`;
	return `The gateway may have carried the request out and charged for it. For that reason, it was not sent again. ${check} To resend such requests automatically, set Idempotency Header in the credential if your gateway has one, or turn on Repeat When the Outcome Is Unclear in Options.`;
}

const STATUS_TEXTS: Partial<Record<FailureKind, Texts>> = {
	authentication: {
		message: () => 'The gateway did not accept the API key',
		description: () =>
			'Open the credential, enter the API Key again, and test it. The key may be mistyped, expired, deleted, or for a different gateway than the one in Base URL.',
	},
	permission: {
		message: ({ status }) => `The API key is not allowed to make this request (status ${status})`,
		description: () =>
			'In the console of your gateway, check that the key may use this model and that the account has credit left.',
	},
	notFound: {
		message: ({ status }) => `The gateway has no such address or model (status ${status})`,
		description: () =>
			'Select the model from the list (IDs are case-sensitive), and check Base URL in the credential: it is the address without "/v1".',
	},
	request: {
		message: ({ gatewayMessage, status }) =>
			gatewayMessage
				? `The gateway rejected the request: ${gatewayMessage}`
				: `The gateway rejected the request (status ${status})`,
		description: (facts) =>
			facts.mayHaveBeenCarriedOut
				? unclearAdvice(facts)
				: 'Check the parameters of this item, then run it again. The request was not carried out.',
	},
	rateLimit: {
		message: ({ attempts }) =>
			attempts === 0
				? 'The rate limit of the gateway is reached, so this item was not sent'
				: `The rate limit of the gateway is reached (tried ${times(attempts)})`,
		description: () =>
			'Run the remaining items later, set Requests per Minute in the credential to the limit of your account, or increase Max Retries in Options to wait longer.',
	},
	gateway: {
		message: ({ status, attempts, mayHaveBeenCarriedOut }) =>
			mayHaveBeenCarriedOut
				? `The gateway, or a proxy in front of it, gave up on the request (status ${status}, tried ${times(attempts)})`
				: `The gateway is temporarily unavailable (status ${status}, tried ${times(attempts)})`,
		description: (facts) =>
			facts.mayHaveBeenCarriedOut
				? unclearAdvice(facts)
				: 'Run the item again in a few minutes. If the problem continues, contact the operator of the gateway.',
	},
	address: {
		message: () => 'The gateway redirects this request to another address',
		description: (facts) =>
			facts.mayHaveBeenCarriedOut
				? unclearAdvice(facts)
				: 'The request was not carried out. The API key is sent only to the addresses in the credential. If the new address belongs to your gateway, enter it as Base URL.',
	},
};

/** A failure for a response that is a web page instead of data. */
export function webPageFailure(url: string, facts: FailureFacts): GatewayFailure {
	return new GatewayFailure(
		'address',
		`${new URL(url).hostname} answered with a web page instead of data`,
		'Check Base URL in the credential: it must be the API address of the gateway (for example https://gateway.example.com), not the address of its web console. If the address is correct, a proxy or sign-in page is in the way.',
		facts,
	);
}

/** Why a connection could not be made; nothing was sent. */
export type UnreachableReason = 'name' | 'refused' | 'secure' | 'blocked' | 'invalid' | 'other';

/** A failure for a gateway that cannot be reached. */
export function unreachableFailure(
	host: string,
	reason: UnreachableReason,
	facts: FailureFacts,
	detail = '',
): GatewayFailure {
	const texts: Record<UnreachableReason, [string, string]> = {
		name: [
			`The address ${host} does not exist`,
			'Check Base URL in the credential for typos, and check that this n8n can reach the internet.',
		],
		refused: [
			`No gateway answers at ${host}`,
			'Check the host and port of Base URL in the credential, and check that the gateway is running. Nothing was sent.',
		],
		secure: [
			`A secure connection to ${host} could not be established`,
			'The certificate of the gateway is not valid for this address, or the address does not use HTTPS. Check whether Base URL should start with http:// or https://.',
		],
		blocked: [
			`n8n does not allow requests to ${host}`,
			`The allowed domains of the credential or the network rules of this n8n do not include this address. ${detail}`.trim(),
		],
		invalid: [
			`The request to ${host} cannot be sent`,
			'A header or the address contains a character that is not allowed there. Check the credential for line breaks and special characters. Nothing was sent.',
		],
		other: [
			`${host} could not be reached`,
			'Check Base URL in the credential and the network connection of this n8n. Nothing was sent.',
		],
	};
	const [message, description] = texts[reason];
	return new GatewayFailure('unreachable', message, description, facts);
}

const INTERRUPTIONS = {
	lost: ['The connection to the gateway was lost before the response was complete', ''],
	silence: [
		'The gateway did not respond in time',
		' If the gateway only needs more time, increase Timeout (Seconds) in Options.',
	],
	total: [
		'The response of the gateway was not complete in time',
		' If it only needs more time, increase Total Time Limit (Minutes) in Options.',
	],
};

/**
 * A failure for a connection that ended before the response was complete.
 *
 * @param exceeded the time limit of the node that was exceeded: without progress, or for the whole response
 */
export function interruptedFailure(
	exceeded: 'silence' | 'total' | undefined,
	facts: FailureFacts,
): GatewayFailure {
	const [message, longer] = INTERRUPTIONS[exceeded ?? 'lost'];
	const description = facts.mayHaveBeenCarriedOut ? unclearAdvice(facts) : 'Run the item again.';
	return new GatewayFailure('interrupted', message, description + longer, facts);
}

/** The failure of a request of which an earlier attempt may have been carried out, whatever the last one says. */
export function afterUnclearAttempt(failure: GatewayFailure): GatewayFailure {
	const { kind, message, description, facts } = failure;
	if (facts.mayHaveBeenCarriedOut) return failure;
	const advice =
		'The gateway may have carried out an earlier attempt of this request and charged for it. Look it up in the console of your gateway before you run this item again.';
	const known = description.replace(/ (Nothing was sent|The request was not carried out)\./, '');
	return new GatewayFailure(kind, message, `${known} ${advice}`, { ...facts, mayHaveBeenCarriedOut: true });
}

/** A failure for a response that cannot be read or is incomplete. It was paid for, so callers keep it. */
export function answerFailure(what: string, facts: FailureFacts = {}): GatewayFailure {
	return new GatewayFailure(
		'answer',
		`The gateway's response cannot be used: ${what}`,
		withGatewayWords(
			'The request was carried out, but the response does not have the expected form. Check that the model supports this operation. If it does, send the request ID to the operator of the gateway.',
			facts,
		),
		facts,
	);
}

/** A failure for a result file that could not be downloaded from the address that the gateway returned. */
export function downloadFailure(url: string, why: string, facts: FailureFacts = {}): GatewayFailure {
	const host = URL.canParse(url) ? new URL(url).host : 'this address';
	return new GatewayFailure(
		'download',
		`The file could not be downloaded from ${host} (${why})`,
		'The file was created and paid for, and its link is kept. Open the link or download it with an HTTP Request node soon, because gateways delete such files after a while.',
		{ ...facts, partial: { ...facts.partial, url } },
	);
}

/** A failure for a file that arrived, but that n8n could not save in its binary store. */
export function storageFailure(why: string): GatewayFailure {
	return new GatewayFailure(
		'storage',
		`n8n could not save the file (${why})`,
		'The file was created and paid for. Free up space where this n8n stores binary data, or increase its limit for a single file, before you run more items.',
		{ mayHaveBeenCarriedOut: true },
	);
}

/** What a failure is about: the definition of a parameter, or the words that name it in the editor. */
export type NamedParameter = { displayName: string } | string;

/** The name of a parameter in the editor. */
export function labelOf(parameter: NamedParameter): string {
	return typeof parameter === 'string' ? parameter : parameter.displayName;
}

/**
 * A failure for a parameter of the node, found before anything was sent.
 *
 * @param what is wrong with it, as the rest of a sentence
 */
export function inputFailure(parameter: NamedParameter, what: string, description: string): GatewayFailure {
	return new GatewayFailure('input', `${labelOf(parameter)} ${what}`, description, { attempts: 0 });
}

/** The failure of everything that was in progress when the execution was stopped. */
export function cancelledFailure(facts: FailureFacts = {}): GatewayFailure {
	return new GatewayFailure('cancelled', 'The execution was stopped', 'Run the workflow again.', facts);
}

function times(attempts = 1): string {
	return attempts === 1 ? 'once' : `${attempts} times`;
}

/** Advice, followed by the message of the gateway if there is one. */
export function withGatewayWords(description: string, { gatewayMessage }: FailureFacts): string {
	return gatewayMessage ? `${description} Message from the gateway: “${gatewayMessage}”` : description;
}
