import type { Encoding, Utility } from './utility';

const ENCODINGS: Encoding[] = ['json', 'text', 'html', 'markdown'];

/** Color endpoints. */
export const colors: Utility[] = [
	{
		value: 'color',
		group: 'colors',
		name: 'Color',
		action: 'Get random color or convert color',
		description: 'A random color, or a given one, in every notation (HEX, RGB, HSL, CMYK, LAB)',
		chinese: '随机颜色',
		searchWords: ['color', 'colour', 'random color', 'hex to RGB'],
		path: '/v2/apis/color/random',
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
		group: 'colors',
		name: 'Palette',
		action: 'Get color palette',
		description: 'Palettes of matching colors around a base color',
		chinese: '配色方案',
		searchWords: ['color palette', 'color scheme'],
		path: '/v2/apis/color/palette',
		encodings: ENCODINGS,
		list: 'palettes',
		parameters: [
			{
				key: 'color',
				label: 'Base Color',
				type: 'text',
				upfront: true,
				placeholder: 'e.g. #FF5733',
				description: 'The color to build on, as a hex value. Leave empty for a random one.',
			},
		],
	},
];
