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
/** The model's default for a size that is not in the table (section 4.4). */
const defaultSide = 2048;

const mappedSizes = new Map<string, Resolution>(
	[
		{ width: 1024, height: 1024 },
		{ width: 1024, height: 1792 },
		{ width: 1792, height: 1024 },
	].map((resolution) => [`${resolution.width}x${resolution.height}`, resolution]),
);

/** Options that can change the resolution set by `size`. */
export interface ResolutionOptions {
	/** For example `16:9`. */
	aspectRatio?: string;
	/** One of the native sizes. */
	imageSize?: string;
}

/** Tells whether a text is a native size such as `2K`. */
export function isImageSize(text: string): boolean {
	return sidesOfNativeSizes.has(text);
}

/** Tells whether a text is an aspect ratio such as `16:9`. */
export function isAspectRatio(text: string): boolean {
	return /^[1-9]\d?:[1-9]\d?$/.test(text);
}

/**
 * Returns the resolution of an image (section 4.4). `size` determines it unless both options are set. A single option
 * adds only what `size` leaves open: it sets the ratio of a native size, but does not change a size in pixels.
 */
export function resolutionOf(size: string, { aspectRatio, imageSize }: ResolutionOptions): Resolution {
	const native = sidesOfNativeSizes.get(imageSize ?? '');
	if (native !== undefined && aspectRatio !== undefined) return shaped(native, aspectRatio);
	const mapped = mappedSizes.get(size);
	if (mapped) return mapped;
	return shaped(sidesOfNativeSizes.get(size) ?? native ?? defaultSide, aspectRatio ?? '1:1');
}

/** Returns a resolution with exactly this ratio and about as many pixels as a square with this side. */
function shaped(side: number, aspectRatio: string): Resolution {
	const [across, down] = aspectRatio.split(':').map(Number);
	const unit = Math.max(1, Math.round(side / Math.sqrt(across * down)));
	return { width: across * unit, height: down * unit };
}
