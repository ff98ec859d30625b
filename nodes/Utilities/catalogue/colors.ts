import type { Encoding, UtilityEntry } from './utility';

const ENCODINGS: Encoding[] = ['json', 'text', 'html', 'markdown'];

/** Color endpoints. */
export const colors: UtilityEntry[] = [
	{
		value: 'color',
		name: 'Color',
		action: 'Get random color or convert color',
		description: 'A random or given color in all notations (HEX, RGB, HSL, CMYK, LAB)',
		chinese: '随机颜色',
		searchWords: ['color', 'colour', 'random color', 'hex to RGB'],
		path: '/v2/apis/color/random',
		output: {
			fields: [
				'hex',
				'name',
				['rgb', 'rgb.string'],
				['hsl', 'hsl.string'],
				['hsv', 'hsv.string'],
				['cmyk', 'cmyk.string'],
				['lab', 'lab.string'],
				'brightness',
				'accessibility.best_text_color',
				'complementary',
			],
		},
		encodings: ENCODINGS,
		parameters: [
			{
				key: 'color',
				label: 'Color',
				type: 'text',
				upfront: true,
				placeholder: 'e.g. #FF5733',
				description: 'The color to convert, as a hex value. Leave empty for a random one.',
			},
		],
	},
	{
		value: 'colorPalette',
		name: 'Palette',
		action: 'Get color palette',
		description: 'Palettes of colors that match a base color',
		chinese: '配色方案',
		searchWords: ['color palette', 'color scheme'],
		path: '/v2/apis/color/palette',
		output: {
			lists: {
				palettes: [
					'name',
					['colors', 'colors.hex'],
					['color_names', 'colors.name'],
					['color_roles', 'colors.role'],
					'description',
					['input', '^input.hex'],
				],
			},
		},
		encodings: ENCODINGS,
		parameters: [
			{
				key: 'color',
				label: 'Base Color',
				type: 'text',
				upfront: true,
				placeholder: 'e.g. #FF5733',
				description: 'The base color of the palettes, as a hex value. Leave empty for a random one.',
			},
		],
	},
];
