import type { FailureFacts } from './gatewayFailure';

/** The largest request that a gateway accepts, in its own words. */
export interface NamedLimit {
	most: number;
	/** `entries` are those of a list, such as the texts of a batch. */
	unit: 'characters' | 'bytes' | 'tokens' | 'pages' | 'entries';
}

const UNITS: Array<[NamedLimit['unit'], RegExp]> = [
	['entries', /\b(array|batch|list|(text|input|document|item|request|entr(y|ie))s)\b|批|条/i],
	['pages', /\bpages?\b|页/i],
	['bytes', /\bbytes?\b|字节/i],
	['tokens', /\btokens?\b/i],
	['characters', /\b(char(acter)?s?|string|length|long)\b|字|长/i],
];

/** The words before a limit, and those after one. */
const BEFORE =
	/(?:\bat most|\bup to|\bmax(?:imum)?|\blimit|\b(?:longer|more|greater|larger|less|fewer) than|\bexceed(?:s|ed|ing)?|>|超过|最[大多长]|上限)[^\d.;。；]{0,60}?(\d[\d,]{0,11})(k?)/i;
const AFTER =
	/(\d[\d,]{0,11})(k?)\s?(?:characters?|chars?|bytes?|tokens?|pages?|个?字符?|字节)\s?(?:limit|max|以内|的?限制)/i;

/** What a model may write, which says nothing about the size of the request. */
const ABOUT_OUTPUT = /\bmax_?(\w{1,20}_)?(output)?tokens\b|\b(completion|output) tokens?\b/i;

/**
 * The limit of the size of a request, in the words of OpenAI ("a string with maximum length 4096"), Google ("longer
 * than the limit of 5000 bytes"), ElevenLabs ("exceeds the character limit of 2500 characters"), Anthropic ("210000
 * tokens > 200000 maximum"), and DashScope ("batch size is invalid, it should not be larger than 10").
 */
export function namedLimit({ gatewayMessage = '' }: FailureFacts): NamedLimit | undefined {
	if (ABOUT_OUTPUT.test(gatewayMessage)) return undefined;
	const found = BEFORE.exec(gatewayMessage) ?? AFTER.exec(gatewayMessage);
	if (!found) return undefined;
	const [words, digits, thousands] = found;
	const end = found.index + words.length;
	// The unit is right after the number, or somewhere before it.
	const [next] = /^\s?\p{Script=Han}{0,3}(?:[a-z]+\s?){0,2}/iu.exec(gatewayMessage.slice(end))!;
	const unitOf = (text: string) => UNITS.find(([, name]) => name.test(text))?.[0];
	const unit = unitOf(next) ?? unitOf(gatewayMessage.slice(0, end));
	const most = Number(digits.replaceAll(',', '')) * (thousands === '' ? 1 : 1000);
	return unit && most > 0 ? { most, unit } : undefined;
}

const ADVICE: Record<NamedLimit['unit'], string> = {
	characters: 'Shorten the text',
	bytes: 'Shorten the text',
	tokens: 'Shorten the text, or select a model that accepts more',
	pages: 'Use a file with fewer pages',
	entries: 'Send fewer at once',
};

/** What to do about the limit that a gateway names; undefined if it names none. */
export function limitAdvice(facts: FailureFacts): string | undefined {
	const limit = namedLimit(facts);
	if (!limit) return undefined;
	const amount = limit.most.toLocaleString('en-US');
	return `The gateway accepts at most ${amount} ${limit.unit} here. ${ADVICE[limit.unit]}, then run the item again.`;
}
