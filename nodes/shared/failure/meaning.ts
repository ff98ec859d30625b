import { plainName } from './errorBody';
import type { FailureFacts } from './evidence';

/** The parts of a response that tell which status it stands for. */
interface Said {
	/** The status of the response itself. */
	status: number;
	/** Code and type of the error, without case and punctuation. */
	name: string;
	code: string;
	type: string;
	words: string;
}

/** A kind of response that stands for another status than its own. */
interface Meaning {
	when: (said: Said) => boolean;
	means: number | 'its code';
	source: string;
}

const isSuccess = (status: number) => status < 300;

/** Matches the names that services have for missing credit, which waiting does not bring. */
const NO_CREDIT_NAMES =
	/insufficient\w*(quota|balance|funds|credit)|notenough(credit|balance)|billing(hardlimit|notactive)|exceededcurrentquota|^quotaexceeded|budgetexceeded|balanceexhausted|spendlimit|organizationusagelimit|setlimitexceeded|overdue|arrearage|chargeresourceexhaust/;

/**
 * Matches the same in words, but not "You exceeded your current quota", which Gemini says about limits per minute, too.
 */
const NO_CREDIT_WORDS = new RegExp(
	[
		'(insufficient|(not?|n.t)( have)?( any| enough| sufficient)|lacks? sufficient|exhausted) (account )?(balance|credits?|funds)\\b',
		'(balance|credits?|funds) (is|are|has been) (too low|insufficient|exhausted|depleted|not enough)',
		'insufficient quota|quota is not enough|exceeds your quota|out of credits?|all available credits|credit limit (reached|exceeded)|daily free allocation|accessible to billed users|quota exceeded for metric: \\S+, limit: 0\\b',
		'(monthly|hard) spend(ing)? (limit|cap)|API key reached its usage limit|reached your (\\w+ )*API usage limits|budget (has been |is )?(exceeded|exhausted)|over budget',
		'余额(已)?(不足|用尽|用完)|余量(已)?(不足|用尽|用完)|欠费|额度(不足|已?用尽|失败)',
	].join('|'),
	'i',
);

/** Matches the names that services have for a rate limit. */
const LIMIT_NAMES = /ratelimit|toomanyrequests|throttl/;
const LIMIT_WORDS =
	/ThrottlingException|TooManyRequestsException|\brate.limit.(exceeded|error)\b|\btoo many requests\b/i;

/** Matches the words of Gemini and xAI, and the code of Sarvam, for a key that is not, or no longer, valid. */
const WRONG_KEY =
	/^invalidapikey|\bAPI key (not valid|expired|was reported as leaked)|\bincorrect API key provided/i;

/** Matches the words of OpenAI and LiteLLM for a valid key that may not do this. */
const NOT_PERMITTED = /\binsufficient permissions for this operation|\bnot allowed to access model/i;

/** Matches the words of OpenRouter, Stability AI, and xAI for a request that a filter rejects. */
const FLAGGED = /\b(input|request) was flagged\b|\bcontent violates usage guidelines/i;

/** Matches the names that gateways have for a model without a channel. */
const NO_CHANNEL_NAMES = /modelnotfound|modelnotexist|noavailablechannel|getchannelfailed/;

/** Matches Google's reasons for withholding an image (jeffstric/ZJT#494, with status 500). */
const WITHHELD = /\bIMAGE_(SAFETY|PROHIBITED_CONTENT|RECITATION)\b/;

/** Matches words of the service behind the utilities for a value that it cannot handle, such as an unknown currency. */
const CANNOT_HANDLE =
	/服务器出错了.*(Cannot convert undefined|Invalid time value|URI malformed|Text too long|unsupported type|失败: 40[04])/;

