import { Dice } from '../random';
import { cell, glyphOf, wrapText } from './lettering';
import { pngFile } from './png';

/** The specification of an image. */
export interface ImageSpec {
	prompt: string;
	model: string;
	/** In pixels, like the height. */
	width: number;
	height: number;
	/** The addresses of reference images, in request order. Each becomes a stripe in its own color. */
	references: readonly string[];
	temperature?: number;
	/** Position among the images of one response. */
	index: number;
	/** Pads the file to this size; ignored if the file is larger. */
	fileBytes?: number;
}

const skyBands = 8;
const colours = { sun: 8, panel: 9, text: 10, firstReference: 11 };
const referenceColours = 5;
const textLines = 8;

/** Draws on pairs of pixels: horizontal coordinates count pairs, vertical coordinates count pixels. */
class Canvas {
	readonly pixels: Buffer;
	readonly across: number;
	private readonly rowBytes: number;

	constructor(
		width: number,
		readonly down: number,
	) {
		this.across = Math.ceil(width / 2);
		this.rowBytes = this.across + 1;
		this.pixels = Buffer.alloc(this.rowBytes * down);
	}

	fill(colour: number, left: number, top: number, right: number, bottom: number): void {
		const from = Math.max(0, Math.round(left));
		const to = Math.min(this.across, Math.round(right));
		if (to <= from) return;
		for (let y = Math.max(0, Math.round(top)); y < Math.min(this.down, Math.round(bottom)); y++) {
			const row = y * this.rowBytes + 1;
			this.pixels.fill(colour * 0x11, row + from, row + to);
		}
	}
}

/**
 * Draws a sky with a sun, the prompt in letters, and a stripe for each reference image. The same specification always
 * gives the same bytes.
 * @returns a PNG file
 */
export function drawImage(spec: ImageSpec): Buffer {
	const { prompt, model, width, height, references, temperature, index, fileBytes } = spec;
	const dice = new Dice('image', prompt, model, temperature ?? '', index, ...references);
	const canvas = new Canvas(width, height);
	const { across, down } = canvas;
	for (let band = 0; band < skyBands; band++) {
		canvas.fill(band, 0, (band * down) / skyBands, across, ((band + 1) * down) / skyBands);
	}
	drawSun(canvas, dice);
	drawText(canvas, prompt);
	references.forEach((_, position) => {
		const colour = colours.firstReference + Math.min(position, referenceColours - 1);
		const stripe = across / references.length;
		canvas.fill(colour, position * stripe, down * 0.94, (position + 1) * stripe, down);
	});
	return pngFile(
		{ width, height, palette: paletteOf(dice, references), pixels: canvas.pixels, description: prompt },
		fileBytes,
	);
}

function paletteOf(dice: Dice, references: readonly string[]): number[][] {
	const colour = (low: number, high: number) => [0, 1, 2].map(() => dice.integer(low, high));
	const [zenith, horizon] = [colour(20, 120), colour(170, 240)];
	const sky = Array.from({ length: skyBands }, (_, band) =>
		zenith.map((channel, at) => Math.round(channel + ((horizon[at] - channel) * band) / (skyBands - 1))),
	);
	const ofReference = references.slice(0, referenceColours).map((address) => {
		const own = new Dice('reference', address);
		return [0, 1, 2].map(() => own.integer(0, 255));
	});
	return [...sky, colour(235, 255), [24, 24, 32], [250, 250, 250], ...ofReference];
}

function drawSun(canvas: Canvas, dice: Dice): void {
	const radius = Math.min(canvas.across * 2, canvas.down) * dice.decimal(0.1, 0.2, 3);
	const [x, y] = [dice.decimal(0.2, 0.8, 3) * canvas.across, dice.decimal(0.15, 0.3, 3) * canvas.down];
	for (let row = Math.ceil(-radius); row < radius; row++) {
		const half = Math.sqrt(radius * radius - row * row) / 2;
		canvas.fill(colours.sun, x - half, y + row, x + half, y + row + 1);
	}
}

/** Writes the prompt on a panel in the lower half, in the largest letters that fit. */
function drawText(canvas: Canvas, prompt: string): void {
	const [left, top, right, bottom] = [
		canvas.across * 0.06,
		canvas.down * 0.5,
		canvas.across * 0.94,
		canvas.down * 0.92,
	];
	canvas.fill(colours.panel, left, top, right, bottom);
	// A font pixel is `scale` pairs wide and twice as many pixels high.
	const scale = Math.max(1, Math.floor((bottom - top) / (textLines + 1) / cell.height / 2));
	const perLine = Math.max(1, Math.floor((right - left) / scale / cell.width) - 2);
	wrapText(prompt, perLine, textLines).forEach((line, row) => {
		[...line].forEach((character, column) => {
			const x = left + (column + 1) * cell.width * scale;
			const y = top + (row + 0.5) * cell.height * scale * 2;
			drawGlyph(canvas, glyphOf(character), x, y, scale);
		});
	});
}

function drawGlyph(canvas: Canvas, columns: number[], left: number, top: number, scale: number): void {
	columns.forEach((bits, column) => {
		for (let row = 0; row < 8; row++) {
			if ((bits & (1 << row)) === 0) continue;
			const x = left + column * scale;
			const y = top + row * scale * 2;
			canvas.fill(colours.text, x, y, x + scale, y + scale * 2);
		}
	});
}
