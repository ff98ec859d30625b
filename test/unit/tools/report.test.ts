import { messageOf, productsOf } from '../../../tools/host/report';
import type { ExampleResult } from '../../../tools/host/runExample';

const fileOf = (name: string) => {
	const [node, fileName] = name.split('/');
	return { id: name, node, fileName, mimeType: '' };
};

it.each([
	[
		'the page and the ZIP file',
		['Start/a.csv', 'Draw/a.png', 'Sheet/a.html', 'All/a.zip'],
		['a.html', 'a.zip'],
	],
	['the table', ['Draw/a.png', 'Table/a.csv'], ['a.csv']],
	['the audio, not its cover and subtitles', ['Cover/a.png', 'Show/a.mp3', 'Show/a.srt'], ['a.mp3']],
	['the audio that was made last', ['Samples/a.wav', 'Samples/b.wav', 'Speak/c.mp3'], ['c.mp3']],
	['all pictures of a node', ['Draw/a.png', 'Draw/b.webp'], ['a.png', 'b.webp']],
	['nothing', ['Start/a.bin'], []],
])('People open %s', (_what, files, opened) => {
	expect(productsOf(files.map(fileOf)).map(({ fileName }) => fileName)).toEqual(opened);
});

it.each<[string, Partial<ExampleResult>, string]>([
	['a text', { message: 'The\n  news' }, '“The news”'],
	['the beginning of a long text', { message: 'x'.repeat(90) }, `“${'x'.repeat(60)}…”`],
	['one item', { nodes: [{ name: 'End', items: 1, milliseconds: 1 }] }, '1 item'],
	['no items', { nodes: [{ name: 'End', items: 0, milliseconds: 1 }] }, 'nothing new'],
])('Without files, the report has %s', (_what, result, said) => {
	expect(messageOf({ succeeded: true, nodes: [], files: [], ...result })).toBe(said);
});
