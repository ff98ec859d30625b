/** A line of a chart. */
export interface Line {
	label: string;
	color: string;
	/** One value per second, in percent. */
	values: number[];
}

const SIZE = { width: 760, height: 300, left: 50, right: 20, top: 50, bottom: 50 };
const MOST = 120;

/** A chart of percentages over time as an SVG image for light and dark pages. */
export function toLineChart(title: string, lines: Line[], seconds: number): string {
	const x = (second: number) => SIZE.left + (second / seconds) * (SIZE.width - SIZE.left - SIZE.right);
	const y = (percent: number) =>
		SIZE.height - SIZE.bottom - (Math.min(percent, MOST) / MOST) * (SIZE.height - SIZE.top - SIZE.bottom);
	const scale = [0, 50, 100].flatMap((percent) => [
		`<line x1="${SIZE.left}" x2="${SIZE.width - SIZE.right}" y1="${y(percent)}" y2="${y(percent)}" stroke="#777" stroke-width="${percent === 100 ? 1.5 : 0.5}"/>`,
		`<text x="${SIZE.left - 6}" y="${y(percent) + 4}" text-anchor="end">${percent} %</text>`,
	]);
	const minutes = Array.from({ length: Math.floor(seconds / 60) + 1 }, (_, minute) => minute);
	const times = minutes.map(
		(minute) =>
			`<text x="${x(minute * 60)}" y="${SIZE.height - SIZE.bottom + 18}" text-anchor="middle">${minute} min</text>`,
	);
	const curves = lines.flatMap(({ label, color, values }, index) => {
		const points = values.map((value, second) => `${x(second).toFixed(1)},${y(value).toFixed(1)}`).join(' ');
		return [
			`<polyline points="${points}" fill="none" stroke="${color}" stroke-width="1.5"/>`,
			`<text x="${SIZE.left + index * 220}" y="${SIZE.height - 10}" fill="${color}">${label}</text>`,
		];
	});
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE.width} ${SIZE.height}" font-family="sans-serif" font-size="13" fill="#777">`,
		`<text x="10" y="22" font-size="15" font-weight="bold">${title}</text>`,
		...scale,
		...times,
		...curves,
		'</svg>\n',
	].join('\n');
}