/** Decides which status a response stands for, by the first row that matches; if none does, its own. */
export const MEANINGS: Meaning[] = [
	{
		when: ({ status, words }) => status === 429 && /^(workspace )?allocated quota exceeded/i.test(words),
		means: 429,
		source:
			'DashScope: its insufficient_quota also stands for tokens per minute (help.aliyun.com/zh/model-studio/error-code)',
	},
	{
		when: ({ status, words }) => status === 429 && /^(request too large|extra usage)\b/i.test(words),
		means: 413,
		source: 'OpenAI, Anthropic: above a limit, for which no wait helps',
	},
	{
		when: ({ status, code, type }) => status === 429 && /^(1112|1121|1311)$/.test(code || type),
		means: 403,
		source: 'Zhipu: a locked account, or a plan without the model',
	},
	{
		when: ({ status, words }) => status === 402 && /\bin-flight requests\b/i.test(words),
		means: 429,
		source: 'OpenRouter: what is under way takes up the balance',
	},
	{
		when: ({ code, type }) => /^(1113|1309|402)$/.test(code || type),
		means: 402,
		source: 'Zhipu: code 1113, and 1309 for a plan that has ended; OpenRouter: code 402',
	},
	{
		when: ({ name, words }) => NO_CREDIT_NAMES.test(name) || NO_CREDIT_WORDS.test(words),
		means: 402,
		source:
			'OpenAI, New API, Moonshot, Volcengine, DashScope, ElevenLabs, LiteLLM, Tencent; in words: Anthropic, xAI, ElevenLabs, fal, SiliconFlow, Stability AI, Suno API, Fireworks, Portkey, New API, Workers AI',
	},
	{
		when: ({ status, code }) => isSuccess(status) && /^[45]\d\d$/.test(code),
		means: 'its code',
		source: 'New API, OpenRouter, and others: the status of the response is inside its body',
	},
	{
		when: ({ status, name, words }) =>
			(isSuccess(status) || [400, 403].includes(status)) &&
			(LIMIT_NAMES.test(name) || LIMIT_WORDS.test(words)),
		means: 429,
		source:
			'Bedrock (anthropic-sdk-python #940, litellm #589): 400 ThrottlingException; OpenAI-like: 403 rate_limit_error; streams: 200 (devin-2api#3)',
	},
	{
		when: ({ words }) => /\bopen api (qps )?request limit reached/i.test(words),
		means: 429,
		source:
			'Baidu, error_code 4 and 18 (cloud.baidu.com/doc/WENXINWORKSHOP/s/tlmyncueh): One API passes it on with status 200, New API with 500 and bad_response_body',
	},
	{
		when: ({ status, name, words }) => [400, 403].includes(status) && WRONG_KEY.test(`${name} ${words}`),
		means: 401,
		source: 'Gemini and xAI: 400 for a wrong or an expired key; 403: Gemini for a leaked one, Sarvam',
	},
	{
		when: ({ status, words }) => status === 403 && FLAGGED.test(words),
		means: 400,
		source: 'OpenRouter, Stability AI (ComfyUI-StableDiffusion3-API#2), xAI: 403 for what a filter rejects',
	},
	{
		when: ({ status, name, words }) =>
			status === 401 && (/missingpermission|unusualactivity/.test(name) || NOT_PERMITTED.test(words)),
		means: 403,
		source:
			'ElevenLabs (LifeOS#667, OWASP Nest#3861), OpenAI (openclaw#47372), LiteLLM: 401 for a valid key that may not do this',
	},
	{
		when: ({ status, name, words }) =>
			status >= 500 && (NO_CHANNEL_NAMES.test(name) || /无可用渠道/.test(words)),
		means: 404,
		source: 'New API, One API: a gateway without a channel for a model calls itself unavailable',
	},
	{
		when: ({ status, name }) => [401, 403].includes(status) && /quota|balance|credit|billing/.test(name),
		means: 402,
		source: 'ElevenLabs: 401 for all of these',
	},
	{
		when: ({ status, words }) => status === 430 || (status === 405 && /\brate limit\b/i.test(words)),
		means: 429,
		source:
			'Suno API, inside status 200: "Rate limit exceeded", "Your call frequency is too high" (docs.sunoapi.org)',
	},
	{
		when: ({ status, name }) => status === 455 || (status === 498 && /capacityexceeded/.test(name)),
		means: 503,
		source: 'Suno API, KIE: maintenance (docs.sunoapi.org, docs.kie.ai); Groq: 498 without capacity',
	},
	{
		when: ({ status, name }) => status === 401 && /maxcharacterlimit/.test(name),
		means: 400,
		source: 'ElevenLabs: 401 with max_character_limit_exceeded',
	},
	{
		when: ({ status, name }) => status === 500 && /invalidrequest/.test(name),
		means: 400,
		source: 'Gateways of this family: a validation fault surfaces as 500 invalid_request',
	},
	{
		when: ({ status, name, words }) =>
			status >= 500 && (/sensitiveword|contentpolicy|contentfilter/.test(name) || WITHHELD.test(words)),
		means: 400,
		source: 'New API (#4499): 500 sensitive_words_detected; what a filter rejects, it would reject again',
	},
	{
		when: ({ status, words }) => status === 500 && CANNOT_HANDLE.test(words),
		means: 400,
		source: 'The service behind the utilities (recorded)',
	},
	// An error inside status 200 stands for the status that its code or its type names.
	...(
		[
			[/resourceexhausted/, 429],
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
		when: ({ status, name }: Said) => isSuccess(status) && pattern.test(name),
		means,
		source: 'Interface, section 7, and the codes and types of comparable services',
	})),
	...Object.entries({
		...{ 1002: 429, 1039: 429, 1041: 429, 2045: 429, 2056: 429, 1004: 401, 2049: 401, 1008: 402 },
		...{ 1001: 504, 1013: 500, 1024: 500, 1033: 500 },
	}).map(([number, means]) => ({
		when: ({ status, type, code }: Said) => isSuccess(status) && type === 'base_resp' && code === number,
		means,
		source:
			'MiniMax, base_resp (its table of error codes): too many requests, tokens, or connections, too many more at once, or a used-up plan, a wrong key, no balance, a timeout, or a fault of its own',
	})),
];

