import { GatewayFailure, type FailureFacts } from './failure';
import { meantStatus } from './meaning';
import { limitAdvice } from './namedLimit';

type StatusKind =
	'authentication' | 'permission' | 'notFound' | 'rateLimit' | 'gateway' | 'address' | 'request';

/** The kind of failure that an HTTP status stands for (interface, section 7). */
function kindOfStatus(status: number): StatusKind {
	if (status === 401) return 'authentication';
	if (status === 402 || status === 403) return 'permission';
	if (status === 404 || status === 405) return 'notFound';
	if (status === 429) return 'rateLimit';
	if (status >= 500) return 'gateway';
	if (status >= 300 && status < 400) return 'address';
	return 'request';
}

/** A failure for a response with a failing status, or with an error that stands for one. */
export function statusFailure(facts: FailureFacts & { status: number }, namesModel = true): GatewayFailure {
	const status = meantStatus(facts.status, facts);
	const kind = kindOfStatus(status);
	const words = STATUS_WORDS[status] ?? WORDS[kind];
	const [message, advice] = words(facts, namesModel);
	const isRejected = REJECTIONS.includes(kind) && !facts.mayHaveBeenCarriedOut;
	const description = isRejected ? `${advice} ${NOT_CARRIED_OUT}` : advice;
	return new GatewayFailure(kind, withGatewayWords(message, facts), description, facts);
}

/** What the description of a rejection ends with. */
export const NOT_CARRIED_OUT = 'The request was not carried out.';
const REJECTIONS: StatusKind[] = ['authentication', 'permission', 'notFound', 'request', 'address'];

/** The failure of a request that only reads, for which nothing is charged, whatever else its answer says. */
export function unchargedFailure(failure: GatewayFailure, attempts: number): GatewayFailure {
	const { status, mayHaveBeenCarriedOut, ...facts } = failure.facts;
	if (!mayHaveBeenCarriedOut || status === undefined) return failure;
	return statusFailure({ ...facts, status, attempts });
}

/** What happened, in our words and then in those of the gateway, if there are any. */
export function withGatewayWords(message: string, { gatewayMessage }: FailureFacts): string {
	return gatewayMessage ? `${message}: ${gatewayMessage}` : message;
}

type Words = (facts: FailureFacts, namesModel: boolean) => [message: string, description: string];

/** Advice for a request that was sent, but whose outcome is unclear. */
export function unclearAdvice({ attempts = 1 }: FailureFacts): string {
	const check = 'Look it up in the console of your gateway before you run this item again.';
	if (attempts > 1) return `The gateway may have carried the request out and charged for it. ${check}`;
	return `The gateway may have carried the request out and charged for it. For that reason, it was not sent again. ${check} To resend such requests automatically, set Idempotency Header in the credential if your gateway has one, or add Resend Unclear Requests to Limits and Retries.`;
}

/** Advice for a request that names a model, if the gateway's words are about what is chosen from a list. */
function pickerAdvice({ gatewayMessage = '' }: FailureFacts, namesModel: boolean): string {
	if (!namesModel) return '';
	if (/voice|音色/i.test(gatewayMessage)) return ' If the voice is the problem, select Voice from the list.';
	return /model|模型/i.test(gatewayMessage)
		? ' If the model is the problem, select Model from the list (IDs are case-sensitive).'
		: '';
}

