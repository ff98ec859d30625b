/** The results of one part of the benchmark. */
export interface Part {
	title: string;
	/** How it was measured, in a sentence or two. */
	about: string;
	/** Table rows; a missing column becomes an empty cell. */
	rows: Array<Record<string, string | number>>;
}

/** Replaces this part's section of the Markdown page, or appends it. */
export function withSection(page: string, part: Part): string {
	const [introduction, ...sections] = page.split(/^(?=## )/m);
	const section = toMarkdown(part);
	const index = sections.findIndex((existing) => existing.startsWith(`## ${part.title}\n`));
	if (index === -1) sections.push(section);
	else sections[index] = section;
	return [introduction, ...sections].map((text) => text.trim()).join('\n\n') + '\n';
}

/** A part as a section of a Markdown page. */
function toMarkdown({ title, about, rows }: Part): string {
	const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
	const line = (cells: unknown[]) => `| ${cells.join(' | ')} |`;
	return [
		`## ${title}`,
		'',
		about,
		'',
		line(columns),
		line(columns.map(() => '---')),
		...rows.map((row) => line(columns.map((column) => row[column] ?? ''))),
	].join('\n');
}

/** A bar of the chart. */
export interface Bar {
	label: string;
	/** Multiple of the ideal. */
	value: number;
	/** Whether the node is one of ours. */
	own: boolean;
}

const WIDTH = 760;
const ROW = 30;
const LEFT = 250;

/** A bar chart as an SVG image for light and dark pages; bars longer than `longest` are cut off and labeled as such. */
export function toChart(title: string, bars: Bar[], longest: number): string {
	const height = 50 + bars.length * ROW;
	const scale = (WIDTH - LEFT - 130) / longest;
	const rows = bars.map(({ label, value, own }, index) => {
		const y = 44 + index * ROW;
		const width = Math.max(2, Math.min(value, longest) * scale);
		const figure = `${value.toFixed(2)} ×${value > longest ? ' (cut off)' : ''}`;
		return [
			`<text x="${LEFT - 10}" y="${y + 14}" text-anchor="end">${label}</text>`,
			`<rect x="${LEFT}" y="${y}" width="${width.toFixed(1)}" height="20" rx="3" fill="${own ? '#5b4bd5' : '#9a9aa5'}"/>`,
			`<text x="${LEFT + width + 8}" y="${y + 14}">${figure}</text>`,
		].join('\n');
	});
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="13" fill="#777">`,
		`<text x="10" y="22" font-size="15" font-weight="bold">${title}</text>`,
		...rows,
		'</svg>\n',
	].join('\n');
}

/** The cells of a row about memory: the median and the range of the runs. */
export function peakMemory(runs: Array<{ peakBytes: number }>): Record<string, string> {
	const megabytes = runs
		.map(({ peakBytes }) => Math.round(peakBytes / 1e6))
		.sort((one, other) => one - other);
	return {
		'peak memory': `${megabytes[Math.floor(megabytes.length / 2)]} MB`,
		range: `${megabytes[0]} to ${megabytes.at(-1)} MB`,
	};
}
