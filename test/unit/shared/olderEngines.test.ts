import { type INode, type INodeExecutionData, NodeApiError } from 'n8n-workflow';
import { inputFailure } from '../../../nodes/shared/failure/words';
import { deliver } from '../../../nodes/shared/run/deliver';
import { errorInWords, markedAsFailed } from '../../../nodes/shared/olderEngines';
import { Redactor } from '../../../nodes/shared/answer/redactor';
import { FakeContext } from './fakeContext';

const failedItem = (): INodeExecutionData => ({
	json: { error: 'No', details: { taskId: 't1' } },
	pairedItem: { item: 0 },
});

describe('A failed item in older versions of n8n', () => {
	it('is saved without the mark', () => {
		const marked = markedAsFailed(failedItem());
		expect(JSON.parse(JSON.stringify(marked))).toEqual(failedItem());
		expect({ ...marked }).toEqual(failedItem());
	});

	it('is marked only if it goes to the error output, and nothing else is', async () => {
		const marksFor = async (type: string, onError: INode['onError']) => {
			const { execute: context } = new FakeContext({ node: { type, onError }, continueOnFail: true });
			const failure = inputFailure({ displayName: 'Text' }, 'is empty', 'Enter one.');
			const results = [
				{ from: 0, json: { a: 1 } },
				{ from: 1, failure },
			];
			const items = await deliver({ context, redactor: new Redactor([]) }, results);
			return items.map(({ error }) => error !== undefined);
		};
		expect(await marksFor('x.image', 'continueErrorOutput')).toEqual([false, true]);
		expect(await marksFor('x.image', 'continueRegularOutput')).toEqual([false, false]);
		expect(await marksFor('x.imageTool', 'continueErrorOutput')).toEqual([false, false]);
	});
});

/** An error of the request helper before 2.34: the words and the code, without the error of the connection. */
function wordsOnly(message: string, code?: string): NodeApiError {
	const cause = Object.assign(new Error(message), { code });
	const error = new NodeApiError({ name: 'Chat' } as INode, cause as never);
	Object.assign(error, { cause: undefined });
	return error;
}

describe('An error of a connection in older versions of n8n', () => {
	const to = (hostname: string, port: number) => ({ syscall: 'connect', hostname, port });
	const named = { syscall: 'getaddrinfo', hostname: 'gateway.example' };
	const unsent = { request: { socket: { destroyed: true, secureConnecting: true } } };
	const closed = 'Client network socket disconnected before secure TLS connection was established';

	it.each<[string, string, object]>([
		['connect ECONNREFUSED 127.0.0.1:9', 'ECONNREFUSED', to('127.0.0.1', 9)],
		['connect ETIMEDOUT ::1:80', 'ETIMEDOUT', to('::1', 80)],
		['connect EHOSTUNREACH 10.1.2.3:443 - Local (10.0.0.9:510)', 'EHOSTUNREACH', to('10.1.2.3', 443)],
		['getaddrinfo ENOTFOUND gateway.example', 'ENOTFOUND', named],
		['self-signed certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT', {}],
		[closed, 'ECONNRESET', unsent],
	])('tells from "%s" that nothing was sent', (message, code, said) => {
		expect(errorInWords(wordsOnly(message, code))).toMatchObject({ code, ...said });
	});

	it.each([
		['read ECONNRESET', 'ECONNRESET'],
		['socket hang up', 'ECONNRESET'],
		['timeout of 1000ms exceeded', 'ECONNABORTED'],
		['write EPROTO 40A7:error:0A00010B:SSL routines:ssl3_get_record:wrong version number', 'EPROTO'],
		['The model said: connect ECONNREFUSED 127.0.0.1:9', undefined],
	])('does not tell from "%s" whether something was sent', (message, code) => {
		const said = errorInWords(wordsOnly(message, code));
		expect(said).toMatchObject({ message });
		expect(said?.code).toBe(code);
		expect([said?.syscall, said?.request]).toEqual([undefined, undefined]);
	});

	it('is not asked when the error itself is there', () => {
		const error = wordsOnly('connect ECONNREFUSED 127.0.0.1:9');
		error.cause = new Error('socket hang up');
		expect(errorInWords(error)).toBeUndefined();
		expect(errorInWords(new Error('connect ECONNREFUSED 127.0.0.1:9'))).toBeUndefined();
	});
});
