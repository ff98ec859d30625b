import { unknownTaskFailure } from '../../../nodes/Music/tasks/queryTask';
import { taskFailure } from '../../../nodes/Music/tasks/results';
import {
	afterUnclearAttempt,
	answerFailure,
	cancelledFailure,
	chargedFailure,
	downloadFailure,
	inputFailure,
	interruptedFailure,
	labelOf,
	storageFailure,
} from '../../../nodes/shared/errors/errorMessages';
import {
	failingPageFailure,
	statusFailure,
	webPageFailure,
	withGatewayWords,
} from '../../../nodes/shared/errors/statusFailure';
import { unreachableFailure, type UnreachableReason } from '../../../nodes/shared/errors/unreachableFailure';
import type { GatewayFailure } from '../../../nodes/shared/errors/gatewayFailure';
import { MAX_RATE_LIMIT_RETRIES } from '../../../nodes/shared/fields/options';

const unclear = { mayHaveBeenCarriedOut: true };

/** The kind of a failure, what happened, and what to do next. */
type Words = [kind: string, message: RegExp, advice: RegExp];

function expectWords(failure: GatewayFailure, [kind, message, advice]: Words): void {
	expect(failure.kind).toBe(kind);
	expect(failure.message).toMatch(message);
	expect(failure.description).toMatch(advice);
}

