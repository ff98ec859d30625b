import { familyOf, fromHsl, type Hsl, toHex } from './colorMath';

interface Shade {
	role: string;
	name: string;
	theory: string;
	/** Difference from the base: degrees on the color wheel, and percentage points of saturation and lightness. */
	turn?: number;
	saturation?: number;
	lightness?: number;
}

interface Scheme {
	name: string;
	description: string;
	shades: readonly Shade[];
}

const base: Shade = { role: 'primary', name: '主色', theory: '基础颜色' };

const schemes: readonly Scheme[] = [
	{
		name: '单色配色',
		description: '基于同一色相，通过调整明度和饱和度得到的配色，适合统一、专业的视觉',
		shades: [
			base,
			{ role: 'light', name: '浅色', theory: '提高明度', lightness: 25 },
			{ role: 'dark', name: '深色', theory: '降低明度', lightness: -25 },
			{ role: 'muted', name: '柔和色', theory: '降低饱和度', saturation: -35 },
			{ role: 'accent', name: '强调色', theory: '提高饱和度并降低明度', saturation: 20, lightness: -10 },
		],
	},
	{
		name: '互补配色',
		description: '使用色轮上相对的颜色，对比强烈，适合突出重点',
		shades: [
			base,
			{ role: 'complementary', name: '互补色', theory: '色轮 180°', turn: 180 },
			{ role: 'light', name: '浅互补色', theory: '互补色提高明度', turn: 180, lightness: 20 },
		],
	},
	{
		name: '邻近配色',
		description: '使用色轮上相邻的颜色，过渡自然，适合舒适的界面',
		shades: [
			{ role: 'analogous', name: '左邻近色', theory: '色轮 -30°', turn: -30 },
			base,
			{ role: 'analogous', name: '右邻近色', theory: '色轮 +30°', turn: 30 },
		],
	},
	{
		name: '三角配色',
		description: '使用色轮上等距的三个颜色，鲜明而平衡',
		shades: [
			base,
			{ role: 'secondary', name: '第二色', theory: '色轮 120°', turn: 120 },
			{ role: 'tertiary', name: '第三色', theory: '色轮 240°', turn: 240 },
		],
	},
	{
		name: '分裂互补配色',
		description: '使用互补色两侧的颜色，对比柔和',
		shades: [
			base,
			{ role: 'secondary', name: '分裂互补色一', theory: '色轮 150°', turn: 150 },
			{ role: 'tertiary', name: '分裂互补色二', theory: '色轮 210°', turn: 210 },
		],
	},
	{
		name: '矩形配色',
		description: '使用两对互补色，色彩丰富，宜以一色为主',
		shades: [
			base,
			{ role: 'secondary', name: '第二色', theory: '色轮 60°', turn: 60 },
			{ role: 'complementary', name: '互补色', theory: '色轮 180°', turn: 180 },
			{ role: 'tertiary', name: '第四色', theory: '色轮 240°', turn: 240 },
		],
	},
	{
		name: '方形配色',
		description: '使用色轮上等距的四个颜色，活泼而均衡',
		shades: [
			base,
			{ role: 'secondary', name: '第二色', theory: '色轮 90°', turn: 90 },
			{ role: 'complementary', name: '互补色', theory: '色轮 180°', turn: 180 },
			{ role: 'tertiary', name: '第四色', theory: '色轮 270°', turn: 270 },
		],
	},
	{
		name: '明度阶梯',
		description: '同一色相从亮到暗的五级，适合层级与图表',
		shades: [
			{ role: 'lightest', name: '最浅', theory: '明度 +30', lightness: 30 },
			{ role: 'light', name: '浅', theory: '明度 +15', lightness: 15 },
			base,
			{ role: 'dark', name: '深', theory: '明度 -15', lightness: -15 },
			{ role: 'darkest', name: '最深', theory: '明度 -30', lightness: -30 },
		],
	},
];

/** The palettes of a color, one per scheme of color theory. */
export function palettesOf({ h, s, l }: Hsl) {
	return schemes.map(({ name, description, shades }) => ({
		name,
		description,
		colors: shades.map(({ role, name: shade, theory, turn = 0, saturation = 0, lightness = 0 }) => {
			const rgb = fromHsl({ h: h + turn, s: s + saturation, l: l + lightness });
			return { hex: toHex(rgb), name: `${shade}（${familyOf(rgb)}）`, role, theory };
		}),
	}));
}
