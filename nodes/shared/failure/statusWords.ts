import type { FailureFacts } from './evidence';
import { kindOfStatus } from './kinds';
import { durationInWords } from '../plain/inWords';

/** The facts that the words for a failing status need. */
interface FailedStatus {
	/** The status that the response stands for. */
	status: number;
	facts: FailureFacts;
	/** True if the gateway may have carried the request out. */
	isUnclear: boolean;
	/** True if the request names a model, which the gateway may not have. */
	namesModel: boolean;
	/** The time that the gateway asks to wait, in milliseconds. */
	waitMs?: number;
}

/** Says what happened, and what to do next. */
export type Words = [message: string, advice: string];

/** Adds the words of the gateway, if there are any, to a message. */
export function withGatewayWords(message: string, { gatewayMessage }: FailureFacts): string {
	return gatewayMessage ? `${message}: ${gatewayMessage}` : message;
}

/** The words for a response with a failing status, or with an error that stands for one. */
export function wordsOfStatus(failed: FailedStatus): Words {
	const wordsFor = STATUS_WORDS[failed.status] ?? WORDS[kindOfStatus(failed.status)];
	const [message, advice] = wordsFor(failed);
	return [withGatewayWords(message, failed.facts), advice];
}

type WordsFor = (failed: FailedStatus) => Words;

const ABOUT_VOICE = /voice|音色/i;

/** Advice for a request that names a model, if the gateway's words are about something that is chosen from a list. */
function pickerAdvice({ facts: { gatewayMessage = '' }, namesModel }: FailedStatus): string {
	if (!namesModel) return '';
	if (ABOUT_VOICE.test(gatewayMessage)) return ' If the voice is the problem, select Voice from the list.';
	return /model|模型/i.test(gatewayMessage)
		? ' If the model is the problem, select Model from the list (IDs are case-sensitive).'
		: '';
}

const WORDS: Record<ReturnType<typeof kindOfStatus>, WordsFor> = {
	authentication: () => [
		'The gateway did not accept the API key',
		'Open the credential, enter the API Key again, and test it. The key may be mistyped, expired, deleted, or for a different gateway than the one in Base URL.',
	],
	permission: ({ facts: { status }, namesModel }) => [
		`The API key is not allowed to make this request (status ${status})`,
		`In the console of your gateway, check ${namesModel ? 'that the key may use this model' : 'what the key may do'} and that the account has credit left.`,
	],
	notFound: (failed) => {
		const { status, gatewayMessage = '' } = failed.facts;
		const { namesModel } = failed;
		// ElevenLabs: voice_not_found.
		const aboutVoice = ABOUT_VOICE.test(gatewayMessage) ? pickerAdvice(failed) : '';
		return [
			`The gateway has no such address${namesModel ? ' or model' : ''} (status ${status})`,
			namesModel
				? `Select the model from the list (IDs are case-sensitive), and check Base URL in the credential: nothing may follow "/v1" in it.${aboutVoice}`
				: 'Check Base URL in the credential: nothing may follow "/v1" in it. If it is correct, your gateway does not have this operation.',
		];
	},
	request: (failed) => {
		const { facts, isUnclear } = failed;
		const { gatewayMessage, status = 0 } = facts;
		if (isUnclear) return [`The gateway gave up on the request (status ${status})`, ''];
		const unexplained =
			status < 300
				? 'The gateway reports a failure, but gives no reason'
				: `The gateway rejected the request (status ${status})`;
		const advice =
			limitAdvice(facts) ?? `Check the parameters of this item, then run it again.${pickerAdvice(failed)}`;
		return [gatewayMessage ? 'The gateway rejected the request' : unexplained, advice];
	},
	rateLimit: ({ facts: { attempts } }) => [
		`The rate limit of the gateway is reached${effectOf(attempts)}`,
		'Run the remaining items later, set Requests per Minute (Advanced Settings of the credential) to the limit of your account, or increase Max Rate Limit Retries in Limits and Retries to wait longer.',
	],
	gateway: ({ facts, isUnclear, waitMs }) => {
		const tried = `(status ${facts.status}, tried ${times(facts.attempts)})`;
		const when = waitMs === undefined ? 'later' : `in ${durationInWords(waitMs)}, as the gateway asks`;
		return isUnclear
			? [`The gateway, or a proxy in front of it, gave up on the request ${tried}`, '']
			: [
					`The gateway is temporarily unavailable ${tried}`,
					`Run the item again ${when}. If the problem continues, contact the operator of the gateway.`,
				];
	},
	address: ({ isUnclear }) => [
		'The gateway redirects this request to another address',
		isUnclear
			? ''
			: 'If the new address belongs to your gateway, enter it as Base URL. The API key is sent only to the addresses in the credential.',
	],
};

/** The status with which a proxy asks for its user name and password. */
export const PROXY_SIGN_IN = 407;

const TOO_LARGE: WordsFor = ({ facts }) => [
	`The request is too large for the gateway (status ${facts.status})`,
	limitAdvice(facts) ??
		'Shorten the text or the headers, or use fewer or smaller files. If a proxy in front of the gateway sets the limit, ask its operator to raise it.',
];

const NOT_SUPPORTED: WordsFor = ({ facts: { status } }) => [
	`The gateway does not support this request (status ${status})`,
	'Check Base URL in the credential. If it is correct, your gateway does not have this operation, or not with these options.',
];

