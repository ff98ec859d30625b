import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readState } from '../../../tools/host/state';

describe('State of the demo', () => {
	it.each([
		['a complete file', '{"pid": 7}', { pid: 7 }],
		['an empty file', '', undefined],
		['a file that was cut off', '{"pid": ', undefined],
	])('is read from %s', async (_, content, expected) => {
		const file = path.join(await mkdtemp(path.join(tmpdir(), 'state-')), 'state.json');
		await writeFile(file, content);
		expect(await readState(file)).toEqual(expected);
	});

	it('is empty without a file', async () => {
		expect(await readState(path.join(tmpdir(), 'none', 'state.json'))).toBeUndefined();
	});
});
