import { readFileSync } from 'node:fs';
import path from 'node:path';
import { chunksOf, movingPicture } from '../../../tools/host/movingPicture';

const project = path.join(__dirname, '../../..');
const file = 'docs/images/first-steps.png';

describe('The moving picture of README', () => {
	it('has several frames, and at most 2 MB', () => {
		const chunks = chunksOf(readFileSync(path.join(project, file)));
		const frames = chunks.filter(({ type }) => type === 'fcTL');
		const seconds = frames.reduce((sum, { data }) => sum + data.readUInt16BE(20) / data.readUInt16BE(22), 0);
		expect(frames.length).toBeGreaterThan(5);
		expect(seconds).toBeGreaterThan(10);
		expect(readFileSync(path.join(project, file)).length).toBeLessThan(2_000_000);
		expect(readFileSync(path.join(project, 'README.md'), 'utf8')).toContain(`](${file})`);
	});

	it('has the pictures in order, numbered without gaps', () => {
		const picture = readFileSync(path.join(project, 'docs/images/panels/chat.png'));
		const moving = chunksOf(movingPicture([picture, picture, picture], 500));
		const numbered = moving.filter(({ type }) => ['fcTL', 'fdAT'].includes(type));
		expect(numbered.map(({ data }) => data.readUInt32BE(0))).toEqual([...numbered.keys()]);
		const dataOf = (types: string[]) =>
			moving
				.filter(({ type }) => types.includes(type))
				.map(({ type, data }) => (type === 'fdAT' ? data.subarray(4) : data));
		const all = Buffer.concat(dataOf(['IDAT', 'fdAT']));
		const one = Buffer.concat(dataOf(['IDAT']));
		expect(all.equals(Buffer.concat([one, one, one]))).toBe(true);
	});
});
