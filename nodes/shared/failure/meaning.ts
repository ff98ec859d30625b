import { asRecord } from '../plain/values';
import { plainName } from './errorBody';
import type { FailureFacts } from './failure';

/** The statuses of errors (interface, section 7), and of those that comparable services name, by their code and type. */
const STATUSES: Array<[RegExp, number]> = [
	[/ratelimit|toomanyrequests|resourceexhausted/, 429],
	[/overloaded/, 529],
	[/unavailable/, 503],
	[/timeout/, 504],
	[/servererror|apierror|internal/, 500],
	[/apikey|authentication|unauth/, 401],
	[/billing|quota|insufficient/, 402],
	[/permission|forbidden/, 403],
	[/notfound|notexist/, 404],
	[/toolarge/, 413],
	[/invalid|badrequest|validation/, 400],
];

/** The status that the code or the type of an error stands for; undefined for words of the gateway's own. */
export function statusOfError({ code = '', type = '' }: FailureFacts): number | undefined {
	if (/^[45]\d\d$/.test(code)) return Number(code);
	const words = plainName(code + type);
	return STATUSES.find(([pattern]) => pattern.test(words))?.[1];
}

/** A gateway without a channel for a model calls itself unavailable. */
const NO_MODEL = /modelnotfound|modelnotexist|noavailablechannel|getchannelfailed/;

/**
 * Codes that mean "no credit", which no waiting brings: of OpenAI, New API, Moonshot, Volcengine, DashScope,
 * ElevenLabs, LiteLLM, and Tencent.
 */
const NO_CREDIT_CODES =
	/insufficient\w*(quota|balance|funds|credit)|notenough(credit|balance)|billing(hardlimit|notactive)|exceededcurrentquota|^quotaexceeded|budgetexceeded|overdue|arrearage|chargeresourceexhaust/;
/** Numbers that mean the same: of Zhipu, and of OpenRouter. */
const NO_CREDIT_NUMBERS = ['1113', '402'];
/**
 * The same in words: of Anthropic, xAI, ElevenLabs, fal, SiliconFlow, Stability AI, Suno API, Fireworks, Portkey, and
 * New API. "You exceeded your current quota" is also what Gemini says about a limit per minute.
 */
const NO_CREDIT_WORDS = new RegExp(
	[
		'(insufficient|(not?|n.t)( have)?( any| enough| sufficient)|lacks? sufficient|exhausted) (account )?(balance|credits?|funds)\\b',
		'(balance|credits?|funds) (is|are|has been) (too low|insufficient|exhausted|not enough)',
		'insufficient quota|quota is not enough|exceeds your quota|out of credits?|all available credits|credit limit (reached|exceeded)',
		'(monthly|hard) spending limit|budget (has been |is )?(exceeded|exhausted)|over budget',
		'余额(已)?(不足|用尽|用完)|余量(已)?(不足|用尽|用完)|欠费|额度(不足|已?用尽|失败)',
	].join('|'),
	'i',
);

/**
 * How the service behind the utilities reports a value that it cannot handle, such as an unknown currency (recorded).
 */
const CANNOT_HANDLE_VALUE =
	/服务器出错了.*(Cannot convert undefined|Invalid time value|URI malformed|Text too long|unsupported type|失败: 40[04])/;

/** The status that a failed response stands for: mostly its own. */
export function meantStatus(
	status: number,
	{ code = '', type = '', gatewayMessage = '' }: FailureFacts,
): number {
	const words = plainName(code + type);
	if (NO_CREDIT_NUMBERS.includes(code) || NO_CREDIT_CODES.test(words)) return 402;
	if (NO_CREDIT_WORDS.test(gatewayMessage)) return 402;
	if (status >= 500 && NO_MODEL.test(words)) return 404;
	// ElevenLabs answers 401 for all of these.
	if ([401, 403].includes(status) && /quota|balance|credit|billing/.test(words)) return 402;
	if (status === 401 && words.includes('maxcharacterlimit')) return 400;
	const isInvalid = words.includes('invalidrequest') || CANNOT_HANDLE_VALUE.test(gatewayMessage);
	return status === 500 && isInvalid ? 400 : status;
}

/** Documented messages of a response without an image (interface, section 7). With any status, the model was asked before. */
export const NO_IMAGE = 'no base64 image found in response';
export const NOT_UPLOADED = 'failed to upload image';
/** Most likely, the safety filter of the model would reject the same request again. */
export const NO_CHOICES = 'chat response contains no choices';

/** The documented message that a failure contains. */
export function documentedReason({ gatewayMessage = '' }: FailureFacts): string | undefined {
	const words = gatewayMessage.toLowerCase();
	return [NO_IMAGE, NOT_UPLOADED, NO_CHOICES].find((message) => words.includes(message));
}

/** Words of status 500 for what happens after the model has answered, and codes of New API. */
const AFTER_THE_WORK =
	/\b(upload|store|storing|storage|save|saving|persist)|\bno .*\bin .*(response|answer|reply)|empty[ _](response|answer|reply)|read_response_body_failed|bad_response_body/i;

/** Whether a failed answer says that the model was asked, and so is paid for, although no result arrived. */
export function saysWorkWasDone(status: number, facts: FailureFacts): boolean {
	if (documentedReason(facts) !== undefined) return true;
	const words = [facts.gatewayMessage, facts.code, facts.type].join('\n');
	return status === 500 && AFTER_THE_WORK.test(words);
}

/** Whether a response, or an event of a stream, reports tokens of output, in any of the three chat formats. */
export function hasOutputTokens(body: unknown): boolean {
	const { usage, usageMetadata, x_groq: groq } = asRecord(body) ?? {};
	const { completion_tokens: ofChat, output_tokens: ofMessage } =
		asRecord(usage ?? asRecord(groq)?.usage) ?? {};
	const { candidatesTokenCount, thoughtsTokenCount } = asRecord(usageMetadata) ?? {};
	const counts = [ofChat, ofMessage, candidatesTokenCount, thoughtsTokenCount];
	return counts.some((count) => Number(count) > 0);
}
