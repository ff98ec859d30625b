import type { IBinaryData, INodeProperties } from 'n8n-workflow';
import { inputFailure } from '../../shared/failure/words';
import { filesField, choiceField, flagField, numberField, textField } from '../../shared/fields/field';
import { INCLUDE_INPUT_FIELDS, optionFields, OUTPUT_FILE, SIMPLIFY } from '../../shared/fields/options';
import { modelField } from '../../shared/fields/picker';
import { addressOf, filesOf, isImage } from '../../shared/files/sentFiles';
import { endpoints } from '../../shared/send/endpoints';
import { asRecord, textOr } from '../../shared/plain/values';
import type { Call } from '../../shared/run/call';
import type { ImageOrder } from '../generate';

const MODEL = modelField('e.g. image-pro');

const PROMPT = textField('Prompt', 'prompt', 'Description of the image to generate', {
	typeOptions: { rows: 4 },
	required: true,
	placeholder: 'e.g. A lighthouse at dusk, oil painting',
});

const CUSTOM = 'custom';

const BY_RATIO = 'ratio';

const SIZE = choiceField('Size', 'size', {
	default: '1024x1024',
	description: 'Size and shape of the image',
	options: [
		{ name: 'Aspect Ratio and Resolution', value: BY_RATIO, description: 'Such as 16:9 in 4K' },
		{ name: 'Custom', value: CUSTOM, description: 'Another size that your gateway supports' },
		{ name: 'Landscape (1792 × 1024)', value: '1792x1024' },
		{ name: 'Portrait (1024 × 1792)', value: '1024x1792' },
		{ name: 'Square (1024 × 1024)', value: '1024x1024' },
	],
});

const ASPECT_RATIO = textField(
	'Aspect Ratio',
	'aspectRatio',
	'Ratio of width to height. Leave empty to let the model choose.',
	{ placeholder: 'e.g. 16:9', displayOptions: { show: { size: [BY_RATIO] } } },
);

const MODEL_DEFAULT = 'default';
/** The resolution of the gateway, unless another one is asked for (interface, 4.4). */
const DEFAULT_RESOLUTION = '2K';

const RESOLUTION = choiceField('Resolution', 'imageSize', {
	default: MODEL_DEFAULT,
	description:
		'How detailed the image is, as far as the model supports it. 4K can also enlarge a reference image.',
	options: [
		{ name: '1K', value: '1K' },
		{ name: '2K', value: '2K' },
		{ name: '4K', value: '4K' },
		{ name: '512', value: '512' },
		{ name: 'Custom', value: CUSTOM, description: 'Another resolution that your gateway supports' },
		{ name: 'Model Default', value: MODEL_DEFAULT, description: 'Let the model choose' },
	],
	displayOptions: { show: { size: [BY_RATIO] } },
});

const CUSTOM_RESOLUTION = textField('Custom Resolution', 'customImageSize', 'Resolution to send', {
	placeholder: 'e.g. 8K',
	displayOptions: { show: { size: [BY_RATIO], imageSize: [CUSTOM] } },
});

const CUSTOM_SIZE = textField(
	'Custom Size',
	'customSize',
	'Size to send unchanged. If the gateway does not know the size, the model uses its default resolution (2K).',
	{ placeholder: 'e.g. 1536x1024', displayOptions: { show: { size: [CUSTOM] } } },
);

const REFERENCE_IMAGES = filesField('image', {
	displayName: 'Reference Images',
	name: 'referenceImages',
	description:
		'Images whose style or content the model follows, in this order. Several images are combined. The gateway itself opens web addresses, so they must be accessible from the internet.',
});

export const DOWNLOAD_IMAGES = flagField(
	'Download Images',
	'downloadImages',
	'Whether to download each image as a file. When off, only the web address of the image is returned. An image that the gateway sends without an address becomes a file in any case.',
);

export const FILE_NAME = textField(
	'File Name',
	'fileName',
	'Name of the file, without extension. Leave empty to use the beginning of the prompt.',
	{ placeholder: 'e.g. {{ $json.sku }}' },
);

const TEMPERATURE = numberField(
	'Temperature',
	'temperature',
	1,
	'How freely the model interprets the prompt. With 0, it follows the prompt most closely.',
	{ typeOptions: { minValue: 0, numberPrecision: 2 } },
);

export const generateFields: INodeProperties[] = [
	MODEL,
	PROMPT,
	SIZE,
	ASPECT_RATIO,
	RESOLUTION,
	CUSTOM_RESOLUTION,
	CUSTOM_SIZE,
	REFERENCE_IMAGES,
	DOWNLOAD_IMAGES,
	OUTPUT_FILE,
	SIMPLIFY,
	...optionFields(endpoints.images, { streams: true, pays: 'cost' }, [
		FILE_NAME,
		INCLUDE_INPUT_FIELDS,
		TEMPERATURE,
	]),
];

