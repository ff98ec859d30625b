import * as color from './colorMath';
import type { Rgb } from './colorMath';
import type { Call, Endpoint } from './endpoint';
import { palettesOf } from './palettes';
import { Dice } from './random';
import { type Answer, type Body, describe, Refusal } from './reply';

function htmlPage(title: string, body: string): Body {
	return {
		kind: 'file',
		contentType: 'text/html; charset=utf-8',
		content: `<!DOCTYPE html>
<html lang="zh-CN">
<head>
  <meta charset="UTF-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${title}</title>
  <style>
    body { font-family: sans-serif; margin: 2rem; }
    .swatch { display: inline-block; width: 8rem; height: 5rem; margin: .25rem; border-radius: .5rem; }
  </style>
</head>
<body>
${body}
</body>
</html>
`,
	};
}

const swatch = (hex: string) => `<span class="swatch" style="background: ${hex}" title="${hex}"></span>`;

function roundedHsl(rgb: Rgb) {
	const { h, s, l } = color.toHsl(rgb);
	return { h: Math.round(h) % 360, s: Math.round(s), l: Math.round(l) };
}

function rotated(rgb: Rgb, ...degrees: number[]): string[] {
	const { h, s, l } = color.toHsl(rgb);
	return degrees.map((turn) => color.toHex(color.fromHsl({ h: h + turn, s, l })));
}

function colorFacts(rgb: Rgb) {
	const hex = color.toHex(rgb);
	const hsl = roundedHsl(rgb);
	const hsv = color.toHsv(rgb);
	const cmyk = color.toCmyk(rgb);
	const lab = color.toLab(rgb);
	const contrast = color.contrasts(rgb);
	const best = Math.max(contrast.white, contrast.black);
	return {
		hex,
		name: color.familyOf(rgb),
		rgb: { ...rgb, string: `rgb(${rgb.r}, ${rgb.g}, ${rgb.b})` },
		hsl: { ...hsl, string: `hsl(${hsl.h}, ${hsl.s}%, ${hsl.l}%)` },
		hsv: { ...hsv, string: `hsv(${hsv.h}, ${hsv.s}%, ${hsv.v}%)` },
		cmyk: { ...cmyk, string: `cmyk(${cmyk.c}%, ${cmyk.m}%, ${cmyk.y}%, ${cmyk.k}%)` },
		lab: { ...lab, string: `lab(${lab.l}, ${lab.a}, ${lab.b})` },
		brightness: color.brightness(rgb),
		contrast,
		// WCAG 2 thresholds for text in black or white, whichever has more contrast.
		accessibility: {
			aa_normal: best >= 4.5,
			aa_large: best >= 3,
			aaa_normal: best >= 7,
			aaa_large: best >= 4.5,
			best_text_color: contrast.white >= contrast.black ? '#FFFFFF' : '#000000',
		},
		complementary: rotated(rgb, 180)[0],
		analogous: rotated(rgb, -30, 30),
		triadic: rotated(rgb, 120, 240),
	};
}

function randomColor(seed: string): Rgb {
	const dice = new Dice('color', seed);
	return { r: dice.integer(0, 255), g: dice.integer(0, 255), b: dice.integer(0, 255) };
}

