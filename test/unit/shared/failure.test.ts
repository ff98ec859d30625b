import { NodeApiError, type IDataObject, type INode, UserError } from 'n8n-workflow';
import type { FailureFacts } from '../../../nodes/shared/failure/evidence';
import type { FailureKind, Again, Charge } from '../../../nodes/shared/failure/kinds';
import {
	GatewayFailure,
	hostFailure,
	type PlainFailure,
	toFailure,
} from '../../../nodes/shared/failure/failure';
import { mayRepeat, ofFreeAnswer, paidFor, reportedFailure } from '../../../nodes/shared/failure/verdict';
import { RULES, RULES_AFTERWARDS } from '../../../nodes/shared/failure/rules';

const node = { id: '1', name: 'Chat', type: 'x.chat' } as INode;
const failure = new GatewayFailure('request', 'It was rejected', 'Check it.', { status: 400, attempts: 1 });

describe('A failure', () => {
	it('has at most 2,000 characters in its message and in its advice', () => {
		const [most, more] = ['x'.repeat(2_000), 'x'.repeat(2_001)];
		expect(new GatewayFailure('input', most, most)).toMatchObject({ message: most, description: most });
		expect(new GatewayFailure('input', more, more)).toMatchObject({
			message: `${most}…`,
			description: `${most}…`,
		});
	});
});

describe('What a failure says of costs', () => {
	it.each<[kind: FailureKind, charge: Charge]>([
		['answer', 'certain'],
		['storage', 'certain'],
		['download', 'certain'],
		['task', 'possible'],
		['settings', 'none'],
		['input', 'none'],
		['cancelled', 'none'],
		['bug', 'none'],
	])('follows from its kind, unless an attempt has ended with it: %s', (kind, charge) => {
		const failed = new GatewayFailure(kind, '', '');
		expect([failed.verdict, failed.isFree]).toEqual([{ charge, again: 'never' }, charge === 'none']);
		expect(failed.toErrorItem().details.charge).toBe(charge === 'none' ? undefined : charge);
	});

	it.each<[before: Charge, details: Charge]>([
		['none', 'certain'],
		['possible', 'possible'],
		['certain', 'certain'],
	])('counts what the item has paid for before: %s becomes %s', (charge, details) => {
		const failed = new GatewayFailure('input', 'No', 'Do.', { attempts: 0 });
		const item = failed.judged({ charge, paidBefore: true }).toErrorItem();
		expect(item.details.charge).toBe(details);
		expect(item.details.description).not.toContain('Nothing was sent');
	});

	it.each<[kind: FailureKind, facts: FailureFacts, ofItem: string, ofTwo: string]>([
		['input', { attempts: 0 }, ' Nothing was sent.', ' Nothing was sent for this row.'],
		['input', { attempts: 1 }, '', ''],
		['input', { attempts: 0, partial: {} }, '', ''],
		['settings', { attempts: 0 }, '', ''],
	])('is that nothing was sent, if a parameter was wrong: %s, %j', (kind, facts, ofItem, ofTwo) => {
		const wrong = new GatewayFailure(kind, 'No', 'Do.', facts);
		const onNode = (of: number) => wrong.toNodeApiError(node, { indexes: [0], of }).description;
		expect([wrong.toErrorItem().details.description, onNode(1), onNode(2)]).toEqual(
			[ofItem, ofItem, ofTwo].map((words) => `Do.${words}`),
		);
	});
});

describe('What a failure says of a request that may have been charged for', () => {
	// The advice of the others says it.
	const kinds = [...new Set(RULES.map(({ kind }) => (kind === 'ofStatus' ? 'gateway' : kind)))];
	const agains: Again[] = ['never', 'elsewhere', 'afterWait', 'inTurn', 'soon', 'ifFree'];
	const charges: Charge[] = ['possible', 'certain'];

	it.each(kinds.flatMap((kind) => charges.map((charge) => [kind, charge] as const)))(
		'is that it was: %s, charge: %s',
		(kind, charge) => {
			for (const again of agains)
				for (const attempts of [1, 2])
					expect(new GatewayFailure(kind, '', '', { attempts }, { charge, again }).description).toMatch(
						/charged for/,
					);
		},
	);
});

