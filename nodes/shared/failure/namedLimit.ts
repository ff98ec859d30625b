import type { FailureFacts } from './evidence';

/** The largest request that a gateway accepts, in its own words. */
export interface NamedLimit {
	most: number;
	/** `entries` are those of a list, such as the texts of a batch. */
	unit: 'characters' | 'bytes' | 'tokens' | 'pages' | 'entries';
}

const UNITS: Array<[NamedLimit['unit'], RegExp]> = [
	['entries', /\b(array|batch|list|texts|inputs|documents|items)\b|批|条/i],
	['bytes', /bytes|字节/i],
	['pages', /\bpages\b|页/i],
	['tokens', /tokens/i],
	['characters', /char|string|length|long|字|长/i],
];

/** The words before a limit, and the limit. A bracket between them is the place of a text: "inputs[0]". */
const LIMIT =
	/(?:at most|up to|max|limit|than|exceed|>|超过|最大|最多|最长|上限)[^\d.;。；[(]{0,60}([1-9][\d,]{0,11})(k?)/i;

/** Matches what a model may write, which says nothing about the size of the request. */
const ABOUT_OUTPUT = /max_?\w*tokens|completion tokens|output tokens/i;

/**
 * The limit of the size of a request, in the words of OpenAI ("a string with maximum length 4096"), Google ("longer
 * than the limit of 5000 bytes"), ElevenLabs ("exceeds the character limit of 2500 characters"), Anthropic ("210000
 * tokens > 200000 maximum"), and DashScope ("batch size is invalid, it should not be larger than 10").
 */
export function namedLimit({ gatewayMessage = '' }: FailureFacts): NamedLimit | undefined {
	const found = LIMIT.exec(gatewayMessage);
	const unit = UNITS.find(([, name]) => name.test(gatewayMessage))?.[0];
	if (!found || !unit || ABOUT_OUTPUT.test(gatewayMessage)) return undefined;
	const [, digits, thousands] = found;
	return { most: Number(digits.replaceAll(',', '')) * (thousands === '' ? 1 : 1000), unit };
}

/** Says what to do about the limit that a gateway names; undefined if it names none. */
export function limitAdvice(facts: FailureFacts): string | undefined {
	const limit = namedLimit(facts);
	if (!limit) return undefined;
	const amount = limit.most.toLocaleString('en-US');
	return `The gateway accepts at most ${amount} ${limit.unit} here. Shorten what you send, then run the item again.`;
}