const STATUS_WORDS: Record<number, WordsFor> = {
	402: ({ facts: { status }, namesModel }) => [
		`The account does not have enough credit for this request (status ${status})`,
		`Add credit in the console of your gateway${namesModel ? ', or select a cheaper model' : ''}, then run the item again.`,
	],
	[PROXY_SIGN_IN]: ({ facts: { status } }) => [
		`The proxy of this n8n requires a user name and a password (status ${status})`,
		'This n8n sends requests through a proxy. Enter both in HTTP_PROXY and HTTPS_PROXY in its environment, as in http://user:password@proxy.example.com:3128, or add the host of the gateway to NO_PROXY. Then restart n8n.',
	],
	501: NOT_SUPPORTED,
	505: NOT_SUPPORTED,
	511: ({ facts: { status } }) => [
		`The network of this n8n requires a sign-in (status ${status})`,
		'Ask the operator of the network whether this n8n may send requests to the internet, then run the item again.',
	],
	// The body, the address, or the headers are too long.
	413: TOO_LARGE,
	414: TOO_LARGE,
	431: TOO_LARGE,
};

/**
 * The words for a web page in place of data, which comes from something in front of the gateway, or from another
 * server. Undefined for a status that has its own words.
 */
export function wordsOfWebPage(url: string, { status, facts, isUnclear }: FailedStatus): Words | undefined {
	const kind = kindOfStatus(status);
	const { hostname } = new URL(url);
	if (status < 300 || kind === 'notFound') {
		return [
			`${hostname} answered with a web page instead of data${status < 300 ? '' : ` (status ${facts.status})`}`,
			'Check Base URL in the credential: it must be the API address of the gateway (for example https://gateway.example.com), not the address of its web console. If the address is correct, a proxy or sign-in page is in the way.',
		];
	}
	const isFromProxy = (kind === 'request' || kind === 'permission') && !(status in STATUS_WORDS);
	if (!isFromProxy || isUnclear) return undefined;
	return [
		`A proxy or firewall in front of ${hostname} rejected the request (status ${facts.status})`,
		'The response is a web page, not a message from the gateway. Ask the operator of the gateway or of your network whether this n8n may send such requests.',
	];
}

/** Says how often, as in “tried once”. */
export function times(attempts = 1): string {
	return attempts === 1 ? 'once' : `${attempts} times`;
}

/** Says what became of an item at a limit, as the end of a sentence. */
export function effectOf(attempts: number | undefined): string {
	return attempts === 0 ? ', so this item was not sent' : ` (tried ${times(attempts)})`;
}

/** The largest request that a gateway accepts, according to its own words. */
export interface NamedLimit {
	most: number;
	/** `entries` are those of a list, such as the texts of a batch. */
	unit: 'characters' | 'bytes' | 'tokens' | 'pages' | 'entries';
}

const UNITS: Array<[NamedLimit['unit'], RegExp]> = [
	// Voyage: "max allowed tokens per submitted batch". Mistral (semantic-router#297): "Too many tokens in batch".
	['tokens', /\btokens (per|in)\b/i],
	['entries', /\b(array|batch|list|texts|inputs|documents|items)\b|批|条/i],
	['bytes', /bytes|字节/i],
	['pages', /\bpages\b|页/i],
	// NVIDIA NIM (langchain-nvidia#20): "exceeds maximum allowed token size 512". Vertex AI: "the input token count is …".
	['tokens', /tokens|token (limit|size|count)/i],
	['characters', /char|string|length|long|字|长/i],
];

const unitIn = (words: string) => UNITS.find(([, name]) => name.test(words))?.[0];

/** Matches the words before a limit, and the limit. A number in brackets is an index instead: "inputs[0]". */
const LIMIT =
	/(?:at most|up to|max|limit|than|exceed|>|超过|最大|最多|最长|上限)[^\d.;。；[(]{0,60}([1-9][\d,]{0,11})(k?)/i;
/** Matches a size and the limit that it exceeds, after which a sentence may also say "5 MB". */
const COMPARED = /\d[^\d.;。；[(]{0,40}>[^\d.;。；[(]{0,60}([1-9][\d,]{0,11})(k?)/i;

/** Matches the units of recordings and files (TTS-Audio-Suite#201: "Input audio too long: 49.20s (maximum: 30s)"). */
const OTHER_UNIT = /^\s?((s|sec|second|min|minute)s?$|[kmg]?i?b$|秒|分钟)/i;

/** Matches limits of what a model writes, which say nothing about the size of the request. */
const ABOUT_OUTPUT = /max_?\w*tokens|completion tokens|output tokens/i;

/**
 * Reads the largest size of a request from the words of OpenAI ("a string with maximum length 4096"), Google ("longer
 * than the limit of 5000 bytes"), ElevenLabs ("exceeds the character limit of 2500 characters"), Anthropic ("210000
 * tokens > 200000 maximum"), and DashScope ("batch size is invalid, it should not be larger than 10").
 */
export function namedLimit({ gatewayMessage = '' }: FailureFacts): NamedLimit | undefined {
	const found = COMPARED.exec(gatewayMessage) ?? LIMIT.exec(gatewayMessage);
	if (!found || ABOUT_OUTPUT.test(gatewayMessage)) return undefined;
	const [all, digits, thousands] = found;
	// TEI (#356, #394) names the list before the limit, but its unit after it: "`inputs` must have less than 512 tokens".
	const next = /^\s?\p{L}+/u.exec(gatewayMessage.slice(found.index + all.length))?.[0] ?? '';
	const unit = unitIn(next) ?? unitIn(gatewayMessage);
	if (!unit || OTHER_UNIT.test(next)) return undefined;
	return { most: Number(digits.replaceAll(',', '')) * (thousands === '' ? 1 : 1000), unit };
}

function limitAdvice(facts: FailureFacts): string | undefined {
	const limit = namedLimit(facts);
	if (!limit) return undefined;
	const amount = limit.most.toLocaleString('en-US');
	return `The gateway accepts at most ${amount} ${limit.unit} here. Shorten what you send, then run the item again.`;
}
