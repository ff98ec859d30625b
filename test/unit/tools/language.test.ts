import { readFileSync } from 'node:fs';
import path from 'node:path';

import { folders } from '../../../tools/host/folders';
import { demoFiles } from '../../../tools/host/language';

const files = ['agents.json', 'morning-show.json', 'morning-show.zh-CN.json', 'songs.json'];

describe('Examples of the demo', () => {
	it('are the English ones by default, the morning show first', () => {
		expect(demoFiles(files, 'en')).toEqual(['morning-show.json', 'agents.json', 'songs.json']);
	});

	it('are the Chinese ones where there are any, the morning show first', () => {
		expect(demoFiles(files, 'zh')).toEqual(['morning-show.zh-CN.json', 'agents.json', 'songs.json']);
	});

	it.each([
		['README.md', 'npm ci && npm start\n'],
		['docs/zh-CN/README.md', 'npm ci && npm start -- --language zh\n'],
	])('speak the language of %s', (readme, command) => {
		expect(readFileSync(path.join(folders.project, readme), 'utf8')).toContain(command);
	});
});