it.each([...RULES, ...RULES_AFTERWARDS])(
	'A rule says what has happened, and where it comes from: $what',
	(rule) => {
		expect(rule).toMatchObject({ what: expect.stringMatching(/\w/), source: expect.stringMatching(/\w/) });
	},
);

describe('The status of a failure', () => {
	const report = { hasErrorObject: true, isWebPage: false, hasResult: false };

	it.each<[status: number, code: string | undefined, shown: number]>([
		[200, 'rate_limit_exceeded', 429],
		[299, 'rate_limit_exceeded', 429],
		[300, 'rate_limit_exceeded', 300],
		[400, 'rate_limit_exceeded', 400],
		[400, undefined, 400],
		[503, undefined, 503],
	])('is that of the response, and inside a success that of the error: %s with %s', (status, code, shown) => {
		const { facts } = reportedFailure({ ...report, status }, { code });
		expect(facts.status).toBe(shown);
	});
});

describe('A failure as an error item', () => {
	it('leaves out what is unknown', () => {
		const unknown = new GatewayFailure('request', 'No', '', { requestId: undefined, attempts: 0 });
		expect(Object.keys(unknown.toErrorItem().details)).toEqual(['kind', 'description', 'attempts']);
		const partial = { title: 'Rain', durationSeconds: undefined };
		expect(Object.keys(unknown.with({ partial }).toErrorItem().details.partial as object)).toEqual(['title']);
	});
});

describe('A failure on the node', () => {
	it('names the item, the advice, the status, and what the editor shows under Error details', () => {
		const error = failure.toNodeApiError(node, { indexes: [3], of: 6 });
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error).toMatchObject({
			message: 'It was rejected (row 4 of 6)',
			description: 'Check it. The request was not carried out.',
			httpCode: '400',
			node,
		});
		expect(error.context).toMatchObject({
			itemIndex: 3,
			data: { kind: 'request', status: 400, attempts: 1 },
		});
	});

	it('keeps its words when n8n would replace them with its own for a network code', () => {
		const refused = new GatewayFailure('unreachable', 'ECONNREFUSED at gateway.example', 'Start it.');
		const error = refused.toNodeApiError(node, { indexes: [0], of: 1 });
		expect(error.message).toBe('ECONNREFUSED at gateway.example');
		expect(error.description).toBe('Start it. Nothing was sent.');
	});
});

