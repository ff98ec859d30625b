import { z } from 'zod';

const dataUriHeads = {
	image: /^data:image\/[\w.+-]+;base64,/,
	PDF: /^data:application\/pdf;base64,/,
};

/** Searches for invalid characters, because a pattern that matches a whole large image overflows the stack. */
function isBase64(text: string): boolean {
	const data = text.replace(/={1,2}$/, '');
	return data !== '' && !/[^A-Za-z0-9+/]/.test(data);
}

/** Base64 data that is not empty. */
export const base64Data = z
	.string()
	.refine(isBase64, { message: 'it must be base64 data' })
	.refine((text) => text.length % 4 === 0, { message: 'it must be complete base64 data' });

const addressOf = (kind: keyof typeof dataUriHeads) =>
	z.string().refine(
		(address) => {
			const head = dataUriHeads[kind].exec(address)?.[0];
			if (head === undefined) return /^https?:/i.test(address) && URL.canParse(address);
			const data = address.slice(head.length);
			return isBase64(data) && data.length % 4 === 0;
		},
		{
			message: `it must be an http(s) address or a base64 data URI of ${kind === 'PDF' ? 'a PDF' : 'an image'}`,
		},
	);

/** The address of an image part: an HTTP address or a base64 data URI of an image (section 2.2). */
export const imageAddress = addressOf('image');

/** The address of a document part, which services of these formats accept besides images. */
export const documentAddress = addressOf('PDF');
