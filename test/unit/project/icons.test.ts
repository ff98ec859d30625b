import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { project } from '../../../tools/docs/pages';

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
