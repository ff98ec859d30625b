import { z } from 'zod';

const dataUri = /^data:image\/[\w.+-]+;base64,([A-Za-z0-9+/]+={0,2})$/;

/** Base64 that holds something. */
export const base64Data = z
	.string()
	.regex(/^[A-Za-z0-9+/]+={0,2}$/, { message: 'it must be base64 data' })
	.refine((text) => text.length % 4 === 0, { message: 'it must be complete base64 data' });

function isImageAddress(address: string): boolean {
	const data = dataUri.exec(address)?.[1];
	if (data !== undefined) return data.length % 4 === 0;
	return /^https?:/i.test(address) && URL.canParse(address);
}

/** Address of an image part: an HTTP address or a base64 data URI of an image (section 2.2). */
export const imageAddress = z.string().refine(isImageAddress, {
	message: 'it must be an http(s) address or a base64 data URI of an image',
});
