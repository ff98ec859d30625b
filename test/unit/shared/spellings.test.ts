import { deniesSuccess, errorInside, readErrorBody, saysNo } from '../../../nodes/shared/failure/errorBody';
import { saysWorkWasDone, statusMeant } from '../../../nodes/shared/failure/meaning';
import { namedLimit } from '../../../nodes/shared/failure/statusWords';
import { cannotBeUnpacked, whyUnsent } from '../../../nodes/shared/send/transportError';
import { fileNameFrom } from '../../../nodes/shared/files/storeFile';
import { isFieldRefusal, mayFallBack } from '../../../nodes/Chat/fallback/refusals';
import { fileKindOf } from '../../../nodes/Chat/formats/fileParts';
import type { SentFile } from '../../../nodes/shared/files/sentFiles';
import { GatewayFailure } from '../../../nodes/shared/failure/failure';
import { ofStatus } from './ofStatus';

const rejected = (gatewayMessage: string, code = '') =>
	new GatewayFailure('request', 'No', '', { status: 400, gatewayMessage, code });
const missing = (gatewayMessage: string) => new GatewayFailure('notFound', 'No', '', { gatewayMessage });
const unreachable = new GatewayFailure('unreachable', 'No', '');
const fieldMayBeRefused = (status: string) => isFieldRefusal(ofStatus({ status: Number(status) }));
const means = (status: number, meant: number) => (gatewayMessage: string) =>
	statusMeant(status, { gatewayMessage }) === meant;
const codeMeans = (status: number, meant: number) => (code: string) =>
	statusMeant(status, { code }) === meant;
const address = (url: string) => ({ kind: 'address', url }) as SentFile;
const isLimit = (unit: string) => (gatewayMessage: string) => namedLimit({ gatewayMessage })?.unit === unit;

