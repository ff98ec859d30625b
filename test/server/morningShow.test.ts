import { XMLParser } from 'fast-xml-parser';
import type { ExampleResult } from '../../tools/host/runExample';
import { decode, probe } from '../audioTools';
import { useServer } from './useServer';

const n8n = useServer();

describe.each([
	['Morning show', ['News', 'Weather', 'Markets', 'On this day'], 'eng'],
	['早间节目', ['新闻', '天气', '汇率', '历史上的今天'], 'zho'],
])('Example "%s"', (name, titles, language) => {
	let result: ExampleResult;
	let json: Record<string, unknown>;
	let bytes: Buffer;

	const fileOf = (extension: string) =>
		result.files.find(({ fileName }) => fileName.endsWith(`.${extension}`))!;

	beforeAll(async () => {
		n8n.emulator.journal.clear();
		result = await n8n.runExample(name);
		const { runData } = await n8n.rest.execution(result.executionId!);
		const last = Object.values(runData).at(-1)!;
		json = last[0].data!.main[0]![0].json!;
		bytes = await n8n.rest.file(fileOf('mp3').id);
	});

	it('runs every node without a failure, with two voices', () => {
		expect(result).toMatchObject({ succeeded: true, reason: undefined });
		const bodies = n8n.emulator.journal
			.entries(({ path }) => path === '/v1/audio/speech')
			.map(({ body }) => body);
		expect(new Set(bodies.map((body) => (body as { voice: string }).voice)).size).toBe(2);
	});

	it('makes one episode with a chapter for each story, a cover, and its language', () => {
		const { chapters, streams, format } = probe(bytes);
		expect(chapters.map(({ tags }) => tags?.title)).toEqual(titles);
		expect(streams.map(({ codec_type: type }) => type)).toEqual(['audio', 'video']);
		expect(format.tags).toMatchObject({ language, date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) });
		expect(decode(bytes).warnings).toBe('');
	});

	it('has subtitles for all of it', async () => {
		for (const extension of ['srt', 'vtt']) {
			const text = (await n8n.rest.file(fileOf(extension).id)).toString();
			expect(text.match(/ --> /g)!.length).toBeGreaterThan(10);
		}
	});

	it('writes an entry for a podcast feed, with the size and length of the file', () => {
		const parser = new XMLParser({ ignoreAttributes: false });
		const { item } = parser.parse(json.rss as string) as {
			item: { title: string; enclosure: Record<string, string>; 'itunes:duration': number; pubDate: string };
		};
		expect(item.title).toBe(json.title);
		expect(Number(item.enclosure['@_length'])).toBe(bytes.length);
		expect(item.enclosure['@_type']).toBe('audio/mpeg');
		expect(item['itunes:duration']).toBe(Math.round(Number(probe(bytes).format.duration)));
		expect(item.pubDate).toMatch(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/);
	});
});
