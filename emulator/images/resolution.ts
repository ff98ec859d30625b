/** Width and height in pixels. */
export interface Resolution {
	width: number;
	height: number;
}

const sidesOfNativeSizes = new Map([
	['512', 512],
	['1K', 1024],
	['2K', 2048],
	['4K', 4096],
]);
/** What the model makes of a size that is not in the table (section 4.4). */
const defaultSide = 2048;

const mappedSizes = new Map<string, Resolution>(
	[
		{ width: 1024, height: 1024 },
		{ width: 1024, height: 1792 },
		{ width: 1792, height: 1024 },
	].map((resolution) => [`${resolution.width}x${resolution.height}`, resolution]),
);

/** What may change the resolution that `size` says; a field of another form counts as not given. */
export interface ResolutionWishes {
	/** For example `16:9`. */
	aspectRatio?: string;
	/** One of the native sizes. */
	imageSize?: string;
}

/** Whether a text is a native size such as `2K`. */
export function isImageSize(text: string): boolean {
	return sidesOfNativeSizes.has(text);
}

/** Whether a text is an aspect ratio such as `16:9`. */
export function isAspectRatio(text: string): boolean {
	return /^[1-9]\d?:[1-9]\d?$/.test(text);
}

/**
 * The resolution of an image (section 4.4): `size` decides, unless both wishes are there. A wish alone fills in what
 * `size` leaves open: the ratio of a native size; nothing of a size in pixels.
 */
export function resolutionOf(size: string, { aspectRatio, imageSize }: ResolutionWishes): Resolution {
	const native = sidesOfNativeSizes.get(imageSize ?? '');
	if (native !== undefined && aspectRatio !== undefined) return shaped(native, aspectRatio);
	const mapped = mappedSizes.get(size);
	if (mapped) return mapped;
	return shaped(sidesOfNativeSizes.get(size) ?? native ?? defaultSide, aspectRatio ?? '1:1');
}

/** As many pixels as a square of that side has, in exactly that ratio. */
function shaped(side: number, aspectRatio: string): Resolution {
	const [across, down] = aspectRatio.split(':').map(Number);
	const unit = Math.max(1, Math.round(side / Math.sqrt(across * down)));
	return { width: across * unit, height: down * unit };
}
