import qrcode from 'qrcode-generator';
import { Crash } from './reply';

// By default, the library keeps only the low byte of each UTF-16 unit, which garbles everything beyond Latin-1.
qrcode.stringToBytes = qrcode.stringToBytesFuncs['UTF-8']!;

const quietZone = 4;
type TypeNumber = Parameters<typeof qrcode>[0];
type Level = Parameters<typeof qrcode>[1];

/**
 * Draws a QR code.
 * @param size width and height in pixels; larger if the code has more modules
 * @param level error correction, L to H
 * @param version 1 to 40, or 0 for the smallest version that fits the text
 * @returns the bytes of a GIF file
 * @throws Crash for an unknown level or a text that does not fit, with the real service's message
 */
export function drawQrCode(text: string, size: number, level: string, version: number): Buffer {
	const code = (() => {
		try {
			const made = qrcode(version as TypeNumber, level as Level);
			made.addData(text);
			made.make();
			return made;
		} catch {
			// The library throws strings in both cases.
			throw new Crash('Text too long to encode');
		}
	})();
	const modules = code.getModuleCount();
	const moduleSize = Math.max(Math.floor(size / (modules + 2 * quietZone)), 1);
	// The margin fills the rest of the size. Half pixels are fine, because the library rounds per pixel.
	const margin = Math.max((size - modules * moduleSize) / 2, 0);
	const dataUri = code.createDataURL(moduleSize, margin);
	return Buffer.from(dataUri.slice(dataUri.indexOf(',') + 1), 'base64');
}
