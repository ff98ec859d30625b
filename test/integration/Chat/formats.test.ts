import { readdirSync, readFileSync } from 'node:fs';
import type { ChatFormat } from '../../../nodes/Chat/formats/chatFormat';
import { FORMATS } from '../../../nodes/Chat/formats/formats';
import { sourceFiles } from '../../unit/project/sourceFiles';
import { type Operation, useChat } from '../engine/useChat';
import { lines } from './invented/format';

/** A fourth row is all that the node needs to know of the invented format. */
jest.mock('../../../nodes/Chat/formats/formats', () => {
	const known = jest.requireActual<{ FORMATS: ChatFormat[] }>('../../../nodes/Chat/formats/formats');
	const invented = jest.requireActual<{ lines: ChatFormat }>('./invented/format');
	return { FORMATS: [...known.FORMATS, invented.lines] };
});

const chat = useChat();

describe('A fourth format', () => {
	it.each([
		['as a whole', false, JSON.stringify({ pieces: ['Bl', 'ue.'], sign: 'STOP', spent: 2 })],
		['as a stream', true, 'data: {"piece":"Bl"}\n\ndata: {"piece":"ue.","sign":"STOP","spent":2}\n\n'],
	])('needs one folder and one row: an answer %s', async (_how, stream, answer) => {
		const contentType = stream ? 'text/event-stream' : 'application/json';
		chat.fail('POST /v1/lines', { kind: 'status', status: 200, body: answer, contentType } as never);
		const options = { stream, temperature: 0.5 };
		const { items, error } = await chat.ask('lines' as Operation, { options });
		expect(error).toBeUndefined();
		expect(chat.sentBody()).toEqual({ model: 'aurora-4', lines: ['Why is the sky blue?'], temperature: 0.5 });
		expect(items[0].json).toMatchObject({ text: 'Blue.', finishReason: 'stop', outputTokens: 2 });
	});

	it('is missing nothing that the types do not ask for', () => {
		const { stream, ...withoutStream } = lines;
		// @ts-expect-error: the compiler says that `stream` is missing.
		const incomplete: ChatFormat = withoutStream;
		expect({ ...incomplete, stream }).toEqual(lines);
	});
});

const ROOM = 'nodes/Chat/formats';
const folders = readdirSync(ROOM, { withFileTypes: true })
	.filter((entry) => entry.isDirectory())
	.map(({ name }) => name);

it('Each folder of a format is a row', () => {
	const rows = readFileSync(`${ROOM}/formats.ts`, 'utf8');
	expect(folders.filter((name) => !rows.includes(`from './${name}/format'`))).toEqual([]);
	expect(FORMATS).toHaveLength(folders.length + 1);
});

it('At most four files outside of its folder name a format', () => {
	const naming = sourceFiles('nodes').filter(({ path, text }) => {
		const code = text.replaceAll(/\/\*[^]*?\*\/|\/\/.*/g, '');
		return !folders.some((name) => path.startsWith(`${ROOM}/${name}/`)) && NAMES.test(code);
	});
	expect(naming.map(({ path }) => path)).toEqual([
		'nodes/Chat/formats/formats.ts',
		'nodes/Chat/formats/generation.ts',
		'nodes/Chat/model/fields.ts',
		'nodes/shared/send/endpoints.ts',
	]);
});

const NAMES = /chatCompletion|generateContent|messages[ -]format|format(s\/| === )'?messages/i;