describe('Something that was thrown', () => {
	const ofHost = (more: object = {}) => Object.assign(new UserError('Bad'), more);

	it.each([
		[ofHost({ description: 'Close the bracket.' }), 'Close the bracket.'],
		[ofHost(), ''],
		[ofHost({ description: null }), ''],
	])('by n8n becomes a failure with its message, and its description if it has one: %p', (thrown, advice) => {
		expect(toFailure(thrown)).toMatchObject({ kind: 'input', message: 'Bad', advice, charge: 'none' });
	});

	it.each([
		[new TypeError('x is undefined'), 'TypeError: x is undefined'],
		['Bad', 'Error: Bad'],
	])('by this package is a fault that can be reported, with its stack: %p', (thrown, what) => {
		const fault = toFailure(thrown);
		expect(fault).toMatchObject({ kind: 'bug', message: `The node itself has failed (${what})` });
		expect(fault.description).toMatch(
			/^This is a fault of the package .*, not of your workflow\. .*report it at https:/,
		);
		expect(fault.toErrorItem().details.stack).toContain('failure.test.ts');
		expect(mayRepeat(fault, true)).toBe(false);
	});

	it.each<[Again, boolean, boolean]>([
		['never', false, false],
		['ifFree', false, true],
		['soon', true, true],
		['elsewhere', true, true],
		['afterWait', true, true],
		['inTurn', true, true],
	])(
		'that may be sent again "%s" is: %j, and with Resend Unclear Requests: %j',
		(again, usually, unclear) => {
			const judged = failure.judged({ again });
			expect([mayRepeat(judged, false), mayRepeat(judged, true)]).toEqual([usually, unclear]);
		},
	);

	it('of an answer that is free is free, unless a file of a result was not stored', () => {
		const of = (kind: FailureKind) => ofFreeAnswer(new GatewayFailure(kind, 'No', '')).charge;
		expect([of('answer'), of('storage')]).toEqual(['none', 'certain']);
	});

	it('after a payment is certainly charged for if it is a fault of the package', () => {
		expect(paidFor(new TypeError('x')).charge).toBe('certain');
		expect(paidFor(failure)).toBe(failure);
	});

	it('advises to correct the expression if n8n cannot evaluate one, and names the node that it refers to', () => {
		const error = Object.assign(new Error("Referenced node doesn't exist"), { name: 'ExpressionError' });
		expect(hostFailure(error).description).toMatch(/^An expression .* cannot be evaluated\. Open the node/);
		const about = Object.assign(error, { context: { nodeCause: 'Form' } });
		expect(hostFailure(about).description).toMatch(
			/^An expression .* refers to the node "Form"\. Open the node/,
		);
	});

	it('takes nothing else along, such as the headers of a request with the key', () => {
		const error = Object.assign(new Error('Failed'), {
			config: { headers: { Authorization: 'Bearer key' } },
		});
		expect(JSON.stringify(toFailure(error).toErrorItem())).not.toContain('Bearer');
	});
});

describe('A failure after another one of the same request', () => {
	const lost = failure.judged({ charge: 'possible', again: 'ifFree' });

	it.each<[earlier: Again, later: Again, again: Again]>([
		['ifFree', 'soon', 'ifFree'],
		['ifFree', 'inTurn', 'ifFree'],
		['ifFree', 'never', 'never'],
		// What only reads may always be repeated.
		['soon', 'soon', 'soon'],
	])('is repeated only as an unclear one is: after %s, %s becomes %s', (earlier, later, again) => {
		const first = failure.judged({ charge: 'possible', again: earlier });
		expect(failure.judged({ again: later }).after(first).verdict).toMatchObject({
			charge: 'possible',
			again,
		});
	});

	it.each<Again>(['ifFree', 'soon'])(
		'is repeated as the earlier one is if the end of the run held it back: %s',
		(again) => {
			const earlier = lost.judged({ again });
			const heldBack = new GatewayFailure('cancelled', 'The run has ended', '').after(earlier);
			expect(heldBack.verdict).toMatchObject({ charge: 'possible', again });
			expect(heldBack.wasHeldBack).toBe(false);
		},
	);

	it.each([
		['possible', 3],
		['none', 1],
	] as const)(
		'that was not sent again has what is known of the attempts before: %s, %d',
		(charge, attempts) => {
			const before = failure.with({ attempts, requestId: 'r' }).judged({ charge });
			const facts = { status: 400, requestId: 'r', attempts };
			const limit = new GatewayFailure('spendingLimit', 'It is reached', '', { attempts: 0 });
			expect(limit.after(before)).toMatchObject({ kind: 'spendingLimit', charge, facts });
			const stopped = new GatewayFailure('cancelled', 'The run has ended', '', { attempts });
			expect(stopped.after(before)).toMatchObject({ kind: 'cancelled', charge, facts });
		},
	);

	it('may be charged for if an earlier attempt may be, and says so once', () => {
		const later = failure.after(lost);
		expect(later).toMatchObject({ kind: 'request', message: 'It was rejected', charge: 'possible' });
		expect(later.description).toMatch(
			/^Check it\. The gateway may have carried out one of the attempts and charged for it\. Look it up in the console .*\.$/,
		);
		expect(later.after(lost)).toMatchObject({ description: later.description, verdict: later.verdict });
		const refused = new GatewayFailure('unreachable', 'No', 'Start it.').after(lost);
		expect(refused.description).toMatch(/^Start it\. The gateway may have carried out one of the attempts/);
		expect(failure.after(failure).verdict).toEqual(failure.verdict);
		expect(lost.after(failure).verdict).toEqual(lost.verdict);
		const paid = failure.judged({ charge: 'certain', again: 'never' });
		expect(paid.after(lost).verdict).toEqual(paid.verdict);
		expect(failure.after(undefined)).toBe(failure);
	});

	it.each<[what: string, earlier: IDataObject, later: IDataObject, kept: IDataObject]>([
		['what only one of them has', { text: 'Hello' }, { id: 1 }, { text: 'Hello', id: 1 }],
		['the longer text', { text: 'Hello' }, { text: 'Hello, you' }, { text: 'Hello, you' }],
		[
			'the longer text, although it came first',
			{ text: 'Hello, you' },
			{ text: 'Hello' },
			{ text: 'Hello, you' },
		],
		[
			'another answer',
			{ text: 'Bye' },
			{ text: 'Hello' },
			{ text: 'Hello', otherAttempts: [{ text: 'Bye' }] },
		],
		[
			'all of another answer as one',
			{ id: 'a', text: 'Bye' },
			{ id: 'b', text: 'Hello' },
			{ id: 'b', text: 'Hello', otherAttempts: [{ id: 'a', text: 'Bye' }] },
		],
		[
			'the larger object',
			{ usage: { tokens: 1, cost: 1 } },
			{ usage: {} },
			{ usage: { tokens: 1, cost: 1 } },
		],
		[
			'all other answers',
			{ text: 'Hello', otherAttempts: [{ text: 'Bye' }] },
			{ text: 'No' },
			{ text: 'Hello', otherAttempts: [{ text: 'Bye' }, { text: 'No' }] },
		],
	])('keeps what both have left behind: %s', (_what, earlier, later, partial) => {
		const both = failure.with({ partial: later }).after(lost.with({ partial: earlier }));
		expect(both.facts.partial).toEqual(partial);
	});

	it('has nothing of both if neither has left anything behind', () => {
		expect(failure.after(lost).facts).not.toHaveProperty('partial');
	});
});