const SPELLINGS: Array<[what: string, holds: (spelling: string) => boolean, spellings: string[]]> = [
	[
		'The codes for missing credit',
		codeMeans(429, 402),
		[
			...['insufficient_quota', 'insufficient_balance', 'insufficient_funds', 'InsufficientCredits'],
			...['not_enough_credits', 'not_enough_balance', 'billing_hard_limit_reached', 'billing_not_active'],
			...['quota_exceeded', 'budget_exceeded', 'AccountOverdueError', 'Arrearage', 'ChargeResourceExhaust'],
		],
	],
	[
		'The words for missing credit',
		means(429, 402),
		[
			...['Insufficient balance', 'Not enough account balance', 'No enough funds', "You haven't any credit"],
			...["You don't have sufficient funds", 'The user lacks sufficient credits', 'Exhausted balance'],
			...['Your balance is insufficient', 'Credits are exhausted', 'The funds has been exhausted'],
			...['Your credit is too low', 'The balance is not enough', 'insufficient quota', 'Quota is not enough'],
			...['It exceeds your quota', 'Out of credits', 'You used all available credits', 'Over budget'],
			...[
				'Credit limit reached',
				'Credit limit exceeded',
				'The monthly spending limit',
				'Your hard spending limit',
			],
			...['Budget exceeded', 'The budget is exhausted', 'The budget has been exceeded'],
			...['余额不足', '余额已用尽', '余额已用完', '余量不足', '余量已用尽', '余量用完', '您已欠费'],
			...['额度不足', '额度用尽', '预扣费额度失败'],
		],
	],
	[
		'The words for a rate limit',
		means(400, 429),
		[
			...['ThrottlingException', 'TooManyRequestsException', 'Too many requests'],
			...['rate_limit_exceeded', 'rate_limit_error', 'Rate limit exceeded'],
		],
	],
	[
		'The reasons of Google for no image',
		means(500, 400),
		['IMAGE_SAFETY', 'IMAGE_PROHIBITED_CONTENT', 'IMAGE_RECITATION'],
	],
	[
		'The words of the utilities for a value',
		(words) => means(500, 400)(`服务器出错了 Error: ${words}`),
		[
			...['Cannot convert undefined or null to object', 'Invalid time value', 'URI malformed'],
			...['Text too long', 'unsupported type', '请求失败: 400', '请求失败: 404'],
		],
	],
	[
		'The codes for a missing model',
		codeMeans(500, 404),
		['model_not_found', 'model_not_exist', 'no_available_channel', 'get_channel_failed'],
	],
	[
		'The codes of ElevenLabs for credit',
		codeMeans(401, 402),
		['quota', 'low_balance', 'missing_credits', 'billing'],
	],
	[
		'The codes of filters',
		codeMeans(500, 400),
		['sensitive_words_detected', 'content_policy_violation', 'content_filter'],
	],
	[
		'The words for what fails after the work',
		(gatewayMessage) => saysWorkWasDone(500, { gatewayMessage }),
		[
			...['Cannot upload it', 'Cannot store it', 'Error storing it', 'Storage is full', 'Cannot save it'],
			...[
				'Error saving it',
				'Cannot persist it',
				'There is no audio in the answer',
				'no image in this reply',
			],
			...[
				'No audio in response',
				'empty response',
				'empty_answer',
				'Empty reply',
				'上传失败',
				'转存失败',
				'存储失败',
			],
		],
	],
	[
		'Words that report no error',
		(message) => readErrorBody({ message }).gatewayMessage === undefined,
		['ok', 'None', 'null', 'Success', 'successful', 'Successfully', 'succeeded', '成功', '获取成功'],
	],
	[
		'Values of the field error that report none',
		(error) => errorInside({ error, message: 'Hello' }) === undefined,
		['0', 'false', 'null', 'none', 'ok', 'success'],
	],
	[
		'Values of the field success that deny it',
		(success) => saysNo({ success }),
		['false', 'No', 'fail', 'failed', 'failure', 'error'],
	],
	[
		'Words in a code that deny a success',
		(code) => deniesSuccess({ text: 'Hello', code }),
		[
			...['error', 'fail', 'invalid', 'denied', 'exceeded', 'limited', 'not_ready', 'no_channel', 'unknown'],
			...['missing', 'unauthenticated', 'forbidden', 'quota', 'insufficient', 'expired', 'busy', 'exists'],
			...['rejected', 'used_up'],
		],
	],
	[
		'Codes beside a message that report no error',
		(code) => errorInside({ code, message: 'Hello' }) === undefined,
		['0', '000', '1', '200', '299', '10000', '20000'],
	],
	...Object.entries({
		name: ['ENOTFOUND', 'EAI_AGAIN'],
		refused: ['ECONNREFUSED'],
		expired: ['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'],
		otherHost: ['ERR_TLS_CERT_ALTNAME_INVALID', 'HOSTNAME_MISMATCH'],
		certificate: [
			...['CERT_UNTRUSTED', 'ERR_TLS_CERT_SIGNATURE_ALGORITHM_UNSUPPORTED', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
			...['SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'UNABLE_TO_GET_ISSUER_CERT'],
		],
		secure: ['EPROTO', 'ERR_TLS_INVALID_PROTOCOL_VERSION', 'ERR_SSL_WRONG_VERSION_NUMBER'],
		invalid: [
			...['ERR_INVALID_CHAR', 'ERR_INVALID_HTTP_TOKEN', 'ERR_INVALID_URL', 'ERR_UNESCAPED_CHARACTERS'],
			'ERR_HTTP_INVALID_HEADER_VALUE',
		],
	}).map(([reason, codes]): (typeof SPELLINGS)[number] => [
		`The codes of Node.js for ${reason}`,
		(code) => whyUnsent(Object.assign(new Error('No'), { code }), { isPaid: false })?.reason === reason,
		codes,
	]),
	[
		'The codes of Node.js for a body that is not compressed as its headers say',
		(code) => cannotBeUnpacked(Object.assign(new Error('No'), { code })),
		['Z_DATA_ERROR', 'Z_NEED_DICT', 'ERR_BROTLI_DECODER_ERROR_FORMAT', 'ERR__ERROR_FORMAT_PADDING_1'],
	],
	[
		'The names of entries in a limit',
		isLimit('entries'),
		[
			...['An array of at most 8', 'The batch is larger than 8', 'A list of up to 8', 'At most 8 texts'],
			...['At most 8 inputs', 'At most 8 documents', 'At most 8 items', '每批最大 8', '上限 8 条'],
		],
	],
	['The names of pages in a limit', isLimit('pages'), ['At most 8 pages', '最多 8 页']],
	[
		'The names of characters in a limit',
		isLimit('characters'),
		['Up to 8 characters', 'A string of at most 8', 'The length exceeds 8', '最长 8 字', '长度超过 8'],
	],
	[
		'Limits of what a model writes, which are none',
		(gatewayMessage) => namedLimit({ gatewayMessage }) === undefined,
		['max_tokens: at most 8 tokens', 'At most 8 completion tokens', 'At most 8 output tokens'],
	],
	[
		'The names of a voice',
		(gatewayMessage) => ofStatus({ status: 400, gatewayMessage }).description.includes('select Voice'),
		['No such voice', '音色不存在'],
	],
	[
		'What n8n says when it forbids a request',
		(message) => whyUnsent(new Error(message))?.reason === 'blocked',
		['Domain not allowed', 'It is not allowed to ask', 'It is blocked', 'SSRF protection', 'A restricted IP'],
	],
	[
		'Media types of text for a chat',
		(type) => fileKindOf(address('https://files.example/a'), type) === 'text',
		[
			...['text/plain', 'application/json', 'application/ld+json', 'application/xml', 'application/yaml'],
			...['application/x-yaml', 'application/csv; charset=utf-8', 'application/rss+xml', 'text/csv'],
		],
	],
	...Object.entries({
		pdf: ['pdf'],
		text: ['txt', 'md', 'csv'],
		audio: ['mp3', 'wav', 'ogg', 'opus', 'flac', 'm4a', 'aac'],
		video: ['mp4', 'mov', 'mpeg', 'webm'],
		image: ['png', 'unknown'],
	}).map(([kind, extensions]): (typeof SPELLINGS)[number] => [
		`The extensions of files at addresses: ${kind}`,
		(extension) => fileKindOf(address(`https://files.example/a.${extension}?b=c`)) === kind,
		extensions,
	]),
	[
		'The names that Windows reserves',
		(name) => fileNameFrom(name, 'speech', 'mp3') === 'speech.mp3',
		['con', 'PRN', 'aux', 'nul', 'CONIN$', 'conout$', 'com1', 'lpt²', 'con .a'],
	],
	[
		'The codes for an unknown model',
		(code) => mayFallBack(rejected('No.', code), 'aurora-4'),
		[
			...['model_not_found', 'ModelNotExist', 'model_not_available', 'model_decommissioned', 'unknown_model'],
			...['invalid_model', 'no_such_model', 'unsupported_model', 'no_available_channel'],
		],
	],
	[
		'What the gateway does not find, or cannot be reached for, which another model may be asked',
		(words) => [missing(words), unreachable].every((failure) => mayFallBack(failure, 'aurora-4')),
		['', 'Nothing at aurora-4', '渠道已关闭', 'No channel'],
	],
	[
		'The words for an unknown model with its name',
		(words) => mayFallBack(rejected(`The model aurora-4 ${words}`), 'aurora-4'),
		[
			...['is not a valid one', 'does not exist', 'was not found', 'is not available', "doesn't exist"],
			...['is unknown', 'is an invalid model', 'is no such model', '不存在', '不可用', '无效', '未找到'],
		],
	],
	[
		'The words for an unknown model without its name',
		(words) => mayFallBack(rejected(words), 'aurora-4'),
		[
			...['Unknown model', 'Invalid model', 'No such model', 'Unsupported model', 'Model Not Exist'],
			...['The model does not exist', 'Model not found', 'The model is not available'],
			...['模型不存在', '模型不可用', '模型无效', '模型未找到'],
		],
	],
	[
		'The words for a field that is refused',
		(words) => isFieldRefusal(rejected(words)),
		[
			...[
				'response_format',
				'response_mime',
				'A schema',
				'No JSON',
				'Tools',
				'Functions',
				'Structured',
				'Param',
			],
			...['A field', 'Properties', 'Argument', 'Unknown', 'Unrecognized', 'unrecognised', 'Unexpected'],
			...['Unsupported', 'Not supported', 'Not allowed', 'Not permitted', 'Not implemented', 'Not available'],
			...['Extra inputs', '参数', '字段', '不支持', ''],
		],
	],
	['The statuses that may refuse a field', fieldMayBeRefused, ['400', '501']],
	['The statuses that refuse no field', (status) => !fieldMayBeRefused(status), ['413', '500']],
	[
		'The words for what a model could not write, which refuse no field',
		(words) => !isFieldRefusal(rejected(`${words}: the JSON`)),
		[
			...['Failed to generate', 'failure to generate', 'failed_generation', 'json_validate_failed'],
			...['What was generated'],
		],
	],
];

it.each(SPELLINGS)('%s are known, one by one', (_what, holds, spellings) => {
	expect(spellings.filter((spelling) => !holds(spelling))).toEqual([]);
});