/** Returns the status that a response stands for: mostly its own. An error inside status 200 stands for another one. */
export function statusMeant(
	status: number,
	{ code = '', type = '', gatewayMessage = '' }: FailureFacts,
): number {
	const said = { status, name: plainName(code + type), code, type, words: gatewayMessage };
	const row = MEANINGS.find((one) => one.when(said));
	if (!row) return status;
	const means = row.means === 'its code' ? Number(code) : row.means;
	return isSuccess(status) ? statusMeant(means, { code, type, gatewayMessage }) : means;
}

/** Documented messages of a response without an image (interface, section 7). With any status, the model has worked. */
export const NO_IMAGE = 'no base64 image found in response';
export const NOT_UPLOADED = 'failed to upload image';
/** Documented message without an answer; most likely, a safety filter would reject the same request again. */
export const NO_CHOICES = 'chat response contains no choices';

/** Returns the documented message that a failure contains, or stands for. */
export function documentedReason({ gatewayMessage = '' }: FailureFacts): string | undefined {
	if (WITHHELD.test(gatewayMessage)) return NO_CHOICES;
	const words = gatewayMessage.toLowerCase();
	return [NO_IMAGE, NOT_UPLOADED, NO_CHOICES].find((message) => words.includes(message));
}

/**
 * Matches words of status 500 about what happens after the model has answered, in English or Chinese (upload as in the
 * interface, section 7; storage as in jackiechangmm/new-api, controller/canvas_image.go), and codes of New API
 * (bad_response if it cannot download an image that it has made: relay/channel/replicate/adaptor.go) and of One API
 * (copy_response_body_failed and others: relay/controller/audio.go).
 */
const AFTER_THE_WORK =
	/\b(upload|store|storing|storage|save|saving|persist (it|the|an?)\b)|\bno .*\bin .*(response|answer|reply)|empty[ _](response|answer|reply)|(上传|转存|存储).*失败|\bbad_response\b|_response_body/i;

/** Tells whether an error says that the model was asked, and so is paid for, although no result arrived. */
export function saysWorkWasDone(status: number, facts: FailureFacts): boolean {
	if (documentedReason(facts) !== undefined) return true;
	const words = [facts.gatewayMessage, facts.code, facts.type].join('\n');
	return status === 500 && AFTER_THE_WORK.test(words);
}
