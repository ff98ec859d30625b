/** Red, green and blue, each 0 to 255. */
export interface Rgb {
	r: number;
	g: number;
	b: number;
}

/** Hue in degrees (0 to 360), saturation and lightness in percent, not rounded. */
export interface Hsl {
	h: number;
	s: number;
	l: number;
}

/** Parses a color of three or six hexadecimal digits, with or without `#`; undefined for anything else. */
export function parseHex(text: string): Rgb | undefined {
	const digits = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text.trim())?.[1];
	if (digits === undefined) return undefined;
	const six = digits.length === 3 ? digits.replace(/./g, '$&$&') : digits;
	const value = Number.parseInt(six, 16);
	return { r: value >> 16, g: (value >> 8) & 255, b: value & 255 };
}

/** The color as `#RRGGBB`, in upper case. */
export function toHex({ r, g, b }: Rgb): string {
	return `#${[r, g, b].map((channel) => channel.toString(16).padStart(2, '0')).join('')}`.toUpperCase();
}

function hueOf({ r, g, b }: Rgb): { hue: number; highest: number; lowest: number } {
	const [red, green, blue] = [r / 255, g / 255, b / 255];
	const highest = Math.max(red, green, blue);
	const lowest = Math.min(red, green, blue);
	const range = highest - lowest;
	if (range === 0) return { hue: 0, highest, lowest };
	const sixth =
		highest === red
			? ((green - blue) / range + 6) % 6
			: highest === green
				? (blue - red) / range + 2
				: (red - green) / range + 4;
	return { hue: sixth * 60, highest, lowest };
}

/** Hue, saturation and lightness of a color. */
export function toHsl(rgb: Rgb): Hsl {
	const { hue, highest, lowest } = hueOf(rgb);
	const lightness = (highest + lowest) / 2;
	const range = highest - lowest;
	const saturation = range === 0 ? 0 : range / (1 - Math.abs(2 * lightness - 1));
	return { h: hue, s: saturation * 100, l: lightness * 100 };
}

/** The color of a hue (any number of degrees), saturation and lightness (both clamped to 0 to 100 percent). */
export function fromHsl({ h, s, l }: Hsl): Rgb {
	const percent = (value: number) => Math.min(Math.max(value, 0), 100) / 100;
	const hue = ((h % 360) + 360) % 360;
	const lightness = percent(l);
	const amplitude = percent(s) * Math.min(lightness, 1 - lightness);
	const channel = (offset: number) => {
		const position = (offset + hue / 30) % 12;
		return Math.round(255 * (lightness - amplitude * Math.max(-1, Math.min(position - 3, 9 - position, 1))));
	};
	return { r: channel(0), g: channel(8), b: channel(4) };
}

/** Hue in degrees, saturation and value in percent, rounded. */
export function toHsv(rgb: Rgb): { h: number; s: number; v: number } {
	const { hue, highest, lowest } = hueOf(rgb);
	return {
		h: Math.round(hue),
		s: highest === 0 ? 0 : Math.round(((highest - lowest) / highest) * 100),
		v: Math.round(highest * 100),
	};
}

/** Cyan, magenta, yellow and black in percent, rounded. */
export function toCmyk({ r, g, b }: Rgb): { c: number; m: number; y: number; k: number } {
	const light = Math.max(r, g, b) / 255;
	const share = (channel: number) => (light === 0 ? 0 : Math.round((1 - channel / 255 / light) * 100));
	return { c: share(r), m: share(g), y: share(b), k: Math.round((1 - light) * 100) };
}

function linear(channel: number): number {
	const share = channel / 255;
	return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

/** CIE L*a*b* under daylight (D65), rounded. */
export function toLab({ r, g, b }: Rgb): { l: number; a: number; b: number } {
	const [red, green, blue] = [linear(r), linear(g), linear(b)];
	const curve = (value: number) =>
		value > 216 / 24389 ? Math.cbrt(value) : ((24389 / 27) * value + 16) / 116;
	const x = curve((0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047);
	const y = curve(0.2126729 * red + 0.7151522 * green + 0.072175 * blue);
	const z = curve((0.0193339 * red + 0.119192 * green + 0.9503041 * blue) / 1.08883);
	return { l: Math.round(116 * y - 16), a: Math.round(500 * (x - y)), b: Math.round(200 * (y - z)) };
}

/** Perceived brightness, 0 to 255 (weights of ITU-R BT.601). */
export function brightness({ r, g, b }: Rgb): number {
	return Math.round(0.299 * r + 0.587 * g + 0.114 * b);
}

/** WCAG 2 contrast ratios to white and black, from 1 to 21, with two decimals. */
export function contrasts({ r, g, b }: Rgb): { white: number; black: number } {
	const luminance = 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
	const rounded = (ratio: number) => Math.round(ratio * 100) / 100;
	return { white: rounded(1.05 / (luminance + 0.05)), black: rounded((luminance + 0.05) / 0.05) };
}

const hueNames: ReadonlyArray<[upTo: number, name: string]> = [
	[15, '红色系'],
	[45, '橙色系'],
	[70, '黄色系'],
	[165, '绿色系'],
	[195, '青色系'],
	[255, '蓝色系'],
	[285, '紫色系'],
	[345, '粉色系'],
	[360, '红色系'],
];

/** The family of a color in Chinese, for example 红色系. */
export function familyOf(rgb: Rgb): string {
	const { h, s, l } = toHsl(rgb);
	if (l >= 97) return '白色系';
	if (l <= 4) return '黑色系';
	if (s < 8) return '灰色系';
	return hueNames.find(([upTo]) => h <= upTo)![1];
}
