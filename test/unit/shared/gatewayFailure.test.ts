import { NodeApiError, type INode } from 'n8n-workflow';
import { GatewayFailure, toFailure } from '../../../nodes/shared/errors/gatewayFailure';

const node: INode = {
	id: '1',
	name: 'Chat',
	type: 'n8n-nodes-unified-ai-gateway.chat',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};
const failure = new GatewayFailure('request', 'It was rejected', 'Check it.', { status: 400, attempts: 1 });

describe('A failure', () => {
	it('has its words and its name, and no facts unless it gets some', () => {
		expect(failure).toMatchObject({ name: 'GatewayFailure', kind: 'request', message: 'It was rejected' });
		expect(failure.description).toBe('Check it.');
		expect(new GatewayFailure('input', 'No', '').facts).toEqual({});
	});

	it('is the same with further facts, which replace earlier ones', () => {
		const more = failure.with({ attempts: 2, taskId: 'task-1' });
		expect(more).toMatchObject({ kind: 'request', message: 'It was rejected', description: 'Check it.' });
		expect(more.facts).toEqual({ status: 400, attempts: 2, taskId: 'task-1' });
		expect(failure.facts).toEqual({ status: 400, attempts: 1 });
	});

	it('is the same after n8n has saved it as plain data', () => {
		const saved = JSON.parse(JSON.stringify(failure.toPlain()));
		expect(saved).toEqual({
			kind: 'request',
			message: 'It was rejected',
			description: 'Check it.',
			facts: { status: 400, attempts: 1 },
		});
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

describe('A failure as an error item', () => {
	it('has the message, and everything that is known as details', () => {
		expect(failure.toErrorItem()).toEqual({
			error: 'It was rejected',
			details: { kind: 'request', description: 'Check it.', status: 400, attempts: 1 },
		});
	});

	it('leaves out what is unknown or empty, but not a zero', () => {
		const unknown = new GatewayFailure('input', 'No', '', { requestId: undefined, code: '', attempts: 0 });
		expect(Object.keys(unknown.toErrorItem().details)).toEqual(['kind', 'attempts']);
		const partial = { title: 'Rain', durationSeconds: undefined };
		expect(Object.keys(unknown.with({ partial }).toErrorItem().details.partial as object)).toEqual(['title']);
	});
});

describe('A failure on the node', () => {
	it('names the item, the advice, the status, and the details', () => {
		const error = failure.toNodeApiError(node, 3);
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error).toMatchObject({
			message: 'It was rejected [item 3]',
			description: 'Check it.',
			httpCode: '400',
			node,
		});
		expect(error.context).toMatchObject({
			itemIndex: 3,
			details: { kind: 'request', status: 400, attempts: 1 },
		});
	});

	it('keeps its words when n8n would replace them with its own for a network code', () => {
		const refused = new GatewayFailure('unreachable', 'ECONNREFUSED at gateway.example', 'Start it.');
		const error = refused.toNodeApiError(node, 0);
		expect(error.message).toBe('ECONNREFUSED at gateway.example [item 0]');
		expect(error.description).toBe('Start it.');
	});

	it('carries the results that were finished', () => {
		const error = failure.toNodeApiError(node, 0, { finishedResults: [{ item: 1 }] });
		expect(error.context).toMatchObject({ finishedResults: [{ item: 1 }], details: { kind: 'request' } });
	});

	it('of a sub-node is shown on the sub-node, without an item', () => {
		const error = failure.toSubNodeError(node);
		expect(error).toMatchObject({
			message: 'It was rejected',
			description: 'Check it.',
			functionality: 'configuration-node',
			httpCode: '400',
		});
		expect(error.context).toMatchObject({ details: { kind: 'request' } });
		expect(error.context).not.toHaveProperty('itemIndex');
	});
});

describe('Something that was thrown', () => {
	it('stays what it is if it is a failure', () => {
		expect(toFailure(failure)).toBe(failure);
	});

	it('becomes a failure with the message of the error, and its description if it has one', () => {
		const described = Object.assign(new Error('Bad expression'), { description: 'Close the bracket.' });
		expect(toFailure(described).toPlain()).toEqual({
			kind: 'input',
			message: 'Bad expression',
			description: 'Close the bracket.',
			facts: {},
		});
		expect(toFailure(new Error('Bad expression')).description).toBe('');
		expect(toFailure(Object.assign(new Error('Bad'), { description: null })).description).toBe('');
	});

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
		expect(toFailure({ description: 'An object, not an error' }).description).toBe('');
	});
});
