import type { IBinaryData } from 'n8n-workflow';
import { GatewayFailure } from '../../../nodes/shared/errors/gatewayFailure';
import type { LinkedResult } from '../../../nodes/shared/run/operation';
import { fileReference, finishedResults, toOutputItem } from '../../../nodes/shared/run/output';
import { approximateLength } from '../../../nodes/shared/plain/values';

const file: IBinaryData = {
	id: 'filesystem:1',
	fileName: 'a.mp3',
	mimeType: 'audio/mpeg',
	fileSize: '3 B',
	data: 'QUJD',
	fileExtension: 'mp3',
};
const reference = { id: 'filesystem:1', fileName: 'a.mp3', mimeType: 'audio/mpeg', fileSize: '3 B' };
const failed = (facts: object = {}) => new GatewayFailure('request', 'Rejected', 'Check it.', facts);

describe('An output item', () => {
	it('is linked to the items that it came from', () => {
		const item = toOutputItem({ from: 2, result: { json: { text: 'a' } } });
		expect(item).toEqual({ json: { text: 'a' }, pairedItem: { item: 2 } });
		const { pairedItem } = toOutputItem({ from: [0, 3], result: { json: {} } });
		expect(pairedItem).toEqual([{ item: 0 }, { item: 3 }]);
	});

	it('leaves fields without a value out', () => {
		const { json } = toOutputItem({ from: 0, result: { json: { text: '', tokens: undefined, id: null } } });
		expect(Object.entries(json)).toEqual([
			['text', ''],
			['id', null],
		]);
	});

	it('has its files only if there are any', () => {
		const withFiles = (files: Record<string, IBinaryData>) =>
			toOutputItem({ from: 0, result: { json: {}, files } });
		expect(withFiles({ data: file }).binary).toEqual({ data: file });
		expect(withFiles({})).not.toHaveProperty('binary');
	});

	it('of a failure has its error, its details, and the files that were finished', () => {
		const item = toOutputItem({ from: 1, failure: failed({ status: 400 }), files: { part: file } });
		expect(item).toEqual({
			json: { error: 'Rejected', details: { kind: 'request', description: 'Check it.', status: 400 } },
			binary: { part: file },
			pairedItem: { item: 1 },
		});
		expect(toOutputItem({ from: 1, failure: failed() })).not.toHaveProperty('binary');
	});
});

describe('A file in a report', () => {
	it('is named without its content', () => {
		expect(fileReference(file)).toEqual(reference);
	});
});

describe('The finished results of a run that stops', () => {
	it('are missing when there are none', () => {
		expect(finishedResults([])).toEqual({});
		expect(finishedResults([{ from: 0, failure: failed({ status: 400 }) }])).toEqual({});
	});

	it('are JSON and references to files, each with its item', () => {
		const results: LinkedResult[] = [
			{ from: 0, result: { json: { text: 'a' } } },
			{ from: [1, 2], result: { json: {}, files: { data: file } } },
		];
		expect(finishedResults(results)).toEqual({
			finishedResults: [
				{ item: 0, json: { text: 'a' } },
				{ item: [1, 2], json: {}, files: { data: reference } },
			],
		});
	});

	it('include what other failed items have that was paid for', () => {
		const results: LinkedResult[] = [
			{ from: 0, failure: failed({ taskId: 'task-1' }) },
			{ from: 1, failure: failed({ partial: { url: 'https://files.example/a' } }) },
			{ from: 2, failure: failed(), files: { part: file } },
			{ from: 3, failure: failed({ partial: {} }), files: {} },
		];
		expect(finishedResults(results)).toEqual({
			finishedResults: [
				{ item: 0, json: { taskId: 'task-1' }, error: 'Rejected' },
				{ item: 1, json: { url: 'https://files.example/a' }, error: 'Rejected' },
				{ item: 2, json: {}, error: 'Rejected', files: { part: reference } },
			],
		});
	});

	it('include the files of the failure that is thrown, but nothing that it says itself', () => {
		const thrown = failed({ taskId: 'task-1' });
		expect(finishedResults([{ from: 0, failure: thrown }], thrown)).toEqual({});
		expect(finishedResults([{ from: 0, failure: thrown, files: { part: file } }], thrown)).toEqual({
			finishedResults: [{ item: 0, json: { taskId: 'task-1' }, files: { part: reference } }],
		});
	});

	it('are at most about 500,000 characters, and the others are counted', () => {
		const entry = (text: string): LinkedResult => ({ from: 0, result: { json: { text } } });
		const frame = approximateLength({ item: 0, json: { text: '' } });
		const whole = entry('x'.repeat(500_000 - frame));
		expect(finishedResults([whole])).toEqual({ finishedResults: [expect.anything()] });
		expect(finishedResults([whole, entry('')])).toEqual({
			finishedResults: [expect.objectContaining({ item: 0 })],
			finishedResultsLeftOut: 1,
		});
		expect(finishedResults([entry('x'.repeat(500_000))])).toEqual({
			finishedResults: [],
			finishedResultsLeftOut: 1,
		});
	});
});
