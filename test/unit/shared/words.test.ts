import {
	answerFailure,
	cancelledFailure,
	choiceFailure,
	downloadFailure,
	emptyFailure,
	inputFailure,
	interruptedFailure,
	settingsFailure,
	spendingFailure,
	storageFailure,
	unreportedFailure,
	withOtherPath,
	limitFailure,
} from '../../../nodes/shared/failure/words';
import {
	type Unreachable,
	type UnreachableReason,
	wordsOfUnreachable,
} from '../../../nodes/shared/failure/unreachableWords';
import { GatewayFailure } from '../../../nodes/shared/failure/failure';
import { namedLimit } from '../../../nodes/shared/failure/statusWords';
import { ofStatus } from './ofStatus';
import { momentInWords } from '../../../nodes/shared/plain/inWords';

const UNCLEAR = { charge: 'possible', again: 'ifFree' } as const;

function unreachableFailure(
	url: string,
	unreachable: Unreachable,
	attempts = 1,
	isGateway = true,
): GatewayFailure {
	return new GatewayFailure('unreachable', ...wordsOfUnreachable(url, unreachable, isGateway), { attempts });
}

/** The kind of a failure, what happened, and what to do next. */
type Words = [kind: string, message: RegExp, advice: RegExp];

function expectWords(failure: GatewayFailure, [kind, message, advice]: Words): void {
	expect(failure.kind).toBe(kind);
	expect(failure.message).toMatch(message);
	expect(failure.description).toMatch(advice);
}

describe('A web page with a failing status', () => {
	const url = 'https://gateway.example/v1/models';
	const failure = (status: number) =>
		ofStatus(
			{ status, attempts: 1, gatewayMessage: 'No' },
			{ url },
			{ isWebPage: true, hasErrorObject: false },
		);

	const page = 'gateway.example answered with a web page instead of data';
	const proxy = 'A proxy or firewall in front of gateway.example rejected the request';

	it.each([
		[404, 'address', `${page} (status 404)`],
		[405, 'address', `${page} (status 405)`],
		[400, 'request', `${proxy} (status 400)`],
		[403, 'permission', `${proxy} (status 403)`],
		[302, 'address', 'The gateway redirects this request to another address: No'],
		[
			502,
			'gateway',
			'The gateway, or a proxy in front of it, gave up on the request (status 502, tried once): No',
		],
	])('blames the address, a proxy, or the gateway: %i', (status, kind, message) => {
		expect(failure(status)).toMatchObject({ kind, message, facts: { status, attempts: 1 } });
	});

	it('blames nobody if it may be paid for', () => {
		expect(failure(408).message).toBe('The gateway gave up on the request (status 408): No');
	});
});

