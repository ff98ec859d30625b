import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { folders } from '../../../tools/host/folders';
import { demoFiles } from '../../../tools/host/language';

const files = ['agents.json', 'daily-briefing.json', 'daily-briefing.zh-CN.json', 'songs.json'];

describe('Examples of the demo', () => {
	it('are the English ones by default, the daily briefing first', () => {
		expect(demoFiles(files, 'en')).toEqual(['daily-briefing.json', 'agents.json', 'songs.json']);
	});

	it('are the Chinese ones where there are any, the daily briefing first', () => {
		expect(demoFiles(files, 'zh')).toEqual(['daily-briefing.zh-CN.json', 'agents.json', 'songs.json']);
	});

	it('begin with a briefing in each language of the READMEs', () => {
		const nameOf = (file: string) =>
			(JSON.parse(readFileSync(path.join(folders.examples, file), 'utf8')) as { name: string }).name;
		const examples = readdirSync(folders.examples);
		expect(nameOf(demoFiles(examples, 'en')[0])).toBe('Daily briefing');
		expect(nameOf(demoFiles(examples, 'zh')[0])).toBe('每日简报');
	});

	it.each([
		['README.md', 'npm ci && npm start\n'],
		['README.zh-CN.md', 'npm ci && npm start -- --language zh\n'],
	])('speak the language of %s', (readme, command) => {
		expect(readFileSync(path.join(folders.project, readme), 'utf8')).toContain(command);
	});
});