/** Converts the requested color, or picks one per day. */
function colorAnswer({ parameters, today }: Call): Answer {
	const asked = parameters.text('color');
	const rgb = asked === '' ? randomColor(today) : color.parseHex(asked);
	if (!rgb) throw new Refusal(400, 400, '无效的颜色编码。请提供有效的 HEX 颜色编码，例如：#FF5733 或 FF5733');
	const data = colorFacts(rgb);
	const formats = Object.entries({
		HEX: data.hex,
		RGB: data.rgb.string,
		HSL: data.hsl.string,
		HSV: data.hsv.string,
		CMYK: data.cmyk.string,
		LAB: data.lab.string,
	});
	const related = [data.complementary, ...data.analogous, ...data.triadic];
	return describe(
		data,
		() =>
			`颜色信息\n\n颜色: ${data.hex} (${data.name})\n\n格式转换:\n` +
			`${formats.map(([name, value]) => `  ${name}: ${value}`).join('\n')}\n\n` +
			`亮度: ${data.brightness}\n对比度: 白 ${data.contrast.white}，黑 ${data.contrast.black}\n` +
			`互补色: ${data.complementary}\n邻近色: ${data.analogous.join(', ')}\n三角色: ${data.triadic.join(', ')}`,
		() =>
			`# 颜色信息\n\n## ${data.name}\n\n` +
			`<div style="background: ${data.hex}; width: 100%; height: 100px; border-radius: 8px;"></div>\n\n` +
			`${formats.map(([name, value]) => `**${name}**: ${value}`).join('\n\n')}\n\n**相关颜色**: ${related.join(', ')}`,
		{
			html: () =>
				htmlPage(
					`颜色 ${data.hex}`,
					`<h1>${data.hex} ${data.name}</h1>\n${swatch(data.hex)}\n<dl>\n${formats
						.map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`)
						.join('\n')}\n</dl>\n<h2>相关颜色</h2>\n${related.map(swatch).join('')}`,
				),
		},
	);
}

const applications = ['品牌标识', '网页与应用界面', '室内装饰', '服装搭配', '数据图表'];

function palette({ parameters, today }: Call): Answer {
	const asked = parameters.text('color');
	const rgb = asked === '' ? randomColor(today) : color.parseHex(asked);
	if (!rgb) {
		throw new Refusal(
			400,
			400,
			'color 参数不是有效的 HEX 颜色编码。请提供有效的 6 位或 3 位 HEX 编码，例如：#FF5733 或 FF5733',
		);
	}
	const hsl = roundedHsl(rgb);
	const palettes = palettesOf(color.toHsl(rgb));
	const input = { hex: color.toHex(rgb), rgb, hsl, name: color.familyOf(rgb) };
	const data = {
		input,
		palettes,
		metadata: { color_theory: '色轮与配色理论', total_palettes: palettes.length, applications },
	};
	return describe(
		data,
		() =>
			`色彩搭配分析报告\n\n输入颜色: ${input.hex} (${input.name})\nRGB: ${rgb.r}, ${rgb.g}, ${rgb.b}\n` +
			`HSL: ${hsl.h}°, ${hsl.s}%, ${hsl.l}%\n\n${palettes
				.map(
					({ name, description, colors }, index) =>
						`${index + 1}. ${name}\n   ${description}\n${colors
							.map((shade) => `   - ${shade.hex} ${shade.name} [${shade.theory}]`)
							.join('\n')}`,
				)
				.join('\n\n')}`,
		() =>
			`# 配色方案\n\n## 基础颜色\n\n**${input.name}** - ${input.hex}\n\n${palettes
				.map(
					({ name, description, colors }) =>
						`### ${name}\n\n${description}\n\n${colors
							.map((shade) => `- **${shade.name}** (${shade.role}) - ${shade.hex}`)
							.join('\n')}`,
				)
				.join('\n\n')}`,
		{
			html: () =>
				htmlPage(
					`配色方案 ${input.hex}`,
					`<h1>${input.hex} ${input.name}</h1>\n${palettes
						.map(
							({ name, description, colors }) =>
								`<section>\n<h2>${name}</h2>\n<p>${description}</p>\n${colors.map(({ hex }) => swatch(hex)).join('')}\n</section>`,
						)
						.join('\n')}`,
				),
		},
	);
}

/** Group Colors: a color in every notation, and its palettes. */
export const colorEndpoints: Endpoint[] = [
	{ path: '/color/random', example: '/color/random?color=%23FF5733', answer: colorAnswer },
	{ path: '/color/palette', example: '/color/palette?color=FF5733', answer: palette },
];