describe('A response with an error status', () => {
	it.each<[number, ...Words]>([
		[
			300,
			'address',
			/redirects this request/,
			/Base URL\. The API key is sent only to the addresses in the credential/,
		],
		[399, 'address', /redirects/, /enter it as Base URL/],
		[400, 'request', /rejected the request \(status 400\)/, /^Check the parameters/],
		[401, 'authentication', /did not accept the API key/, /enter the API Key again/],
		[402, 'permission', /not have enough credit for this request \(status 402\)/, /^Add credit/],
		...[413, 414, 431].map((status): [number, string, RegExp, RegExp] => [
			status,
			'request',
			new RegExp(`too large for the gateway \\(status ${status}\\)`),
			/^Shorten the text/,
		]),
		[501, 'gateway', /does not support this request \(status 501\)/, /not have this operation/],
		[505, 'gateway', /does not support this request \(status 505\)/, /not have this operation/],
		[511, 'gateway', /network of this n8n requires a sign-in \(status 511\)/, /operator of the network/],
		[
			407,
			'request',
			/^The proxy of this n8n requires .* \(status 407\)$/,
			/HTTP_PROXY and HTTPS_PROXY .* NO_PROXY/,
		],
		[403, 'permission', /not allowed to make this request \(status 403\)/, /credit left/],
		[404, 'notFound', /no such address or model \(status 404\)/, /Select the model from the list/],
		[405, 'notFound', /\(status 405\)/, /nothing may follow "\/v1"/],
		[429, 'rateLimit', /rate limit .* is reached/, /Requests per Minute/],
		[499, 'request', /^The gateway gave up on the request \(status 499\)/, /^The gateway may have carried/],
		[500, 'gateway', /temporarily unavailable \(status 500, tried once\)/, /again later/],
		[599, 'gateway', /gave up on the request \(status 599/, /^The gateway may have carried/],
		[503, 'gateway', /temporarily unavailable \(status 503/, /contact the operator/],
		// Not an error status by any standard; the gateway still did not succeed.
		[299, 'request', /^The gateway reports a failure, but gives no reason$/, /Check the parameters/],
	])('%i is a failure of the kind %s with its own words', (status, ...words) => {
		const facts = { status, code: 'some_code' };
		const failure = ofStatus(facts);
		expectWords(failure, words);
		expect(failure.facts).toEqual(facts);
		const isRejected = failure.isFree && !['rateLimit', 'gateway'].includes(failure.kind);
		expect(failure.description.endsWith(' The request was not carried out.')).toBe(isRejected);
		const said = ofStatus({ ...facts, gatewayMessage: 'Too long' });
		expect(said.message).toMatch(/^[^:]+: Too long$/);
		expect(said.description).toBe(failure.description);
	});

	it('names the time that the gateway asks to wait', () => {
		const { description } = ofStatus({ status: 503 }, {}, { waitMs: 7_200_000 });
		expect(description).toMatch(/^Run the item again in 2 h 0 min, as the gateway asks\./);
	});

	it.each([
		[400, 'there is no model "x"', true, /select Model from the list/],
		[400, 'there is no voice "x"', true, /select Voice from the list/],
		[400, '该模型不存在', true, /select Model from the list/],
		[400, 'the size is wrong', true, /^Check the parameters of this item, then run it again\. The request/],
		[
			400,
			'there is no model "x"',
			false,
			/^Check the parameters of this item, then run it again\. The request/,
		],
		[404, '', false, /^((?!model).)*$/],
		[404, 'A voice with the ID x was not found.', true, /Select the model.* select Voice from the list/],
		[404, 'There is no model x', true, /^Select the model(?!.*the problem)/],
	])('%i with "%s" names the list that it may be about: %s', (status, words, namesModel, advice) => {
		const { message, description } = ofStatus({ status, gatewayMessage: words }, { namesModel });
		expect(description).toMatch(advice);
		expect(message).toMatch(words === '' ? /^The gateway has no such address \(status 404\)$/ : words);
	});
});

describe('A request that may have been carried out', () => {
	const status = (code: number) => (isUnclear: boolean, attempts: number) =>
		ofStatus({ status: code, attempts }, isUnclear ? {} : { does: 'read', isPaid: false });
	const interrupted = (limit?: 'silence' | 'total') => (isUnclear: boolean, attempts: number) =>
		interruptedFailure(limit, { attempts }, isUnclear ? UNCLEAR : undefined);

	it.each<[string, (isUnclear: boolean, attempts: number) => GatewayFailure, RegExp, advice: RegExp]>([
		['a status 408', status(408), /gave up on the request|rejected/, /^Check/],
		['a status 502', status(502), /gave up .*\(status 502, tried|unavailable/, /^Run/],
		['a loss', interrupted(), /connection .* was lost/, /^Run the item again\.$/],
		[
			'a silence',
			interrupted('silence'),
			/did not respond in time/,
			/^Run the item again\. .* increase Timeout \(Seconds\) in Limits and Retries\.$/,
		],
		[
			'too long',
			interrupted('total'),
			/was not complete in time/,
			/^Run the item again\. .* increase Total Time Limit \(Minutes\) in Limits and Retries\.$/,
		],
	])(
		'says that it may be paid for, and what can be done: after %s',
		(_name, failureWith, message, advice) => {
			const failure = failureWith(true, 1);
			expect(failure.message).toMatch(message);
			expect(failure).toMatchObject({ charge: 'possible', facts: { attempts: 1 } });
			expect(failure.description).not.toMatch(/Run the item again/);
			expect(failure.description).toMatch(/^(If|The gateway|Check|Run) /);
			expect(failure.description).toMatch(
				/(^| )The gateway may have carried the request out and charged for it\..*not sent again.*Look it up in the console of your gateway.*set Idempotency Header/,
			);
			const again = failureWith(true, 2).description;
			expect(again).toMatch(
				/(^| )The gateway may have carried out one of the attempts .* Look it up in the console/,
			);
			expect(again).not.toMatch(/not sent again|Idempotency/);
			const free = failureWith(false, 1).description;
			expect(free).not.toMatch(/charged|Idempotency/);
			expect(free).toMatch(advice);
		},
	);

	const verdicts = (['none', 'possible', 'certain'] as const).flatMap((charge) =>
		(['never', 'elsewhere', 'afterWait', 'inTurn', 'soon', 'ifFree'] as const).map((again) => ({
			charge,
			again,
		})),
	);

	it.each(verdicts)('has advice after an interruption, whatever its verdict is: %j', (verdict) => {
		for (const limit of [undefined, 'silence', 'total'] as const) {
			for (const attempts of [1, 2]) {
				const { description } = interruptedFailure(limit, { attempts }, verdict);
				expect(description).toMatch(/Run the item again\.|charged for it/);
			}
		}
	});
});

describe('A gateway that cannot be reached', () => {
	const HOST = 'gateway.example:443';

	it.each<[UnreachableReason, string, RegExp]>([
		['name', 'The address gateway.example does not exist', /Base URL .* typos.* Nothing was sent\.$/],
		['refused', `No gateway answers at ${HOST}`, /host and port .* Inside Docker, .* Nothing was sent\.$/],
		['timeout', `The connection to ${HOST} timed out`, /firewall .* HTTP_PROXY.* Nothing was sent\.$/],
		['secure', `A secure connection to ${HOST} could not be established`, /http:\/\/ .* Nothing was sent\.$/],
		[
			'tunnel',
			`The proxy of this n8n did not connect to ${HOST} (status In n8n's words)`,
			/NO_PROXY .* Nothing was sent\.$/,
		],
		['expired', `The certificate of ${HOST} is not valid at this time`, /renew it.* Nothing was sent\.$/],
		['otherHost', `The certificate of ${HOST} is for another host`, /Base URL .* Nothing was sent\.$/],
		['certificate', `The certificate of ${HOST} is not valid`, /NODE_EXTRA_CA_CERTS .* Nothing was sent\.$/],
		[
			'blocked',
			`n8n does not allow requests to ${HOST}`,
			/allowed domains .* this address\. In n8n's words\. Nothing was sent\.$/,
		],
		['invalid', `The request to ${HOST} cannot be sent`, /line breaks .* Nothing was sent\.$/],
		['other', `${HOST} could not be reached`, /network connection .* NO_PROXY .* Nothing was sent\.$/],
	])('says why: %s', (reason, message, advice) => {
		const unreachable = { reason, detail: "In n8n's words" };
		const failure = unreachableFailure('https://gateway.example/v1', unreachable, 3);
		expect(failure).toMatchObject({ kind: 'unreachable', message, facts: { attempts: 3 } });
		expect(failure.description).toMatch(advice);
	});

	it.each([
		['http://10.0.0.7/v1', true, 'No gateway answers at 10.0.0.7:80'],
		['http://localhost:4010/', true, 'No gateway answers at localhost:4010'],
		['https://files.example/a', false, 'No server answers at files.example:443'],
	])('is named with its port, and is no gateway if it has the files: %s', (url, isGateway, message) => {
		expect(unreachableFailure(url, { reason: 'refused' }, 1, isGateway).message).toBe(message);
	});
});

describe('A request that n8n does not allow', () => {
	const ip = 'The request was blocked because it resolves to a restricted IP address';

	it.each([
		['http://10.0.0.7:4010', /add 10\.0\.0\.7\/32 to N8N_SSRF_ALLOWED_IP_RANGES, and restart n8n/],
		['http://[fd00::7]:4010', /add fd00::7\/128 to N8N_SSRF_ALLOWED_IP_RANGES/],
		['https://gateway', /add gateway to N8N_SSRF_ALLOWED_HOSTNAMES, and restart n8n/],
		['https://gateway.example2', /add gateway\.example2 to N8N_SSRF_ALLOWED_HOSTNAMES/],
		['https://1.gateway', /add 1\.gateway to N8N_SSRF_ALLOWED_HOSTNAMES/],
	])('names the setting that allows it: %s', (url, advice) => {
		for (const isGateway of [true, false]) {
			const failure = unreachableFailure(url, { reason: 'blocked', detail: ip }, 1, isGateway);
			expectWords(failure, ['unreachable', /^n8n does not allow requests to /, advice]);
			expect(failure.description).toMatch(/ Nothing was sent\.$/);
			expect(failure.description?.includes('Allow it only if you trust the gateway')).toBe(!isGateway);
		}
	});
});

describe('A request that the rules of n8n do not allow', () => {
	it.each<[string | undefined, string]>([
		[undefined, ''],
		[' Not example.org. ', ' Not example.org.'],
	])('is explained with the words of n8n, if there are some: %j', (detail, why) => {
		const rules =
			'The allowed domains of the credential or the network rules of this n8n do not include this address.';
		const failure = unreachableFailure('https://gateway', { reason: 'blocked', detail });
		expect(failure.description).toBe(`${rules}${why} Nothing was sent.`);
	});
});

describe('A proxy on the way to the gateway', () => {
	it.each<[string, UnreachableReason, object, RegExp]>([
		['http://gateway:4010', 'refused', { host: '10.0.0.9', port: 3128 }, /\(10\.0\.0\.9:3128\) could not/],
		['https://gateway', 'other', { host: '10.0.0.9', port: 80 }, /\(10\.0\.0\.9:80\)/],
		['https://gateway', 'name', { host: 'proxy' }, /\(proxy\) could not be reached$/],
	])('is named if the connection to it was not made: %s, %s', (url, reason, peer, message) => {
		const failure = unreachableFailure(url, { reason, peer });
		expectWords(failure, ['unreachable', message, /HTTP_PROXY, HTTPS_PROXY, .* to NO_PROXY/]);
	});

	it.each<[string, object]>([
		['https://gateway', { host: '10.0.0.7', port: 443 }],
		['https://Gateway', { host: 'gateway' }],
		['http://[::1]', { host: '::1', port: 80 }],
		['https://gateway', {}],
	])('is not assumed if the connection was meant for the gateway itself: %s, %p', (url, peer) => {
		expect(unreachableFailure(url, { reason: 'refused', peer }).message).toMatch(/^No gateway answers/);
	});
});

it.each<[{ status: number; code?: string }, string | undefined]>([
	[{ status: 400 }, 'Or so.'],
	[{ status: 404, code: 'no_model' }, 'Or so.'],
	[{ status: 404 }, undefined],
])('No other path is advised for %j, %s', (facts, otherPath) => {
	const failure = ofStatus(facts);
	expect(withOtherPath(failure, otherPath)).toBe(failure);
});

describe('Other failures', () => {
	const LINK = 'https://files.example:8443/a?x=1';
	const moved = (facts: { status: number; code?: string }) => withOtherPath(ofStatus(facts), 'Or so.');

	it.each<[GatewayFailure, what: RegExp]>([
		[cancelledFailure(), /^cancelled: The execution was stopped\. Run the workflow again\.$/],
		[storageFailure('full'), /^storage: n8n could not save the file \(full\)\. .* paid for\. Free up/],
		[
			answerFailure('it is empty', { gatewayMessage: 'Oops' }),
			/^answer: .* cannot be used: it is empty: Oops/,
		],
		[
			ofStatus({ status: 200 }, { url: LINK }, { isWebPage: true }),
			/^address: files\.example answered with a web page instead of data\. Check/,
		],
		[downloadFailure(LINK, 'status 404'), /from files\.example:8443 \(status 404\)\. .* its link is kept\./],
		[downloadFailure('odd', 'no link'), /^download: The file .* from this address \(no link\)/],
		[inputFailure({ displayName: 'Size' }, 'is 0', 'Enter 1.'), /^input: Size is 0\. Enter 1\.$/],
		[emptyFailure('Size', 'Enter 1.'), /^input: Size is empty\. Enter 1\. If the value/],
		[choiceFailure('Size', 'x'.repeat(50), 'Do.'), /^input: Size is "x{40}", which is not one of .* Do\.$/],
		[settingsFailure('No key', 'Enter one.'), /^settings: No key\. Enter one\.$/],
		[spendingFailure('Max Cost', 5), /^spendingLimit: Max Cost \(5\) is reached\. .* increase Max Cost/],
		[
			unreportedFailure('Max Cost'),
			/: Max Cost cannot be kept, .* no cost for an answer\. .* instead of Max Cost\.$/,
		],
		[
			unreportedFailure('Max Total Tokens'),
			/^spendingLimit: Max Total Tokens cannot .* no tokens for an answer\./,
		],
		[moved({ status: 404 }), /^notFound: .* Or so\. The request was not carried out\.$/],
		[moved({ status: 405 }), /^notFound: .* Or so\. The request was not carried out\.$/],
		[moved({ status: 400 }), /^request: .* carried out\.$/],
		[moved({ status: 404, code: 'no_model' }), /^notFound: .* carried out\.$/],
	])('have their own words, and say whether anything was sent: %s', (failure, what) => {
		const { kind, message, description, facts } = failure;
		expect(`${kind}: ${message}. ${description}`).toMatch(what);
		const isUnsent = ['input', 'settings', 'spendingLimit'].includes(kind);
		expect(facts.attempts).toBe(isUnsent ? 0 : undefined);
	});

	it('keep what is known', () => {
		const partial = { id: 'a' };
		const known = { status: 404, partial };
		expect(answerFailure('', known).facts).toEqual(known);
		expect(cancelledFailure(known).facts).toEqual(known);
		expect(downloadFailure(LINK, '', known).facts).toEqual({ ...known, partial: { ...partial, url: LINK } });
	});
});

const NOW = Date.UTC(2026, 0, 31, 14, 0, 30);

describe('The end of a rate limit', () => {
	it.each([
		[4 * 60_000, 'UTC', '14:05'],
		[0, 'UTC', '14:01'],
		[10 * 3_600_000, 'UTC', 'February 1, 00:01'],
		[4 * 60_000, 'Asia/Tokyo', '23:05'],
		[2 * 3_600_000, 'Asia/Tokyo', 'February 1, 01:01'],
		[4 * 60_000, 'No/Where', '14:05 UTC'],
		[179 * 86_400_000, 'UTC', 'July 29, 14:01'],
		[500 * 86_400_000, 'UTC', 'June 15, 2027, 14:01'],
		[1e16, 'UTC', 'September 12, 275760, 00:00'],
		[Infinity, 'No/Where', 'September 12, 275760, 00:00 UTC'],
	])('in %p ms, in %s, is %p', (inMs, timeZone, words) => {
		expect(momentInWords(NOW + inMs, { now: NOW, timeZone })).toBe(words);
	});

	it.each([
		[0, 'The rate limit of the gateway is reached until 14:05, so this item was not sent'],
		[1, 'The rate limit of the gateway is reached until 14:05 (tried once)'],
		[3, 'The rate limit of the gateway is reached until 14:05 (tried 3 times)'],
	])('is in the message after %i attempts', (attempts, message) => {
		const facts = { attempts, status: 429, gatewayMessage: 'Quota used up' };
		const failure = limitFailure(facts, NOW + 4 * 60_000, { now: NOW, timeZone: 'UTC' });
		expect(failure.message).toBe(`${message}: Quota used up`);
		expect(failure.description).not.toContain('Quota used up');
		expect(failure.description).toMatch(/^Run the remaining items after that time\. .* higher limit\./);
		expect(failure).toMatchObject({ kind: 'rateLimit', facts: { status: 429 } });
	});

	it('may be unknown', () => {
		const failure = limitFailure({ requestId: 'r' }, undefined, { now: NOW, timeZone: 'UTC' });
		expect(failure).toMatchObject({
			kind: 'rateLimit',
			message: 'The rate limit of the gateway is reached (tried once)',
			facts: { status: 429, requestId: 'r' },
		});
		// Other words are those of what may have been carried out.
		expect(failure.description).not.toContain('charged for it');
	});
});

/** Sentences like those of OpenAI, Google, ElevenLabs, Anthropic, TEI, Mistral, DashScope, pydantic, and Chinese gateways. */
const LIMITS = `
4096 characters | Expected a string with maximum length 4096, but got a string with length 5123 instead.
4096 characters | body.input: String should have at most 4096 characters
4096 characters | input ensure this value has at most 4096 characters (max_length; limit_value=4096)
100 pages | A maximum of 100 PDF pages may be provided.
5000 bytes | Either input.text or input.ssml is longer than the limit of 5000 bytes. It differs from quotas.
2500 characters | This request's text has 2649 characters and exceeds the character limit of 2500 characters.
10000 characters | The text is too long: the limit is 10K characters
10000 characters | Text exceeds the maximum allowed length of 10,000
1000000 tokens | The context is limited to at most 1,000,000 tokens
200 characters | text length (204) should be less than 200 characters
2000 tokens | The input has 2310 tokens, more than the maximum of 2000 tokens
200000 tokens | prompt is too long: 210000 tokens > 200000 maximum
5242880 bytes | image exceeds 5 MB maximum: 6000000 bytes > 5242880 bytes
8192 tokens | Your request exceeded model token limit: 8192
512 tokens | Input validation error: inputs must have less than 512 tokens. Given: 534
512 tokens | Input length 700 exceeds maximum allowed token size 512
20000 tokens | The input token count is 25000 but the model supports up to 20000. Reduce it.
32000 characters | Input validation error: inputs must have less than 32000 characters. Given: 67337
16384 tokens | Too many tokens in batch. Max is 16384 got 17555
120000 tokens | The max allowed tokens per submitted batch is 120000. Your batch has 150000 tokens.
8192 tokens | This model's maximum context length is 8192 tokens. However, your messages resulted in 9000.
1024 characters | 文本长度超过限制，最大支持1024个字符
600 characters | 输入文本过长，不能超过600字
1024 bytes | 合成文本最长 1024 字节
2048 entries | Expected an array with maximum length 2048, but got an array with length 2049 instead.
10 entries | Value error, batch size is invalid, it should not be larger than 10.: input.contents
64 entries | input batch size 473 > maximum allowed batch size 64
96 entries | invalid request: total number of texts must be at most 96 - received 100`
	.trim()
	.split('\n')
	.map((line): [number, string, string] => {
		const [, most, unit, words] = /^(\d+) (\w+) \| (.*)$/.exec(line)!;
		return [Number(most), unit, words];
	});

const OTHERS = [
	'temperature must be at most 2',
	'max_tokens is too large: 100000. This model supports at most 16384 completion tokens.',
	'This request exceeds your quota. You have 119 characters remaining, while 965 characters are required.',
	'max_completion_tokens must be at most 4096 tokens',
	'maxOutputTokens is 70000, but must be at most 65536 tokens',
	'The voice "Narrator 2000" does not exist',
	'Field required',
	'The text needs at least 10 characters',
	// The place of a text is no limit.
	'The text exceeds the maximum length: inputs[0]',
	'documents: string too long, exceeds limit (list index 3)',
	'Maximum batch size is 0 texts',
	// The length of a recording, and the size of a file.
	'Input audio too long: 49.20s (maximum: 30s)',
	'The recording is longer than 60 seconds',
	'音频时长不能超过60秒',
	'File too long, the limit is 25 MB',
	'',
];

describe('The limit in the words of a gateway', () => {
	it.each(LIMITS)('is %d %s, and in the advice: %s', (most, unit, gatewayMessage) => {
		expect(namedLimit({ gatewayMessage })).toEqual({ most, unit });
		const advice = `accepts at most ${most.toLocaleString('en-US')} ${unit} here`;
		for (const status of [400, 413]) {
			expect(ofStatus({ status, gatewayMessage }).description).toContain(advice);
		}
	});

	it.each(OTHERS)('is none: %s', (gatewayMessage) => {
		expect(namedLimit({ gatewayMessage })).toBeUndefined();
		expect(ofStatus({ status: 400, gatewayMessage }).description).not.toContain('accepts at most');
	});
});
