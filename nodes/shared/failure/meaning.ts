import { plainName } from './errorBody';
import type { FailureFacts } from './evidence';

/** The words of a response by which a status is told from another one. */
interface Said {
	/** Code and type of the error, with plain names. */
	name: string;
	code: string;
	type: string;
	words: string;
}

/** A response that stands for another status than its own. */
interface Meaning {
	/** The statuses that it comes with. */
	with: (status: number) => boolean;
	when: (said: Said) => boolean;
	means: number | 'its code';
	source: string;
}

const any = () => true;
const isSuccess = (status: number) => status < 300;
const isOneOf = (...statuses: number[]) => statuses.includes.bind(statuses);
const named = (pattern: RegExp) => (said: Said) => pattern.test(said.name);
const says = (pattern: RegExp) => (said: Said) => pattern.test(said.words);
const numbered = (code: string) => (said: Said) => said.type === 'base_resp' && said.code === code;

/**
 * The same as "no credit" in words. "You exceeded your current quota" is also what Gemini says about a limit per
 * minute.
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

/** Matches how services name a rate limit. */
const LIMIT_NAMES = /ratelimit|toomanyrequests|throttl/;
const LIMIT_WORDS =
	/ThrottlingException|TooManyRequestsException|\brate_limit_(exceeded|error)\b|\btoo many requests\b/i;

/** Matches Google's reasons for withholding an image (jeffstric/ZJT#494, with status 500). */
const WITHHELD = /\bIMAGE_(SAFETY|PROHIBITED_CONTENT|RECITATION)\b/;

/** Decides what a response stands for: the first row that fits. A response that fits none stands for its own status. */
export const MEANINGS: Meaning[] = [
	{
		with: any,
		when: ({ code }) => ['1113', '402'].includes(code),
		means: 402,
		source: 'Zhipu: code 1113; OpenRouter: code 402',
	},
	{
		with: any,
		when: named(
			/insufficient\w*(quota|balance|funds|credit)|notenough(credit|balance)|billing(hardlimit|notactive)|exceededcurrentquota|^quotaexceeded|budgetexceeded|overdue|arrearage|chargeresourceexhaust/,
		),
		means: 402,
		source:
			'Codes for "no credit", which no waiting brings: OpenAI, New API, Moonshot, Volcengine, DashScope, ElevenLabs, LiteLLM, Tencent',
	},
	{
		with: any,
		when: says(NO_CREDIT_WORDS),
		means: 402,
		source:
			'Anthropic, xAI, ElevenLabs, fal, SiliconFlow, Stability AI, Suno API, Fireworks, Portkey, New API, in words',
	},
	{
		with: isSuccess,
		when: ({ code }) => /^[45]\d\d$/.test(code),
		means: 'its code',
		source: 'New API, OpenRouter, and others: the status of the response is inside its body',
	},
	{
		with: isOneOf(400, 403),
		when: (said) => LIMIT_NAMES.test(said.name) || LIMIT_WORDS.test(said.words),
		means: 429,
		source:
			'Bedrock behind gateways (anthropic-sdk-python #940, litellm #589): 400 ThrottlingException; OpenAI-like: 403 rate_limit_error',
	},
	{
		with: any,
		when: says(/\bopen api (qps )?request limit reached/i),
		means: 429,
		source:
			'Baidu, error_code 4 and 18 (cloud.baidu.com/doc/WENXINWORKSHOP/s/tlmyncueh): One API passes it on with status 200, New API with 500 and bad_response_body',
	},
	{
		with: (status) => status >= 500,
		when: named(/modelnotfound|modelnotexist|noavailablechannel|getchannelfailed/),
		means: 404,
		source: 'New API: a gateway without a channel for a model calls itself unavailable',
	},
	{
		with: isOneOf(401, 403),
		when: named(/quota|balance|credit|billing/),
		means: 402,
		source: 'ElevenLabs: 401 for all of these',
	},
	{
		with: isOneOf(430),
		when: any,
		means: 429,
		source: 'Suno API, inside status 200: "Your call frequency is too high" (docs.sunoapi.org)',
	},
	{
		with: isOneOf(401),
		when: named(/maxcharacterlimit/),
		means: 400,
		source: 'ElevenLabs: 401 with max_character_limit_exceeded',
	},
	{
		with: isOneOf(500),
		when: named(/invalidrequest/),
		means: 400,
		source: 'Gateways of this family: a validation fault surfaces as 500 invalid_request',
	},
	{
		with: (status) => status >= 500,
		when: (said) => /sensitiveword|contentpolicy|contentfilter/.test(said.name) || WITHHELD.test(said.words),
		means: 400,
		source: 'New API (#4499): 500 sensitive_words_detected; what a filter rejects, it would reject again',
	},
	{
		with: isOneOf(500),
		when: says(
			/服务器出错了.*(Cannot convert undefined|Invalid time value|URI malformed|Text too long|unsupported type|失败: 40[04])/,
		),
		means: 400,
		source:
			'The service behind the utilities (recorded): a value that it cannot handle, such as an unknown currency',
	},
	// An error inside status 200 stands for the status that its code or its type names.
	...(
		[
			[/ratelimit|toomanyrequests|throttl|resourceexhausted/, 429],
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
		] as Array<[RegExp, number]>
	).map(([pattern, means]) => ({
		with: isSuccess,
		when: named(pattern),
		means,
		source: 'Interface, section 7, and the codes and types of comparable services',
	})),
	...Object.entries({ 1002: 429, 1039: 429, 1041: 429, 2045: 429, 1004: 401, 2049: 401, 1008: 402 }).map(
		([code, means]) => ({
			with: isSuccess,
			when: numbered(code),
			means,
			source:
				'MiniMax, base_resp (its table of error codes): too many requests, tokens, or connections, or too many more at once, a wrong key, no balance',
		}),
	),
];

