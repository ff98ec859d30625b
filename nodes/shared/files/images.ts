import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { inputFailure, labelOf, type NamedParameter } from '../errors/errorMessages';
import { EmbeddedFile } from '../http/requestBody';
import { textOr } from '../values';
import { inputFile, type InputFile } from './inputFile';
import { detectMediaType } from './mediaTypes';

/** An image for the gateway: a web address, Base64 text, or a file of the item. */
export type ImageInput =
	| { kind: 'address'; url: string }
	| { kind: 'base64'; mimeType: string; base64: string }
	| { kind: 'file'; mimeType: string; file: InputFile };

/**
 * The images of a parameter made by `imagesField`, in order. One entry can contain several images: field names
 * separated by commas, or an expression that returns a list of addresses (an empty list for none).
 *
 * @param entries the entries of the parameter
 * @param parameter the parameter itself
 * @throws GatewayFailure (kind `input`) that names the unusable entry
 */
export async function imagesOf(
	context: IExecuteFunctions,
	itemIndex: number,
	entries: IDataObject[],
	parameter: NamedParameter,
): Promise<ImageInput[]> {
	const label = labelOf(parameter);
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
 * The image that a text refers to.
 *
 * @throws GatewayFailure (kind `input`) when it is neither a web address nor a Base64 data URI of an image
 */
export function imageOfText(value: unknown, parameter: NamedParameter): ImageInput {
	const text = textOr(value).trim();
	if (text === '') {
		throw inputFailure(
			parameter,
			'is empty',
			'Enter the address of an image. If the value comes from an expression, check that this item has the field.',
		);
	}
	const [start, mimeType] = /^data:(image\/[\w.+-]+);base64,/i.exec(text.slice(0, 100)) ?? [];
	if (start) {
		// Line breaks are common in Base64, but not all gateways accept them.
		const base64 = text.slice(start.length).replace(/\s+/g, '');
		if (base64 !== '' && !/[^A-Za-z0-9+/=]/.test(base64)) {
			return { kind: 'base64', mimeType: mimeType.toLowerCase(), base64 };
		}
	} else if (/^https?:\/\//i.test(text) && URL.canParse(text)) {
		return { kind: 'address', url: text };
	}
	throw inputFailure(
		parameter,
		`is neither a web address nor a data URI of an image ("${text.slice(0, 40)}")`,
		'Enter an address that starts with https://, or a data URI such as "data:image/png;base64,…". For a file of the item, select Input Data Field.',
	);
}

/** The image in the form of an address: its web address or a data URI. */
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
			`refers to the binary field "${field}", which does not contain an image (${detected})`,
			'Enter the name of a field that contains a PNG, JPEG, GIF, or WebP file.',
		);
	}
	return { kind: 'file', mimeType: detected, file };
}

function fieldNames(value: unknown, label: string): string[] {
	const names = textOr(value)
		.split(',')
		.map((name) => name.trim())
		.filter((name) => name !== '');
	if (names.length === 0) {
		throw inputFailure(label, 'has no field name', 'Enter the name of the binary field with the image.');
	}
	return names;
}
