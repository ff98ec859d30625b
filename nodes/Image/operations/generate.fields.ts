import type { INodeProperties } from 'n8n-workflow';
import { imagesField } from '../../shared/fields/images';
import { optionsField, OUTPUT_FILE, SIMPLIFY } from '../../shared/fields/options';
import { modelField } from '../../shared/fields/picker';
import { endpoints } from '../../shared/gateway/endpoints';

/** Parameters of Image → Generate. */
export const generateFields: INodeProperties[] = [
	modelField('image-2', 'e.g. image-pro'),
	{
		displayName: 'Prompt',
		name: 'prompt',
		type: 'string',
		typeOptions: { rows: 4 },
		required: true,
		default: '',
		placeholder: 'e.g. A lighthouse at dusk, oil painting',
		description: 'What the picture shows',
	},
	{
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
			{ name: 'Custom', value: 'custom', description: 'Another size that your gateway offers' },
		],
		default: '1024x1024',
		description:
			'How large the image becomes. Aspect Ratio and Image Size in Options take its place when both are set.',
	},
	{
		displayName: 'Custom Size',
		name: 'customSize',
		type: 'string',
		default: '',
		placeholder: 'e.g. 1536x1024',
		displayOptions: { show: { size: ['custom'] } },
		description:
			'Sent as it is. With a size that the gateway does not know, the model uses its default resolution (2K).',
	},
	imagesField({
		displayName: 'Reference Images',
		name: 'referenceImages',
		description:
			'Images whose style or content the model follows, in this order; several are fused. The gateway fetches web addresses itself, so they must be open to the internet.',
	}),
	{
		displayName: 'Download Images',
		name: 'downloadImages',
		type: 'boolean',
		default: true,
		description:
			'Whether to fetch each image into a file. When off, only its address is returned; an image that the gateway sends without an address becomes a file all the same.',
	},
	OUTPUT_FILE,
	SIMPLIFY,
	optionsField({ timeoutSeconds: endpoints.images.timeoutSeconds, body: true }, [
		{
			displayName: 'Aspect Ratio',
			name: 'aspectRatio',
			type: 'string',
			default: '',
			placeholder: 'e.g. 16:9',
			description:
				'Width to height. Together with Image Size it overrides Size; alone it gives a native size (512 to 4K) its shape, as far as the model follows it.',
		},
		{
			displayName: 'File Name',
			name: 'fileName',
			type: 'string',
			default: '',
			placeholder: 'e.g. {{ $json.sku }}',
			description:
				'What the file is called, without extension. Leave empty to name it after the beginning of the prompt.',
		},
		{
			displayName: 'Image Size',
			name: 'imageSize',
			type: 'options',
			options: [
				{ name: '1K', value: '1K' },
				{ name: '2K', value: '2K' },
				{ name: '4K', value: '4K', description: 'Also to enlarge a reference image' },
				{ name: '512', value: '512' },
			],
			default: '2K',
			description:
				'Resolution of the image. Together with Aspect Ratio it overrides Size; alone the gateway may pass over it.',
		},
		{
			displayName: 'Temperature',
			name: 'temperature',
			type: 'number',
			typeOptions: { minValue: 0, numberPrecision: 2 },
			default: 1,
			description: 'How freely the model treats the prompt; 0 stays closest to it',
		},
	]),
];
