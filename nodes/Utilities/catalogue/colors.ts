import { type Encoding, text, type UtilityEntry, type UtilityParameter } from './utility';

const ENCODINGS: Encoding[] = ['json', 'text', 'html', 'markdown'];

const COLOR: UtilityParameter = text(
	'color',
	'Color',
	'e.g. #FF5733',
	'The color to start from, as a hex value. Leave empty for a random one.',
	{ upfront: 'optional' },
);

export const colors: UtilityEntry[] = [
	{
		value: 'color',
		name: 'Color',
		action: 'get random color or convert color with names in Chinese',
		description: 'A random or given color in all notations (HEX, RGB, HSL, CMYK, LAB), named in Chinese',
		searchWords: ['colour', 'random color', 'hex to RGB', '随机颜色'],
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
		parameters: [COLOR],
	},
	{
		value: 'colorPalette',
		name: 'Palette',
		action: 'get color palette with names in Chinese',
		description: 'Palettes of colors that match a base color, with names in Chinese',
		searchWords: ['color palette', 'color scheme', '配色方案'],
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
		parameters: [COLOR],
	},
];
