import type { Encoding, UtilityEntry, UtilityParameter } from './utility';

const ENCODINGS: Encoding[] = ['json', 'text', 'html', 'markdown'];

function color(displayName: string, description: string): UtilityParameter {
	const name = 'color';
	const placeholder = 'e.g. #FF5733';
	return { displayName, name, type: 'string', upfront: true, placeholder, default: '', description };
}

/** Color endpoints. */
export const colors: UtilityEntry[] = [
	{
		value: 'color',
		name: 'Color',
		action: 'Get random color or convert color',
		description: 'A random or given color in all notations (HEX, RGB, HSL, CMYK, LAB)',
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
		parameters: [color('Color', 'The color to convert, as a hex value. Leave empty for a random one.')],
	},
	{
		value: 'colorPalette',
		name: 'Palette',
		action: 'Get color palette',
		description: 'Palettes of colors that match a base color',
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
			color('Base Color', 'The base color of the palettes, as a hex value. Leave empty for a random one.'),
		],
	},
];
