import { asRecord } from '../shared/values';
import type { EmbeddedFile } from '../shared/http/requestBody';

/** The content of a request for images (interface, 4.4). Entries that are undefined are not sent. */
export interface ImageOrder {
	model: string;
	prompt: string;
	size: string;
	/** This and the following entries are fields of `extra_fields`. */
	aspectRatio: string | undefined;
	imageSize: string | undefined;
	temperature: number | undefined;
	/** Web addresses and data URIs, in order. */
	references: Array<string | EmbeddedFile>;
}

/**
 * The body of a request for images (interface, 4.4), with `extra_fields` only if it has content.
 *
 * @param extra the user's own fields. They override those of the order; their `extra_fields` are merged.
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
