import { PNG } from 'pngjs';
import { Dice } from './random';

const largestSide = 3840;

function sizeIn(name: string): { width: number; height: number } {
	const [, width = '400', height = '300'] = /(\d{1,4})x(\d{1,4})\.png$/.exec(name) ?? [];
	const within = (side: string) => Math.min(Math.max(Number(side), 1), largestSide);
	return { width: within(width), height: within(height) };
}

/**
 * Draws a picture that depends on its name only: a sky in two colours above three ridges.
 * @param name may end in its size in pixels, as `wallpaper-2026-08-21-1920x1080.png`; without one it is 400 x 300
 * @returns the bytes of a PNG file
 */
export function drawPicture(name: string): Buffer {
	const { width, height } = sizeIn(name);
	const dice = new Dice('picture', name);
	const colour = (low: number, high: number) => [0, 1, 2].map(() => dice.integer(low, high));
	const top = colour(120, 255);
	const horizon = colour(160, 255);
	const ridges = [0.55, 0.7, 0.85].map((level, index) => ({
		base: level * height,
		swing: dice.decimal(0.03, 0.09, 3) * height,
		waves: dice.decimal(1, 4, 2),
		phase: dice.decimal(0, Math.PI * 2, 3),
		colour: colour(90 - index * 30, 140 - index * 40),
	}));

	const png = new PNG({ width, height, colorType: 2 });
	for (let x = 0; x < width; x++) {
		const edges = ridges.map(
			({ base, swing, waves, phase }) => base + swing * Math.sin((x / width) * waves * Math.PI * 2 + phase),
		);
		for (let y = 0; y < height; y++) {
			const ridge = ridges.findLast((_, index) => y >= edges[index]);
			const share = y / height;
			for (let channel = 0; channel < 3; channel++) {
				png.data[(y * width + x) * 4 + channel] =
					ridge?.colour[channel] ?? top[channel] * (1 - share) + horizon[channel] * share;
			}
			png.data[(y * width + x) * 4 + 3] = 255;
		}
	}
	return PNG.sync.write(png, { colorType: 2, deflateLevel: 6, filterType: 1 });
}
