import { fileOfText } from '../shared/answer/filesInJson';
import { asRecord } from '../shared/plain/values';

/** A picture in the JSON of a response, or where to download it. */
export type Picture = { bytes: Buffer; mimeType: string } | { address: string };

/**
 * The picture in the data of a gateway that has no images for an endpoint: a QR code in Base64, or the address of the
 * picture of the day (observed).
 */
export function pictureIn(data: unknown): Picture | undefined {
	const { base64, image, cover } = asRecord(data) ?? {};
	const file = typeof base64 === 'string' ? fileOfText(base64) : undefined;
	if (file) return file;
	const address = [image, cover].find(isAddress);
	return address === undefined ? undefined : { address };
}

function isAddress(value: unknown): value is string {
	return typeof value === 'string' && /^https?:\/\/\S+$/i.test(value);
}