describe('A failure that is passed on', () => {
	const report = { status: 400, hasErrorObject: true, isWebPage: false, hasResult: false };
	const cause = new Error('socket hang up');

	it('keeps its report, its cause, and its stack in other words', () => {
		const first = new GatewayFailure('request', 'No', '', {}, undefined, { report, cause });
		const { stack } = first;
		expect(first.advising('Check it.')).toMatchObject({ advice: 'Check it.', report, cause, stack });
		expect(first.advising('Check it.').advising('Again.').advice).toBe('Check it. Again.');
	});

	it('is the same when n8n has saved it', () => {
		const saved = JSON.parse(JSON.stringify(failure.toPlain())) as PlainFailure;
		expect(GatewayFailure.fromPlain(saved).toPlain()).toEqual(failure.toPlain());
	});

	it.each<[kind: FailureKind, charge: Charge, isUnclear: boolean]>([
		['gateway', 'possible', true],
		['gateway', 'certain', false],
		['gateway', 'none', false],
		// The gateway says what has become of a song.
		['task', 'possible', false],
	])('is unclear if nobody knows whether the request was carried out: %s, %s', (kind, charge, isUnclear) => {
		const failed = new GatewayFailure(kind, '', '').judged({ charge });
		expect(failed.isUnclear).toBe(isUnclear);
	});

	it('names the sub-node on which n8n shows it, and no status without a response', () => {
		const error = new GatewayFailure('input', 'No', 'Check it.').toSubNodeError(node);
		expect(error).toMatchObject({
			message: 'No',
			description: 'Check it.',
			functionality: 'configuration-node',
		});
		expect(error.httpCode).toBeNull();
	});
});
