import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { inputFailure } from '../errors/errorMessages';
import { EmbeddedFile } from '../http/requestBody';
import { inputFile, type InputFile } from './inputFile';
import { detectMediaType } from './mediaTypes';

/** An image that goes to the gateway: an address, base64 as it was given, or a file of the item. */
export type ImageInput =
	| { kind: 'address'; url: string }
	| { kind: 'base64'; mimeType: string; base64: string }
	| { kind: 'file'; mimeType: string; file: InputFile };

/**
 * The images of the entries of an images parameter. One entry can stand for several: field names separated
 * by commas, or an expression that gives a list of addresses (an empty one for none).
 *
 * @param label the editor's name of the parameter
 * @throws GatewayFailure (kind `input`) that names the unusable entry
 */
export async function imagesOf(
	context: IExecuteFunctions,
	itemIndex: number,
	entries: IDataObject[],
	label: string,
): Promise<ImageInput[]> {
	const images = entries.map(async (entry, index) => {
		const here = entries.length > 1 ? `${label} (entry ${index + 1})` : label;
		if (entry.source === 'url') return [entry.url].flat().map((url) => imageOfText(url, here));
		const fields = fieldNames(entry.binaryPropertyName, here);
		return await Promise.all(
			fields.map(async (field) => await imageOfField(context, itemIndex, field, here)),
		);
	});
	return (await Promise.all(images)).flat();
}

/**
 * An image given as text.
 *
 * @throws GatewayFailure (kind `input`) when it is neither a web address nor a base64 data URI of an image
 */
export function imageOfText(value: unknown, label: string): ImageInput {
	const text = typeof value === 'string' ? value.trim() : '';
	if (text === '') {
		throw inputFailure(
			label,
			'is empty',
			'Enter the address of an image, or check that the expression gives one.',
		);
	}
	const [start, mimeType] = /^data:(image\/[\w.+-]+);base64,/i.exec(text.slice(0, 100)) ?? [];
	if (start) {
		// Line breaks are usual in base64, but not every gateway reads them.
		const base64 = text.slice(start.length).replace(/\s+/g, '');
		if (base64 !== '' && !/[^A-Za-z0-9+/=]/.test(base64)) {
			return { kind: 'base64', mimeType: mimeType.toLowerCase(), base64 };
		}
	} else if (/^https?:\/\//i.test(text) && URL.canParse(text)) {
		return { kind: 'address', url: text };
	}
	throw inputFailure(
		label,
		`is neither a web address nor a data URI of an image ("${text.slice(0, 40)}")`,
		'Enter an address that begins with https:// or a text like "data:image/png;base64,…". For a file of the item choose Input Data Field.',
	);
}

/** The image as the gateway takes it where an address is expected: its address or a data URI. */
export function addressOf(image: ImageInput): string | EmbeddedFile {
	if (image.kind === 'address') return image.url;
	const prefix = `data:${image.mimeType};base64,`;
	return image.kind === 'base64' ? prefix + image.base64 : new EmbeddedFile(image.file, prefix);
}

async function imageOfField(
	context: IExecuteFunctions,
	itemIndex: number,
	field: string,
	label: string,
): Promise<ImageInput> {
	const file = await inputFile(context, itemIndex, field, label);
	const detected = detectMediaType(file.firstBytes) ?? file.mimeType;
	if (!/^image\/[\w.+-]+$/.test(detected)) {
		throw inputFailure(
			label,
			`names the binary field "${field}", which holds no image (${detected})`,
			'Enter the name of a field that holds a PNG, JPEG, GIF or WebP file.',
		);
	}
	return { kind: 'file', mimeType: detected, file };
}

function fieldNames(value: unknown, label: string): string[] {
	const names = (typeof value === 'string' ? value : '')
		.split(',')
		.map((name) => name.trim())
		.filter((name) => name !== '');
	if (names.length === 0) {
		throw inputFailure(label, 'names no binary field', 'Enter the name of the field that holds the image.');
	}
	return names;
}
