import { namedLimit, type NamedLimit } from '../../../nodes/shared/errors/namedLimit';
import { statusFailure } from '../../../nodes/shared/errors/statusFailure';

/** Sentences like those of public APIs: OpenAI, Google, ElevenLabs, Anthropic, TEI, DashScope, pydantic, and Chinese gateways. */
const LIMITS: Array<[number, NamedLimit['unit'], string]> = [
	[
		4096,
		'characters',
		"Invalid 'input': string too long. Expected a string with maximum length 4096, but got a string with length 5123 instead.",
	],
	[4096, 'characters', 'body.input: String should have at most 4096 characters'],
	[
		4096,
		'characters',
		'body -> input ensure this value has at most 4096 characters (type=value_error.any_str.max_length; limit_value=4096)',
	],
	[
		5000,
		'bytes',
		'Either `input.text` or `input.ssml` is longer than the limit of 5000 bytes. This limit is different from quotas.',
	],
	[5000, 'characters', '5000 characters limit exceeded.'],
	[
		2500,
		'characters',
		"This request's text has 2649 characters and exceeds the character limit of 2500 characters for this plan.",
	],
	[10_000, 'characters', 'The text is too long: the limit is 10K characters'],
	[10_000, 'characters', 'Text exceeds the maximum allowed length of 10,000'],
	[200, 'characters', 'text length (204) should be less than 200 characters'],
	[2000, 'tokens', 'The input has 2310 tokens, more than the maximum of 2000 tokens'],
	[200_000, 'tokens', 'prompt is too long: 210000 tokens > 200000 maximum'],
	[
		8192,
		'tokens',
		"This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
	],
	[100, 'pages', 'A maximum of 100 PDF pages may be provided.'],
	[1024, 'characters', '文本长度超过限制，最大支持1024个字符'],
	[600, 'characters', '输入文本过长，不能超过600字'],
	[1024, 'bytes', '合成文本最长 1024 字节'],
	[300, 'characters', '请将文本控制在300字以内'],
	[
		2048,
		'entries',
		"Invalid 'input': array too long. Expected an array with maximum length 2048, but got an array with length 2049 instead.",
	],
	[10, 'entries', 'Value error, batch size is invalid, it should not be larger than 10.: input.contents'],
	[64, 'entries', 'input batch size 473 > maximum allowed batch size 64'],
	[96, 'entries', 'invalid request: total number of texts must be at most 96 - received 100'],
];

const OTHERS = [
	'temperature must be at most 2',
	'max_tokens is too large: 100000. This model supports at most 16384 completion tokens.',
	'This request exceeds your quota. You have 119 characters remaining, while 965 characters are required.',
	'max_completion_tokens must be at most 4096 tokens',
	'maxOutputTokens is 70000, but must be at most 65536 tokens',
	'The voice "Narrator 2000" does not exist',
	'Field required',
	'The text needs at least 10 characters',
	'',
];

describe('The limit in the words of a gateway', () => {
	it.each(LIMITS)('is %d %s: %s', (most, unit, gatewayMessage) => {
		expect(namedLimit({ gatewayMessage })).toEqual({ most, unit });
	});

	it.each(OTHERS)('is none: %s', (gatewayMessage) => {
		expect(namedLimit({ gatewayMessage })).toBeUndefined();
	});

	it('is in the advice, with what obeys it', () => {
		for (const [most, unit, gatewayMessage] of LIMITS) {
			for (const status of [400, 413]) {
				const { description } = statusFailure({ status, gatewayMessage });
				expect(description).toContain(`accepts at most ${most.toLocaleString('en-US')} ${unit} here`);
				expect(description).toMatch(/ The request was not carried out\.$/);
			}
		}
		for (const gatewayMessage of OTHERS) {
			// Missing credit has advice of its own.
			const advice = gatewayMessage.includes('quota') ? /^Add credit/ : /^Check the parameters/;
			expect(statusFailure({ status: 400, gatewayMessage }).description).toMatch(advice);
		}
	});
});
