import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { project } from '../../../tools/docs/pages';
import { chunksOf } from '../../../tools/host/movingPicture';

const files = ['nodes', 'credentials'].flatMap((folder) =>
	readdirSync(path.join(project, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.svg'))
		.map((file) => path.join(folder, file)),
);

const icons = new Map(files.map((file) => [file, readFileSync(path.join(project, file), 'utf8')]));

/** What an icon shows, whatever its colors. */
function shapesOf(svg: string): string {
	return svg.replace(/#[\dA-F]{6}/gi, '');
}

describe('Icons', () => {
	it('are all different in the light theme, even without their colors', () => {
		const light = [...icons].filter(([file]) => !file.endsWith('.dark.svg'));
		expect(light.length).toBeGreaterThan(0);
		expect(new Set(light.map(([, svg]) => shapesOf(svg))).size).toBe(light.length);
	});

	it('have the same shapes in the dark theme, in other colors', () => {
		for (const [file, svg] of icons) {
			if (file.endsWith('.dark.svg')) continue;
			const dark = icons.get(file.replace(/svg$/, 'dark.svg')) ?? '';
			expect(`${file} ${shapesOf(dark)}`).toBe(`${file} ${shapesOf(svg)}`);
			expect(dark).not.toBe(svg);
		}
	});
});

const file = 'docs/images/first-steps.png';

describe('The moving picture of README', () => {
	it('has several frames, numbered without gaps, and at most 2 MB', () => {
		const chunks = chunksOf(readFileSync(path.join(project, file)));
		const frames = chunks.filter(({ type }) => type === 'fcTL');
		const seconds = frames.reduce((sum, { data }) => sum + data.readUInt16BE(20) / data.readUInt16BE(22), 0);
		const numbered = chunks.filter(({ type }) => ['fcTL', 'fdAT'].includes(type));
		expect(numbered.map(({ data }) => data.readUInt32BE(0))).toEqual([...numbered.keys()]);
		expect(frames.length).toBeGreaterThan(5);
		expect(seconds).toBeGreaterThan(10);
		expect(readFileSync(path.join(project, file)).length).toBeLessThan(2_000_000);
		expect(readFileSync(path.join(project, 'README.md'), 'utf8')).toContain(`](${file})`);
	});
});