/** The status that a response stands for: mostly its own. An error inside status 200 stands for another one. */
export function statusMeant(
	status: number,
	{ code = '', type = '', gatewayMessage = '' }: FailureFacts,
): number {
	const said = { name: plainName(code + type), code, type, words: gatewayMessage };
	const row = MEANINGS.find((one) => one.with(status) && one.when(said));
	if (!row) return status;
	const means = row.means === 'its code' ? Number(code) : row.means;
	return isSuccess(status) ? statusMeant(means, { code, type, gatewayMessage }) : means;
}

/** Documented messages of a response without an image (interface, section 7). With any status, the model was asked before. */
export const NO_IMAGE = 'no base64 image found in response';
export const NOT_UPLOADED = 'failed to upload image';
/** Most likely, the safety filter of the model would reject the same request again. */
export const NO_CHOICES = 'chat response contains no choices';

/** The documented message that a failure contains, or stands for. */
export function documentedReason({ gatewayMessage = '' }: FailureFacts): string | undefined {
	if (WITHHELD.test(gatewayMessage)) return NO_CHOICES;
	const words = gatewayMessage.toLowerCase();
	return [NO_IMAGE, NOT_UPLOADED, NO_CHOICES].find((message) => words.includes(message));
}

/**
 * Words of status 500 for what happens after the model has answered, also in Chinese (upload as in the interface, section
 * 7; storage as in jackiechangmm/new-api, controller/canvas_image.go), and codes of New API (bad_response if it cannot
 * download an image that it has made: relay/channel/replicate/adaptor.go) and of One API (copy_response_body_failed and
 * others: relay/controller/audio.go).
 */
const AFTER_THE_WORK =
	/\b(upload|store|storing|storage|save|saving|persist)|\bno .*\bin .*(response|answer|reply)|empty[ _](response|answer|reply)|(上传|转存|存储).*失败|\bbad_response\b|_response_body/i;

/** Tells whether an error says that the model was asked, and so is paid for, although no result arrived. */
export function saysWorkWasDone(status: number, facts: FailureFacts): boolean {
	if (documentedReason(facts) !== undefined) return true;
	const words = [facts.gatewayMessage, facts.code, facts.type].join('\n');
	return status === 500 && AFTER_THE_WORK.test(words);
}
