import { GatewayFailure } from '../../../nodes/shared/errors/gatewayFailure';
import { subNodeError } from '../../../nodes/shared/run/exits';
import { loggedRun, supplySubNode, withSubNodeErrors } from '../../../nodes/shared/run/subNode';
import { Redactor } from '../../../nodes/shared/answer/redactor';
import { FakeContext, failureOf } from './fakeContext';

const bad = new GatewayFailure('request', 'Bad', 'Check it.', { status: 400 });
const exitOf = ({ supply }: FakeContext) => ({ context: supply, redactor: new Redactor([]) });
const TEXT = { displayName: 'Prompt', name: 'prompt' };

describe('A sub-node', () => {
	it('gives what it creates from its parameters for an item to the node that uses it', async () => {
		const parameters = {
			prompt: (index: number) => `Prompt ${index}`,
			options: { parallelRequests: 2 },
		};
		const { supply } = new FakeContext({ parameters });
		const { response } = await supplySubNode(supply, 3, (call) => ({
			text: call.text(TEXT),
			most: call.client.lanes.width,
			base: call.client.addresses.base,
		}));
		expect(response).toEqual({ text: 'Prompt 3', most: 2, base: 'https://gateway.example' });
	});

	it('shows what is wrong with a parameter, or with the credential, on itself', async () => {
		const { supply } = new FakeContext();
		const failure = await failureOf(supplySubNode(supply, 0, (call) => call.requiredText(TEXT)));
		expect(failure).toMatchObject({ message: 'Prompt is empty', functionality: 'configuration-node' });
		const unusable = new FakeContext({ credential: { baseUrl: '' } });
		expect(await failureOf(supplySubNode(unusable.supply, 0, () => ({})))).toMatchObject({
			message: 'Base URL is missing in the credential',
			functionality: 'configuration-node',
		});
	});

	it('shows every failure on itself', async () => {
		const exit = exitOf(new FakeContext({ node: { name: 'Model' } }));
		const error = await subNodeError(exit, 'a text');
		expect(error).toMatchObject({ message: 'a text', functionality: 'configuration-node' });
		expect(error.node.name).toBe('Model');
		expect(await withSubNodeErrors(exit, async () => 7)).toBe(7);
		expect(await failureOf(withSubNodeErrors(exit, async () => await Promise.reject(bad)))).toMatchObject({
			message: 'Bad',
			description: 'Check it.',
			httpCode: '400',
		});
	});
});

describe('A piece of work of a sub-node', () => {
	it('appears in the execution as a run, with its input and output', async () => {
		const context = new FakeContext();
		const work = async () => ({ value: [0.5], output: { length: 1 } });
		expect(await loggedRun(exitOf(context), 'ai_embedding', { text: 'a' }, work)).toEqual([0.5]);
		expect(context.logged).toEqual([
			['input of ai_embedding', [[{ json: { text: 'a' } }]]],
			['output 1 of ai_embedding', [[{ json: { length: 1 } }]]],
		]);
	});

	it('appears with its error', async () => {
		const context = new FakeContext();
		const work = async () => await Promise.reject(bad);
		const error = await failureOf(loggedRun(exitOf(context), 'ai_embedding', {}, work));
		expect(error).toMatchObject({ message: 'Bad', functionality: 'configuration-node' });
		expect(context.logged[1]).toEqual(['output 1 of ai_embedding', error]);
	});
});
