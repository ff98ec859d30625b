import { NodeApiError, type INode } from 'n8n-workflow';
import {
	type FailureFacts,
	type FailureKind,
	GatewayFailure,
	toFailure,
} from '../../../nodes/shared/failure/failure';
import { asksToWait, mayRepeat, type Outcome } from '../../../nodes/shared/failure/outcome';

const node = { id: '1', name: 'Chat', type: 'x.chat' } as INode;
const failure = new GatewayFailure('request', 'It was rejected', 'Check it.', { status: 400, attempts: 1 });

describe('A failure', () => {
	it('is the same after n8n has saved it as plain data', () => {
		const saved = JSON.parse(JSON.stringify(failure.toPlain()));
		const { kind, message, description, facts } = failure;
		expect(saved).toEqual({ kind, message, description, facts });
		const restored = GatewayFailure.fromPlain(saved);
		expect(restored).toBeInstanceOf(GatewayFailure);
		expect(restored.toPlain()).toEqual(saved);
	});

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
	it.each<[kind: FailureKind, facts: FailureFacts, isUnusable: boolean, mayBeCharged: boolean]>([
		['answer', {}, true, true],
		['address', { status: 200 }, true, true],
		['address', { status: 302 }, false, false],
		['request', { status: 200 }, false, false],
		['storage', {}, false, true],
		['gateway', { mayHaveBeenCarriedOut: true }, false, true],
	])('is whether it may be paid for: %s, %j', (kind, facts, isUnusable, mayBeCharged) => {
		const { isUnusableAnswer, mayBeCharged: charged } = new GatewayFailure(kind, '', '', facts);
		expect([isUnusableAnswer, charged]).toEqual([isUnusable, mayBeCharged]);
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
			description: 'Check it.',
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
		expect(error.description).toBe('Start it.');
	});
});

describe('Something that was thrown', () => {
	it.each<[unknown, string, string]>([
		[Object.assign(new Error('Bad'), { description: 'Close the bracket.' }), 'Bad', 'Close the bracket.'],
		[new Error('Bad'), 'Bad', ''],
		[Object.assign(new Error('Bad'), { description: null }), 'Bad', ''],
		['Bad', 'Bad', ''],
	])(
		'becomes a failure with its message, and its description if it has one: %p',
		(thrown, message, description) => {
			expect(toFailure(thrown).toPlain()).toEqual({ kind: 'input', message, description, facts: {} });
		},
	);

	it('advises to correct the expression if n8n cannot evaluate one, and names the node that it refers to', () => {
		const error = Object.assign(new Error("Referenced node doesn't exist"), { name: 'ExpressionError' });
		expect(toFailure(error).description).toMatch(/^An expression .* cannot be evaluated\. Open the node/);
		const about = Object.assign(error, { context: { nodeCause: 'Form' } });
		expect(toFailure(about).description).toMatch(
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

describe('An outcome', () => {
	/** Whether what reads, generates, and creates may be sent again. */
	const repeats = (kind: Outcome['kind'], isWanted?: boolean) =>
		(['read', 'generate', 'create'] as const).map((one) => mayRepeat({ kind }, one, isWanted));

	it.each<[Outcome['kind'], boolean[], boolean[]]>([
		['notConnected', [true, true, true], [true, true, true]],
		['refused', [true, true, true], [true, true, true]],
		['notTaken', [true, true, true], [true, true, true]],
		['unclear', [true, false, false], [true, true, true]],
		['rejected', [false, false, false], [false, false, false]],
	])('allows to repeat by what a request does, and by what the user wants: %s', (kind, usual, wanted) => {
		expect(repeats(kind)).toEqual(usual);
		expect(repeats(kind, true)).toEqual(wanted);
		expect(mayRepeat({ kind, isFinal: true }, 'read', true)).toBe(false);
	});

	it.each<[Outcome, boolean]>([
		[{ kind: 'refused', status: 429 }, true],
		[{ kind: 'notTaken', status: 503 }, false],
		[{ kind: 'notTaken', status: 503, retryAfterMs: 0 }, true],
		[{ kind: 'notTaken', status: 500, retryAfterMs: 0 }, false],
		[{ kind: 'unclear', status: 503, retryAfterMs: 0 }, false],
	])('asks to wait if it is a refusal, or if a busy gateway says for how long: %j', (outcome, waits) => {
		expect(asksToWait(outcome)).toBe(waits);
	});
});
