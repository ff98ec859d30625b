import { PNG } from 'pngjs';

import type { ExampleResult } from '../../tools/host/runExample';
import { useServer } from './useServer';

const n8n = useServer();

describe('Example "Images from a spreadsheet"', () => {
	let result: ExampleResult;
	let rows: Array<{ reference: string }>;

	beforeAll(async () => {
		const { nodes } = await n8n.example('Images from a spreadsheet');
		const sheet = nodes.find(({ name }) => name === 'Sheet')?.parameters.jsonOutput as string;
		({ rows } = JSON.parse(sheet) as { rows: typeof rows });
		result = await n8n.runExample('Images from a spreadsheet');
	});

	it('generates an image for each valid row and names it after the row', async () => {
		expect(result).toMatchObject({ succeeded: true, reason: undefined });
		const images = result.files.filter(({ mimeType }) => mimeType === 'image/png');
		expect(images.map(({ fileName }) => fileName).sort()).toEqual(
			['icon', 'label', 'lighthouse', 'map', 'poster', 'red-fox', 'teapot', '雪中的狐狸']
				.map((name) => `${name}.png`)
				.sort(),
		);
		for (const { id, fileName } of images) {
			const png = PNG.sync.read(await n8n.rest.file(id));
			if (fileName === 'lighthouse.png') expect([png.width, png.height]).toEqual([1792, 1024]);
		}
	});

	it('sends the reference images of the rows that have one', () => {
		const bodies = n8n.emulator.journal
			.entries('POST /v1/images/generations')
			.map(({ body }) => body as { prompt: string; extra_fields?: { reference_images: string[] } });
		expect(bodies).toHaveLength(8);
		const withReference = bodies.filter(({ extra_fields: extra }) => extra);
		expect(withReference).toHaveLength(2);
		for (const { extra_fields: extra } of withReference) {
			expect(rows.map(({ reference }) => reference)).toContain(extra?.reference_images[0]);
		}
	});

	it('reports the rows that failed and how to fix them', async () => {
		const [report] = result.files.filter(({ node }) => node === 'Report');
		const lines = (await n8n.rest.file(report.id)).toString().trim().split('\n');
		expect(lines).toHaveLength(3);
		expect(lines[0]).toMatch(/name,prompt,what happened,what to do/);
		expect(lines[1]).toMatch(/^no-prompt,,Prompt is empty,/);
		expect(lines[2]).toMatch(/^sketch,The sketch as a finished painting,.*Reference Images is neither/);
	});
});
