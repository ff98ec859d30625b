import { asRecord } from '../plain/values';
import type { FailureFacts } from './gatewayFailure';

/** The statuses of errors (interface, section 7), and of those that comparable services name, by their code and type. */
const STATUSES: Array<[RegExp, number]> = [
	[/rate_?limit|too_many_requests|resource_exhausted|throttl/, 429],
	[/overloaded/, 529],
	[/unavailable/, 503],
	[/timeout|deadline_exceeded/, 504],
	[/(server|api|internal)_error|^internal\b/, 500],
	[/api_?key|authentication|unauth(ori[sz]ed|enticated)/, 401],
	[/billing|quota|insufficient_(balance|funds|credit)/, 402],
	[/permission|forbidden/, 403],
	[/not_(found|exist)/, 404],
	[/too_large/, 413],
	[/invalid_?(request|argument|param|value)|bad_request|validation/, 400],
];

/** The status that the code or the type of an error stands for; undefined for words of the gateway's own. */
export function statusOfError({ code = '', type = '' }: FailureFacts): number | undefined {
	if (/^[45]\d\d$/.test(code)) return Number(code);
	const words = inSnakeCase(`${code} ${type}`);
	return STATUSES.find(([pattern]) => pattern.test(words))?.[1];
}

/** Codes that say more than the status, by the statuses that gateways send them with. */
const CLEARER: Array<[(status: number) => boolean, RegExp, number]> = [
	// A gateway without a channel for a model calls itself unavailable.
	[
		(status) => status >= 500,
		/model_not_(found|exist)|no_such_model|unknown_model|no_available_channel|get_channel_failed/,
		404,
	],
	// A gateway that is busy says so with its status, whatever it calls the error.
	[(status) => status >= 500 && status !== 503 && status !== 529, /invalid_request/, 400],
	// ElevenLabs answers 401 for both.
	[(status) => status === 401 || status === 403, /quota|balance|credit|billing/, 402],
	[(status) => status === 401, /max_character_limit_exceeded/, 400],
];

/**
 * Codes that mean "no credit", which no waiting brings: of OpenAI, New API, Moonshot, Volcengine, DashScope, Zhipu,
 * ElevenLabs, LiteLLM, Recraft, and Tencent. OpenRouter has the number 402.
 */
const NO_CREDIT_CODES =
	/insufficient_(\w+_)?(quota|balance|funds|credit)|not_enough_(credit|balance)|billing_(hard_limit|not_active)|exceeded_current_quota|^quota_exceeded|budget_exceeded|overdue|arrearage|charge_resource_exhaust|\b(1113|402)\b/;
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
	/^服务器出错了.{0,9}(Cannot convert undefined|Invalid time value|URI malformed|Text too long|unsupported type|.{0,20}失败: 40[04]\b)/;

/** The status that a failed response stands for: mostly its own. */
export function meantStatus(
	status: number,
	{ code = '', type = '', gatewayMessage = '' }: FailureFacts,
): number {
	const words = inSnakeCase(`${code} ${type}`);
	if (NO_CREDIT_CODES.test(words) || NO_CREDIT_WORDS.test(gatewayMessage)) return 402;
	if (status === 500 && CANNOT_HANDLE_VALUE.test(gatewayMessage)) return 400;
	const clearer = CLEARER.find(([fits, pattern]) => fits(status) && pattern.test(words));
	return clearer?.[2] ?? status;
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

/** Words of status 500 that say that the model has answered, and something after it has failed. */
const AFTER_THE_WORK = [
	/\b(failed|unable|could ?n[o']t|cannot|error|problem) (to |in |while |when )?(upload|stor(e|ing)|sav(e|ing)|persist)/i,
	/\b(upload|storage|saving|storing)( of)?( the)?( \S{1,40}){0,4} (has )?failed\b/i,
	/\bno( \w{1,20}){1,3} (was |were )?(found )?in( the)?( \w{1,20})? (response|answer|reply)\b/i,
	/\b(response|answer|reply)( of the model)? (contain(s|ed)|ha[sd]) no\b/i,
	/\bempty (response|answer|reply)\b|\b(response|answer|reply)( of the model)? (is|was) empty\b/i,
	/\b(read_response_body_failed|bad_response_body|empty_response)\b/i,
];

/** Whether a failed answer says that the model was asked, and so is paid for, although no result arrived. */
export function saysWorkWasDone(status: number, facts: FailureFacts): boolean {
	if (documentedReason(facts) !== undefined) return true;
	const words = [facts.gatewayMessage, facts.code, facts.type].join('\n');
	return status === 500 && AFTER_THE_WORK.some((pattern) => pattern.test(words));
}

/** Whether a response, or an event of a stream, reports tokens of output, in any of the three chat formats. */
export function hasOutputTokens(body: unknown): boolean {
	const { usage, usageMetadata } = asRecord(body) ?? {};
	const { completion_tokens: ofChat, output_tokens: ofMessage } = asRecord(usage) ?? {};
	const counts = [ofChat, ofMessage, asRecord(usageMetadata)?.candidatesTokenCount];
	return counts.some((count) => Number(count) > 0);
}

function inSnakeCase(words: string): string {
	return words
		.replace(/([a-z])([A-Z])/g, '$1_$2')
		.replace(/[- ](?=\w)/g, '_')
		.toLowerCase();
}
