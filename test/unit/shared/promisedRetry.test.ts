import { deliver } from '../../../nodes/shared/run/deliver';
import { GatewayFailure } from '../../../nodes/shared/failure/failure';
import { Redactor } from '../../../nodes/shared/answer/redactor';
import { FakeContext, failureOf, type FakeSettings } from './fakeContext';

describe('A failure after paid rows', () => {
	it.each<[FakeSettings['mode'], FakeSettings['workflowSettings'], string]>([
		['trigger', undefined, 'a retry in Executions'],
		['trigger', { saveDataErrorExecution: 'none' }, 'no retry can reuse their results'],
		['trigger', { saveManualExecutions: false }, 'a retry in Executions'],
		['manual', { saveManualExecutions: false }, 'no retry can reuse their results'],
		['manual', { saveDataErrorExecution: 'none' }, 'a retry in Executions'],
	])('promises a retry only if n8n saves the execution: %s, %j', async (mode, workflowSettings, words) => {
		const { execute: context } = new FakeContext({ mode, workflowSettings });
		const failure = new GatewayFailure('request', 'Bad', 'Check it.');
		const payments = { keptItems: new Set([0]), leftOut: new Set<number>() };
		const results = [
			{ from: 0, json: {} },
			{ from: 1, failure },
		];
		const work = deliver({ context, redactor: new Redactor([]) }, results, { payments });
		expect((await failureOf(work)).description).toContain(words);
	});
});
