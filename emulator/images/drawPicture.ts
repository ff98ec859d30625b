import { PNG } from 'pngjs';
import { Dice } from '../random';

const maxSide = 3840;

function sizeIn(name: string): { width: number; height: number } {
	const [, width = '400', height = '300'] = /(\d{1,4})x(\d{1,4})\.png$/.exec(name) ?? [];
	const within = (side: string) => Math.min(Math.max(Number(side), 1), maxSide);
	return { width: within(width), height: within(height) };
}

/**
 * Draws a picture that depends only on its name: a sky that lightens toward the horizon, above three ridges.
 * @param name may end in the size in pixels, for example `wallpaper-2026-08-21-1920x1080.png`; default 400 x 300
 * @returns the bytes of a PNG file
 */
export function drawPicture(name: string): Buffer {
	const { width, height } = sizeIn(name);
	const dice = new Dice('picture', name);
	const colour = (low: number, high: number) => [0, 1, 2].map(() => dice.integer(low, high));
	const zenith = colour(20, 120);
	const horizon = colour(190, 250);
	const ridges = [0.55, 0.7, 0.85].map((level, index) => {
		const swing = dice.decimal(0.03, 0.09, 3) * height;
		const waves = dice.decimal(1, 4, 2) * 2 * Math.PI;
		const phase = dice.decimal(0, 2 * Math.PI, 3);
		return {
			colour: Buffer.from(colour(90 - index * 30, 140 - index * 40)),
			crest: (x: number) => level * height + swing * Math.sin((x / width) * waves + phase),
		};
	});

	const bytes = Buffer.alloc(width * height * 3);
	for (let y = 0; y < height; y++) {
		const share = y / height;
		const sky = Buffer.from(zenith.map((channel, index) => channel + (horizon[index] - channel) * share));
		bytes.fill(sky, y * width * 3, (y + 1) * width * 3);
	}
	for (const { colour: rock, crest } of ridges) {
		for (let x = 0; x < width; x++) {
			for (let y = Math.max(Math.ceil(crest(x)), 0); y < height; y++) rock.copy(bytes, (y * width + x) * 3);
		}
	}
	const png = new PNG({ width, height });
	png.data = bytes;
	return PNG.sync.write(png, { inputColorType: 2, inputHasAlpha: false, colorType: 2, filterType: 1 });
}
