import { readdirSync, readFileSync } from 'node:fs';
import { sourceFiles } from '../../unit/project/sourceFiles';

const ROOM = 'nodes/Chat/formats';
const folders = readdirSync(ROOM, { withFileTypes: true })
	.filter((entry) => entry.isDirectory())
	.map(({ name }) => name);

it('Each folder of a format is a row', () => {
	const rows = readFileSync(`${ROOM}/formats.ts`, 'utf8');
	expect(folders.filter((name) => !rows.includes(`from './${name}/format'`))).toEqual([]);
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