/** Reads what to generate. */
export async function readOrder(call: Call): Promise<ImageOrder> {
	return {
		model: call.picked(MODEL),
		prompt: call.requiredText(PROMPT),
		...readSize(call),
		temperature: call.options.number(TEMPERATURE),
		references: await readReferences(call),
	};
}

async function readReferences(call: Call): Promise<ImageOrder['references']> {
	const entries = call.entries(REFERENCE_IMAGES);
	const files = await filesOf(call.context, call.itemIndex, entries, REFERENCE_IMAGES);
	return files.map(({ sent, label }) => {
		if (sent.kind === 'address' || isImage(sent.mimeType)) return addressOf(sent);
		throw inputFailure(
			label,
			`does not contain an image (${sent.mimeType})`,
			'Enter a field or a data URI with a PNG, JPEG, GIF, or WebP file.',
		);
	});
}

function readSize(call: Call): Pick<ImageOrder, 'size' | 'aspectRatio' | 'imageSize'> {
	const size = call.text(SIZE);
	if (size === CUSTOM) return { size: call.requiredText(CUSTOM_SIZE).trim() };
	if (size !== BY_RATIO) return { size };
	const imageSize = readResolution(call);
	// A size is required (interface, 4.4).
	return {
		size: imageSize ?? DEFAULT_RESOLUTION,
		aspectRatio: readAspectRatio(call.text(ASPECT_RATIO)),
		imageSize,
	};
}

function readResolution(call: Call): string | undefined {
	const chosen = call.text(RESOLUTION);
	if (chosen === MODEL_DEFAULT) return undefined;
	const text = chosen === CUSTOM ? call.requiredText(CUSTOM_RESOLUTION) : chosen;
	// Gemini refuses a lowercase K.
	return text.trim().replace(/^(\d+)k$/, '$1K');
}

/** The sizes that the gateway knows (interface, 4.4). */
const KNOWN_SIZES = ['1024x1024', '1024x1792', '1792x1024', '512', '1K', '2K', '4K'];

/**
 * Returns a warning about a size that the gateway changed, or may have changed, without saying so.
 *
 * @param sent the request, in which Extra Body Fields may have replaced the size
 */
export function sizeWarning(sent: Record<string, unknown>, file?: IBinaryData): string | undefined {
	const { width, height } = file ?? ({} as IBinaryData);
	const { aspect_ratio: aspectRatio, image_size: imageSize } = asRecord(sent.extra_fields) ?? {};
	const size = textOr(sent.size, DEFAULT_RESOLUTION);
	const isObeyed = size.replace(/ ?[x×*] ?/i, 'x') === `${width}x${height}`;
	const actual = width === undefined ? undefined : `The image has ${width} × ${height} pixels`;
	if (!isObeyed && !KNOWN_SIZES.includes(size)) {
		const usual = `Size is "${size}", which is none of the usual sizes (${KNOWN_SIZES.join(', ')})`;
		return `${usual}. ${actual ?? 'A gateway that does not know it generates the default resolution (2K)'}`;
	}
	if (actual === undefined) return undefined;
	const shape = textOr(aspectRatio, size);
	// The default resolution is sent even if nobody asks for one.
	const resolution = textOr(imageSize, size === DEFAULT_RESOLUTION ? '' : size);
	const lost = [
		...(hasOtherShape(Number(width) / Number(height), shape) ? [shape] : []),
		...(hasOtherResolution(Number(width) * Number(height), resolution) ? [resolution] : []),
	];
	return lost.length === 0 ? undefined : `${actual}, although ${lost.join(' in ')} was asked for`;
}

/**
 * Some models draw in 1K whatever they are asked for (OpenRouterTeam/ai-sdk-provider#269, ComfyUI_Nano_Banana#16). A
 * resolution has four times the pixels of the one below.
 */
function hasOtherResolution(pixels: number, resolution: string): boolean {
	const [, small, thousands] = /^(?:(512)|(\d{1,2})K)$/.exec(resolution) ?? [];
	const side = Number(small ?? Number(thousands) * 1024);
	return Math.abs(Math.log2(pixels / side ** 2)) > 1;
}

/** The most by which models may miss a ratio, about 5%: 9:16 can be 768 × 1344 pixels. */
const TOLERANCE = 0.05;

/** Some gateways draw squares whatever they are asked for (LocalAI, issue 2430; CLIProxyAPI, issue 5860). */
function hasOtherShape(ratio: number, shape: string): boolean {
	const [, width, height] = /^(\d+)[x:](\d+)$/.exec(shape) ?? [];
	return width !== undefined && Math.abs(Math.log((ratio * Number(height)) / Number(width))) > TOLERANCE;
}

/** Reads an aspect ratio such as `16:9`. If the gateway cannot read it, an image of another shape is paid for. */
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