const WORDS: Record<StatusKind, Words> = {
	authentication: () => [
		'The gateway did not accept the API key',
		'Open the credential, enter the API Key again, and test it. The key may be mistyped, expired, deleted, or for a different gateway than the one in Base URL.',
	],
	permission: ({ status }, namesModel) => [
		`The API key is not allowed to make this request (status ${status})`,
		`In the console of your gateway, check ${namesModel ? 'that the key may use this model' : 'what the key may do'} and that the account has credit left.`,
	],
	notFound: ({ status }, namesModel) => [
		`The gateway has no such address${namesModel ? ' or model' : ''} (status ${status})`,
		namesModel
			? 'Select the model from the list (IDs are case-sensitive), and check Base URL in the credential: it is the address without "/v1".'
			: 'Check Base URL in the credential: it is the address without "/v1". If it is correct, your gateway does not have this operation.',
	],
	request: (facts, namesModel) => {
		const { gatewayMessage, status = 0, mayHaveBeenCarriedOut } = facts;
		if (mayHaveBeenCarriedOut) {
			return [`The gateway gave up on the request (status ${status})`, unclearAdvice(facts)];
		}
		const unexplained =
			status < 300
				? 'The gateway reports a failure, but gives no reason'
				: `The gateway rejected the request (status ${status})`;
		const advice =
			limitAdvice(facts) ??
			`Check the parameters of this item, then run it again.${pickerAdvice(facts, namesModel)}`;
		return [gatewayMessage ? 'The gateway rejected the request' : unexplained, advice];
	},
	rateLimit: ({ attempts }) => [
		`The rate limit of the gateway is reached${effectOf(attempts)}`,
		'Run the remaining items later, set Requests per Minute in the credential to the limit of your account, or increase Max Rate Limit Retries in Limits and Retries to wait longer.',
	],
	gateway: (facts) => {
		const tried = `(status ${facts.status}, tried ${times(facts.attempts)})`;
		return facts.mayHaveBeenCarriedOut
			? [`The gateway, or a proxy in front of it, gave up on the request ${tried}`, unclearAdvice(facts)]
			: [
					`The gateway is temporarily unavailable ${tried}`,
					'Run the item again in a few minutes. If the problem continues, contact the operator of the gateway.',
				];
	},
	address: (facts) => [
		'The gateway redirects this request to another address',
		facts.mayHaveBeenCarriedOut
			? unclearAdvice(facts)
			: 'The API key is sent only to the addresses in the credential. If the new address belongs to your gateway, enter it as Base URL.',
	],
};

/** The status with which a proxy asks for its user name and password. */
export const PROXY_SIGN_IN = 407;

const TOO_LARGE: Words = (facts) => [
	`The request is too large for the gateway (status ${facts.status})`,
	limitAdvice(facts) ??
		'Shorten the text or the headers, or use fewer or smaller files. If a proxy in front of the gateway sets the limit, ask its operator to raise it.',
];

const STATUS_WORDS: Record<number, Words> = {
	402: ({ status }) => [
		`The account does not have enough credit for this request (status ${status})`,
		'Add credit in the console of your gateway, or select a cheaper model, then run the item again.',
	],
	[PROXY_SIGN_IN]: ({ status }) => [
		`The proxy of this n8n requires a user name and a password (status ${status})`,
		'This n8n sends requests through a proxy. Enter both in HTTP_PROXY and HTTPS_PROXY in its environment, as in http://user:password@proxy.example.com:3128, or add the host of the gateway to NO_PROXY. Then restart n8n.',
	],
	// The body, the address, or the headers are too long.
	413: TOO_LARGE,
	414: TOO_LARGE,
	431: TOO_LARGE,
};

/** A failure for a web page where data should be: most likely, the address is not that of the gateway's API. */
export function webPageFailure(url: string, facts: FailureFacts): GatewayFailure {
	const { status = 200 } = facts;
	return new GatewayFailure(
		'address',
		`${new URL(url).hostname} answered with a web page instead of data${status < 300 ? '' : ` (status ${status})`}`,
		'Check Base URL in the credential: it must be the API address of the gateway (for example https://gateway.example.com), not the address of its web console. If the address is correct, a proxy or sign-in page is in the way.',
		facts,
	);
}

/** A failure for a web page with a status that is not a success: it comes from whatever is in front of the gateway. */
export function failingPageFailure(
	url: string,
	facts: FailureFacts & { status: number },
	namesModel: boolean,
): GatewayFailure {
	const { status, mayHaveBeenCarriedOut } = facts;
	const kind = kindOfStatus(status);
	if (kind === 'notFound') return webPageFailure(url, facts);
	const isFromProxy = (kind === 'request' || kind === 'permission') && !(status in STATUS_WORDS);
	if (!isFromProxy || mayHaveBeenCarriedOut) return statusFailure(facts, namesModel);
	return new GatewayFailure(
		kind,
		`A proxy or firewall in front of ${new URL(url).hostname} rejected the request (status ${status})`,
		`The response is a web page, not a message from the gateway. Ask the operator of the gateway or of your network whether this n8n may send such requests. ${NOT_CARRIED_OUT}`,
		facts,
	);
}

function times(attempts = 1): string {
	return attempts === 1 ? 'once' : `${attempts} times`;
}

/** What became of an item at a limit, as the end of a sentence. */
export function effectOf(attempts: number | undefined): string {
	return attempts === 0 ? ', so this item was not sent' : ` (tried ${times(attempts)})`;
}
