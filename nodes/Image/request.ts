import { inputFailure } from '../shared/errors/errorMessages';
import { asRecord } from '../shared/values';
import type { EmbeddedFile } from '../shared/http/requestBody';

/** What is asked of the gateway for one item (interface, 4.4). */
export interface ImageOrder {
	model: string;
	prompt: string;
	size: string;
	/** The other entries are the sub-fields of `extra_fields`; what is not set is not sent. */
	aspectRatio: string | undefined;
	imageSize: string | undefined;
	temperature: number | undefined;
	/** Addresses and data URIs, in order. */
	references: Array<string | EmbeddedFile>;
}

/**
 * The request body of interface 4.4: `extra_fields` is there only when something in it is set.
 *
 * @param extra the user's own fields; they win, and those in its `extra_fields` join the node's
 */
export function requestBody(order: ImageOrder, extra: Record<string, unknown> = {}): Record<string, unknown> {
	const { model, prompt, size, aspectRatio, imageSize, temperature, references } = order;
	const extraFields = {
		...(aspectRatio === undefined ? {} : { aspect_ratio: aspectRatio }),
		...(imageSize === undefined ? {} : { image_size: imageSize }),
		...(temperature === undefined ? {} : { temperature }),
		...(references.length === 0 ? {} : { reference_images: references }),
		...asRecord(extra.extra_fields),
	};
	return {
		model,
		prompt,
		size,
		...extra,
		...(Object.keys(extraFields).length === 0 ? {} : { extra_fields: extraFields }),
	};
}

/**
 * An aspect ratio such as `16:9`; undefined for an empty text. It is checked here because the gateway passes
 * over a ratio that it cannot read and makes, and charges for, an image of another shape.
 *
 * @throws GatewayFailure (kind `input`)
 */
export function aspectRatioOf(text: string): string | undefined {
	const ratio = text.replace(/\s+/g, '');
	if (ratio === '') return undefined;
	if (/^[1-9]\d{0,3}:[1-9]\d{0,3}$/.test(ratio)) return ratio;
	throw inputFailure(
		'Aspect Ratio',
		`is "${text.slice(0, 40)}"`,
		'Enter width and height with a colon in between, for example 16:9.',
	);
}