describe('A response with an error status', () => {
	it.each<[number, ...Words]>([
		[300, 'address', /redirects this request/, /sent only to the addresses in the credential/],
		[399, 'address', /redirects/, /enter it as Base URL/],
		[400, 'request', /rejected the request \(status 400\)/, /^Check the parameters.* was not carried out\.$/],
		[401, 'authentication', /did not accept the API key/, /enter the API Key again/],
		[402, 'permission', /not have enough credit for this request \(status 402\)/, /^Add credit/],
		[
			413,
			'request',
			/too large for the gateway \(status 413\)/,
			/^Shorten the text.* was not carried out\.$/,
		],
		[403, 'permission', /not allowed to make this request \(status 403\)/, /credit left/],
		[404, 'notFound', /no such address or model \(status 404\)/, /Select the model from the list/],
		[405, 'notFound', /\(status 405\)/, /without "\/v1"/],
		[429, 'rateLimit', /rate limit .* is reached/, /Requests per Minute/],
		[499, 'request', /\(status 499\)/, /Check the parameters/],
		[500, 'gateway', /temporarily unavailable \(status 500, tried once\)/, /in a few minutes/],
		[599, 'gateway', /temporarily unavailable \(status 599/, /contact the operator/],
		// Not an error status by any standard; the gateway still did not succeed.
		[299, 'request', /^The gateway reports a failure, but gives no reason$/, /Check the parameters/],
	])('%i is a failure of the kind %s with its own words', (status, ...words) => {
		const failure = statusFailure({ status, code: 'some_code' });
		expectWords(failure, words);
		expect(failure.facts).toEqual({ status, code: 'some_code' });
	});

	it('repeats what the gateway says', () => {
		const rejected = statusFailure({ status: 400, gatewayMessage: 'Too long' });
		expect(rejected.message).toBe('The gateway rejected the request: Too long');
		for (const status of [400, 401, 403, 404, 429, 500]) {
			const { message, description } = statusFailure({ status, gatewayMessage: 'Too long' });
			expect(message).toMatch(/^[^:]+: Too long$/);
			expect(description).not.toContain('Too long');
		}
	});

	it('says how many times the request was sent', () => {
		expect(statusFailure({ status: 503, attempts: 1 }).message).toContain('tried once');
		expect(statusFailure({ status: 503, attempts: 7 }).message).toContain('tried 7 times');
		expect(statusFailure({ status: 429, attempts: 7 }).message).toContain('tried 7 times');
		expect(statusFailure({ status: 429, attempts: 0 }).message).toContain('so this item was not sent');
	});
});

describe('A request that may have been carried out', () => {
	const cases: Array<[string, (facts: object) => GatewayFailure, RegExp]> = [
		['after a status 408', (facts) => statusFailure({ ...facts, status: 408 }), /gave up on the request/],
		[
			'after a status 502',
			(facts) => statusFailure({ ...facts, status: 502 }),
			/gave up .*\(status 502, tried/,
		],
		['after a lost connection', (facts) => interruptedFailure(undefined, facts), /connection .* was lost/],
		['after a timeout', (facts) => interruptedFailure('silence', facts), /did not respond in time/],
	];

	it.each(cases)('says %s that it may be paid for and was not sent again', (_name, failureWith, message) => {
		const failure = failureWith({ ...unclear, attempts: 1 });
		expect(failure.message).toMatch(message);
		expect(failure.facts).toMatchObject({ mayHaveBeenCarriedOut: true, attempts: 1 });
		expect(failure.description).toMatch(/^The gateway may have carried the request out and charged for it\./);
		expect(failure.description).toContain('it was not sent again');
		expect(failure.description).toContain('Look it up in the console of your gateway');
		expect(failure.description).toContain('set Idempotency Header in the credential');
		expect(failureWith(unclear).description).toBe(failure.description);
	});

	it.each(cases)('does not say %s that it was not sent again if it was', (_name, failureWith) => {
		const { description } = failureWith({ ...unclear, attempts: 2 });
		expect(description).toMatch(/^The gateway may have carried the request out .* Look it up in the console/);
		expect(description).not.toContain('not sent again');
		expect(description).not.toContain('Idempotency');
	});

	it.each(cases)('claims nothing of the kind %s if it only reads', (_name, failureWith) => {
		expect(failureWith({ attempts: 1 }).description).not.toMatch(/charged|Idempotency/);
	});
});

describe('An interrupted request', () => {
	const longer = 'Run the item again. If';

	it('is advised to take more time only if it took too long, with the limit that it exceeded', () => {
		expect(interruptedFailure(undefined, {}).description).toBe('Run the item again.');
		expect(interruptedFailure('silence', {}).description).toBe(
			`${longer} the gateway only needs more time, increase Timeout (Seconds) in Options.`,
		);
		expect(interruptedFailure('total', {}).description).toBe(
			`${longer} it only needs more time, increase Total Time Limit (Minutes) in Options.`,
		);
		expect(interruptedFailure('silence', unclear).description).toMatch(/increase Timeout \(Seconds\)/);
	});

	it('says what happened', () => {
		expect(interruptedFailure(undefined, {})).toMatchObject({
			kind: 'interrupted',
			message: expect.stringMatching(/connection .* was lost before the response was complete/),
		});
		expect(interruptedFailure('silence', {}).message).toBe('The gateway did not respond in time');
		expect(interruptedFailure('total', {}).message).toMatch(/was not complete in time/);
	});
});

describe('A failure after an attempt that may have been carried out', () => {
	it('warns of that attempt, and no longer says that nothing was sent', () => {
		const failures = [
			unreachableFailure('https://gateway.example/v1', { reason: 'refused' }, { attempts: 2 }),
			statusFailure({ status: 400, attempts: 2 }),
		];
		for (const failure of failures) {
			const warning = afterUnclearAttempt(failure);
			expect(warning).toMatchObject({ kind: failure.kind, message: failure.message });
			expect(warning.facts).toEqual({ ...failure.facts, mayHaveBeenCarriedOut: true });
			expect(warning.description).not.toMatch(/Nothing was sent|not carried out|\.\.| {2}/);
			expect(warning.description).toMatch(/^Check .*\. The gateway may have carried out an earlier attempt/);
			expect(warning.description).toContain('Look it up in the console of your gateway');
		}
	});

	it('stays as it is if it already says so', () => {
		const failure = interruptedFailure(undefined, unclear);
		expect(afterUnclearAttempt(failure)).toBe(failure);
	});
});

describe('A gateway that cannot be reached', () => {
	it.each<[UnreachableReason, RegExp, RegExp]>([
		['name', /^The address gateway\.example does not exist$/, /Base URL in the credential for typos/],
		[
			'refused',
			/^No gateway answers at gateway\.example:443$/,
			/host and port .* Inside Docker, localhost is .* Nothing was sent\.$/,
		],
		[
			'secure',
			/^A secure connection to gateway\.example:443 could not/,
			/start with http:\/\/ instead of https:\/\/\. Nothing was sent\.$/,
		],
		[
			'certificate',
			/^The certificate of gateway\.example:443 is not valid$/,
			/expired, .* set NODE_EXTRA_CA_CERTS to .* Nothing was sent\.$/,
		],
		[
			'blocked',
			/^n8n does not allow requests to gateway\.example:443$/,
			/allowed domains .* this address\.$/,
		],
		['invalid', /^The request to gateway\.example:443 cannot be sent$/, /line breaks .* Nothing was sent\.$/],
		[
			'other',
			/^gateway\.example:443 could not be reached$/,
			/network connection .* NO_PROXY .* Nothing was sent\.$/,
		],
	])('says why: %s', (reason, message, advice) => {
		const failure = unreachableFailure('https://gateway.example/v1', { reason }, { attempts: 3 });
		expectWords(failure, ['unreachable', message, advice]);
		expect(failure.facts).toEqual({ attempts: 3 });
	});

	it('is named with its port, and is no gateway if it has the files', () => {
		const refused = { reason: 'refused' } as const;
		expect(unreachableFailure('http://10.0.0.7/v1', refused, {}).message).toBe(
			'No gateway answers at 10.0.0.7:80',
		);
		expect(unreachableFailure('http://localhost:4010/', refused, {}).message).toContain('localhost:4010');
		expect(unreachableFailure('https://files.example/a', refused, {}, false).message).toBe(
			'No server answers at files.example:443',
		);
	});

	it('repeats the reason that n8n gives', () => {
		const blocked = { reason: 'blocked', detail: 'Domain not allowed' } as const;
		const { description } = unreachableFailure('https://gateway.example/v1', blocked, {});
		expect(description).toMatch(/do not include this address\. Domain not allowed$/);
	});
});

describe('A request that n8n does not allow', () => {
	const ip = 'The request was blocked because it resolves to a restricted IP address';
	const name = 'The request was blocked because the destination hostname is restricted';

	it.each([
		['http://10.0.0.7:4010', ip, /add 10\.0\.0\.7\/32 to N8N_SSRF_ALLOWED_IP_RANGES, and restart n8n/],
		['http://[fd00::7]:4010', ip, /add fd00::7\/128 to N8N_SSRF_ALLOWED_IP_RANGES/],
		['https://gateway', ip, /add gateway to N8N_SSRF_ALLOWED_HOSTNAMES, and restart n8n/],
		['https://gateway', name, /N8N_SSRF_BLOCKED_HOSTNAMES .* add gateway to N8N_SSRF_ALLOWED_HOSTNAMES/],
	])('names the setting that allows it: %s, "%s"', (url, detail, advice) => {
		for (const isGateway of [true, false]) {
			const failure = unreachableFailure(url, { reason: 'blocked', detail }, {}, isGateway);
			expectWords(failure, ['unreachable', /^n8n does not allow requests to /, advice]);
			expect(failure.description).toMatch(/ Nothing was sent\.$/);
			expect(failure.description?.includes('Allow it only if you trust the gateway')).toBe(!isGateway);
		}
	});
});

describe('A proxy on the way to the gateway', () => {
	it.each<[string, UnreachableReason, object, RegExp]>([
		['http://gateway:4010', 'refused', { host: '10.0.0.9', port: 3128 }, /\(10\.0\.0\.9:3128\) could not/],
		['https://gateway', 'other', { host: '10.0.0.9', port: 80 }, /\(10\.0\.0\.9:80\)/],
		['https://gateway', 'name', { host: 'proxy' }, /\(proxy\) could not be reached$/],
		['http://10.0.0.7', 'refused', { host: '10.0.0.9', port: 80 }, /\(10\.0\.0\.9:80\)/],
	])('is named if the connection to it was not made: %s, %s', (url, reason, peer, message) => {
		const failure = unreachableFailure(url, { reason, peer }, {});
		expectWords(failure, ['unreachable', message, /HTTP_PROXY, HTTPS_PROXY, .* to NO_PROXY/]);
	});

	it.each<[string, object]>([
		['https://gateway', { host: '10.0.0.7', port: 443 }],
		['https://Gateway', { host: 'gateway' }],
		['http://[::1]', { host: '::1', port: 80 }],
		['https://gateway', {}],
	])('is not assumed if the connection was meant for the gateway itself: %s, %p', (url, peer) => {
		expect(unreachableFailure(url, { reason: 'refused', peer }, {}).message).toMatch(/^No gateway answers/);
	});

	it('asks for its user name and password, in a web page or not', () => {
		const facts = { status: 407 };
		for (const failure of [statusFailure(facts), failingPageFailure('https://gateway', facts, true)]) {
			expectWords(failure, [
				'request',
				/^The proxy of this n8n requires a user name and a password \(status 407\)$/,
				/HTTP_PROXY and HTTPS_PROXY .* NO_PROXY/,
			]);
		}
	});
});

describe('Other failures', () => {
	it.each<[string, GatewayFailure, ...Words]>([
		[
			'a web page',
			webPageFailure('https://gateway.example/v1/models?x=1', { status: 200 }),
			'address',
			/^gateway\.example answered with a web page/,
			/must be the API address .* not the address of its web console/,
		],
		[
			'an answer that cannot be used',
			answerFailure('it is empty', { gatewayMessage: 'Oops' }),
			'answer',
			/^The gateway's response cannot be used: it is empty: Oops$/,
			/^The response does not have the expected form\. .*request ID/,
		],
		[
			'a file that n8n could not save',
			storageFailure('disk full'),
			'storage',
			/^n8n could not save the file \(disk full\)$/,
			/created and paid for\. Free up space/,
		],
		[
			'a task that failed',
			taskFailure('forbidden word', { taskId: 'task-1' }),
			'task',
			/^The gateway could not finish the task: forbidden word$/,
			/A new task is charged again/,
		],
		[
			'a task that failed without a reason',
			taskFailure('', { taskId: 'task-1' }),
			'task',
			/^The gateway could not finish the task$/,
			/task ID is kept/,
		],
		[
			'a task that does not exist',
			unknownTaskFailure({ taskId: 'task-1', gatewayMessage: 'Oops' }),
			'notFound',
			/^The gateway has no task "task-1": Oops$/,
			/^Check Task ID\./,
		],
		[
			'a stopped execution',
			cancelledFailure(),
			'cancelled',
			/^The execution was stopped$/,
			/^Run the workflow again\.$/,
		],
	])('have their own words: %s', (_name, failure, ...words) => {
		expectWords(failure, words);
	});

	it('keep what is known', () => {
		expect(webPageFailure('https://gateway.example/', { status: 200 }).facts).toEqual({ status: 200 });
		expect(answerFailure('empty').facts).toEqual({});
		expect(answerFailure('empty', { partial: { text: 'Hel' } }).facts).toEqual({ partial: { text: 'Hel' } });
		expect(storageFailure('full').facts).toEqual({ mayHaveBeenCarriedOut: true });
		expect(taskFailure('', { taskId: 'task-1' }).facts).toEqual({ taskId: 'task-1' });
		expect(unknownTaskFailure({ taskId: 'task-1' }).facts).toEqual({ taskId: 'task-1' });
		expect(cancelledFailure().facts).toEqual({});
		expect(cancelledFailure(unclear).facts).toEqual(unclear);
	});
});

describe('A file that cannot be downloaded', () => {
	it('keeps its link beside what else is known, because the file is paid for', () => {
		const failure = downloadFailure('https://files.example:8443/a?x=1', 'status 404', {
			status: 404,
			partial: { id: 'a' },
		});
		expectWords(failure, [
			'download',
			/^The file could not be downloaded from files\.example:8443 \(status 404\)$/,
			/created and paid for, and its link is kept\. Open the link/,
		]);
		expect(failure.facts).toEqual({
			status: 404,
			partial: { id: 'a', url: 'https://files.example:8443/a?x=1' },
		});
	});

	it('keeps a link that is not an address', () => {
		const failure = downloadFailure('nonsense', 'no address');
		expect(failure.message).toBe('The file could not be downloaded from this address (no address)');
		expect(failure.facts.partial).toEqual({ url: 'nonsense' });
	});
});

describe('A parameter that cannot be used', () => {
	it('is named as in the editor, and nothing was sent', () => {
		const failure = inputFailure({ displayName: 'Max Tokens' }, 'is 0', 'Enter 1 or more.');
		expectWords(failure, ['input', /^Max Tokens is 0$/, /^Enter 1 or more\.$/]);
		expect(failure.facts).toEqual({ attempts: 0 });
		expect(labelOf('The link of the next page')).toBe('The link of the next page');
	});
});

describe('A response that was probably paid for', () => {
	it('says so once', () => {
		const charged = chargedFailure(answerFailure('it is empty'));
		expect(charged.description).toContain('has probably charged for it');
		expect(charged.facts).toEqual({ mayHaveBeenCarriedOut: true });
		expect(chargedFailure(charged)).toBe(charged);
		const other = statusFailure({ status: 400 });
		expect(chargedFailure(other)).toBe(other);
	});
});

describe('The message of the gateway', () => {
	it('follows ours if there is one', () => {
		expect(withGatewayWords('It failed', {})).toBe('It failed');
		expect(withGatewayWords('It failed', { gatewayMessage: 'Oops' })).toBe('It failed: Oops');
	});
});

describe('A status', () => {
	it.each([
		[503, 'model_not_found', 'notFound'],
		[503, 'no_capacity', 'gateway'],
		[500, 'invalid_request_error', 'request'],
		[429, 'insufficient_quota', 'permission'],
		[429, 'rate_limit_exceeded', 'rateLimit'],
		[404, 'invalid_request_error', 'notFound'],
	])('%i with the code %s is a failure of the kind %s', (status, code, kind) => {
		expect(statusFailure({ status, code })).toMatchObject({ kind, facts: { status } });
		expect(statusFailure({ status, type: code })).toMatchObject({ kind });
	});

	it.each([
		['there is no model "x"', true, /select Model from the list/],
		['there is no voice "x"', true, /select Voice from the list/],
		['该模型不存在', true, /select Model from the list/],
		['the size is wrong', true, /^Check the parameters of this item, then run it again\. The request/],
		['there is no model "x"', false, /^Check the parameters of this item, then run it again\. The request/],
	])(
		'400 with "%s" sends the user to the list that it is about (names a model: %s)',
		(words, names, advice) => {
			const { description } = statusFailure({ status: 400, gatewayMessage: words }, names);
			expect(description).toMatch(advice);
		},
	);

	it('429 names the option that waits longer', () => {
		expect(statusFailure({ status: 429 }).description).toContain(MAX_RATE_LIMIT_RETRIES.displayName);
	});

	it('404 does not speak of models where the request names none', () => {
		expect(statusFailure({ status: 404 }, false)).toMatchObject({
			message: 'The gateway has no such address (status 404)',
			description: expect.not.stringContaining('model'),
		});
	});
});
