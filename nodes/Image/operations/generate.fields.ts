import type { INodeProperties } from 'n8n-workflow';
import { inputFailure } from '../../shared/errors/errorMessages';
import { filesField } from '../../shared/fields/files';
import { optionFields, OUTPUT_FILE, SIMPLIFY } from '../../shared/fields/options';
import { modelField } from '../../shared/fields/picker';
import { addressOf, imagesOf } from '../../shared/files/sentFiles';
import { endpoints } from '../../shared/send/endpoints';
import type { Call } from '../../shared/run/call';
import type { ImageOrder } from '../generate';

const MODEL = modelField('image-2', 'e.g. image-pro');

const PROMPT: INodeProperties = {
	displayName: 'Prompt',
	name: 'prompt',
	type: 'string',
	typeOptions: { rows: 4 },
	required: true,
	default: '',
	placeholder: 'e.g. A lighthouse at dusk, oil painting',
	description: 'Description of the image to generate',
};

const CUSTOM = 'custom';

const SIZE: INodeProperties = {
	displayName: 'Size',
	name: 'size',
	type: 'options',
	options: [
		{ name: '1024 × 1024', value: '1024x1024', description: 'Square (1:1), 1K' },
		{ name: '1024 × 1792', value: '1024x1792', description: 'Portrait (9:16), 1K' },
		{ name: '1792 × 1024', value: '1792x1024', description: 'Landscape (16:9), 1K' },
		{ name: '1K', value: '1K', description: 'Native size of the model; see Aspect Ratio in Options' },
		{ name: '2K', value: '2K', description: 'Native size of the model; see Aspect Ratio in Options' },
		{ name: '4K', value: '4K', description: 'Native size of the model; see Aspect Ratio in Options' },
		{ name: '512', value: '512', description: 'Native size of the model, for drafts' },
		{ name: 'Custom', value: CUSTOM, description: 'Another size that your gateway supports' },
	],
	default: '1024x1024',
	description:
		'Size of the image. When both Aspect Ratio and Image Size are set in Options, they override this size.',
};

const CUSTOM_SIZE: INodeProperties = {
	displayName: 'Custom Size',
	name: 'customSize',
	type: 'string',
	default: '',
	placeholder: 'e.g. 1536x1024',
	displayOptions: { show: { size: [CUSTOM] } },
	description:
		'Size to send unchanged. If the gateway does not know the size, the model uses its default resolution (2K).',
};

const REFERENCE_IMAGES = filesField('image', {
	displayName: 'Reference Images',
	name: 'referenceImages',
	description:
		'Images whose style or content the model follows, in this order. Several images are combined. The gateway itself opens web addresses, so they must be accessible from the internet.',
});

export const DOWNLOAD_IMAGES: INodeProperties = {
	displayName: 'Download Images',
	name: 'downloadImages',
	type: 'boolean',
	default: true,
	description:
		'Whether to download each image as a file. When off, only the web address of the image is returned. An image that the gateway sends without an address becomes a file in any case.',
};

const ASPECT_RATIO: INodeProperties = {
	displayName: 'Aspect Ratio',
	name: 'aspectRatio',
	type: 'string',
	default: '',
	placeholder: 'e.g. 16:9',
	description:
		'Ratio of width to height. Together with Image Size, it overrides Size. On its own, it determines the shape of a native size (512 to 4K), if the model supports that.',
};

export const FILE_NAME: INodeProperties = {
	displayName: 'File Name',
	name: 'fileName',
	type: 'string',
	default: '',
	placeholder: 'e.g. {{ $json.sku }}',
	description: 'Name of the file, without extension. Leave empty to use the beginning of the prompt.',
};

const IMAGE_SIZE: INodeProperties = {
	displayName: 'Image Size',
	name: 'imageSize',
	type: 'string',
	default: '2K',
	placeholder: 'e.g. 4K',
	description:
		'Resolution of the image, such as 512, 1K, 2K, or 4K (which can also enlarge a reference image). Together with Aspect Ratio, it overrides Size. On its own, the gateway may ignore it.',
};

const TEMPERATURE: INodeProperties = {
	displayName: 'Temperature',
	name: 'temperature',
	type: 'number',
	typeOptions: { minValue: 0, numberPrecision: 2 },
	default: 1,
	description: 'How freely the model interprets the prompt. With 0, it follows the prompt most closely.',
};

/** Parameters of Image → Generate. */
export const generateFields: INodeProperties[] = [
	MODEL,
	PROMPT,
	SIZE,
	CUSTOM_SIZE,
	REFERENCE_IMAGES,
	DOWNLOAD_IMAGES,
	OUTPUT_FILE,
	SIMPLIFY,
	...optionFields(
		{
			timeoutSeconds: endpoints.images.timeoutSeconds,
			body: true,
			streams: true,
			pays: 'requests',
		},
		[ASPECT_RATIO, FILE_NAME, IMAGE_SIZE, TEMPERATURE],
	),
];

/**
 * Reads what to generate.
 *
 * @throws GatewayFailure (kind `input`) for a parameter that cannot be used
 */
export async function readOrder(call: Call): Promise<ImageOrder> {
	const size = call.text(SIZE);
	const order = {
		model: call.picked(MODEL),
		prompt: call.requiredText(PROMPT),
		size: size === CUSTOM ? call.requiredText(CUSTOM_SIZE).trim() : size,
		aspectRatio: readAspectRatio(call.options.text(ASPECT_RATIO)),
		// Gemini refuses a lowercase K.
		imageSize: call.options.text(IMAGE_SIZE).replace(/^(\d+)k$/, '$1K') || undefined,
		temperature: call.options.number(TEMPERATURE),
	};
	const entries = call.entries(REFERENCE_IMAGES);
	const references = await imagesOf(call.context, call.itemIndex, entries, REFERENCE_IMAGES);
	return { ...order, references: references.map(addressOf) };
}

/** The sizes that the gateway knows (interface, 4.4). */
const KNOWN_SIZES = SIZE.options!.map((option) => (option as { value: unknown }).value).filter(
	(one) => one !== CUSTOM,
);

/** What to tell the user about a size that the gateway would change without a word; undefined for nothing. */
export function sizeHint({ size, aspectRatio, imageSize }: ImageOrder): string | undefined {
	const isOverridden = aspectRatio !== undefined && imageSize !== undefined;
	if (isOverridden || KNOWN_SIZES.includes(size)) return undefined;
	return `Size is "${size}", which is none of the usual sizes (${KNOWN_SIZES.join(', ')}). A gateway that does not know it generates the default resolution (2K)`;
}

/**
 * An aspect ratio such as `16:9`; undefined for an empty text. The gateway ignores a ratio that it cannot read, and
 * generates and charges for an image with another shape, so the format is checked here.
 *
 * @throws GatewayFailure (kind `input`)
 */
export function readAspectRatio(text: string): string | undefined {
	const ratio = text.replace(/\s+/g, '');
	if (ratio === '') return undefined;
	if (/^[1-9]\d{0,3}:[1-9]\d{0,3}$/.test(ratio)) return ratio;
	throw inputFailure(
		ASPECT_RATIO,
		`is "${text.slice(0, 40)}", which is not a ratio`,
		'Enter width and height with a colon in between, for example 16:9.',
	);
}
