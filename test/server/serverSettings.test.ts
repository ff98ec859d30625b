import { readFileSync } from 'node:fs';
import path from 'node:path';

import { folders } from '../../tools/host/settings';
import { manifestFor } from '../../tools/host/versions';
import { OLDEST_N8N, readCommandLine, readServerSettings } from './serverSettings';

const newest = () => '9.9.9';

describe('the command line of test:server', () => {
	it.each<[string[], object, string[]]>([
		[[], {}, []],
		[['--queue'], { workers: 2 }, []],
		[['--queue', 'chat', '-t', 'words'], { workers: 2 }, ['chat', '-t', 'words']],
		[['--n8n', '2.7.5', 'chat'], { n8nVersion: '2.7.5' }, ['chat']],
		[['chat', '--n8n=2.7.5', '--verbose'], { n8nVersion: '2.7.5' }, ['chat', '--verbose']],
		[['--n8n', 'oldest'], { n8nVersion: OLDEST_N8N }, []],
		[['--n8n', 'newest', '--queue'], { n8nVersion: '9.9.9', workers: 2 }, []],
	])('%j asks for its server and hands the rest to jest', (commandLine, settings, forJest) => {
		const read = readCommandLine(commandLine, newest);
		expect(readServerSettings(read.environment)).toEqual(settings);
		expect(read.forJest).toEqual(forJest);
	});

	it.each([[['--n8n']], [['--n8n', 'new']], [['--n8n', '2.7']]])('%j is refused', (commandLine) => {
		expect(() => readCommandLine(commandLine, newest)).toThrow('--n8n wants a whole version');
	});
});

describe('the manifest for another n8n', () => {
	const demo = {
		dependencies: { n8n: '2.40.7', node: '24.21.0' },
		overrides: { '@langchain/protocol': '0.0.19' },
	};

	it('takes the same Node and that n8n', () => {
		expect(manifestFor('2.1.4', demo)).toMatchObject({ dependencies: { n8n: '2.1.4', node: '24.21.0' } });
	});

	it('takes the overrides of the demo only for versions that are not older', () => {
		expect(manifestFor('2.41.3', demo)).toMatchObject({ overrides: demo.overrides });
		expect(manifestFor('2.1.4', demo)).not.toMatchObject({ overrides: demo.overrides });
	});
});

it('the oldest n8n is the one that the documentation names', () => {
	const page = readFileSync(path.join(folders.project, 'docs', 'compatibility.md'), 'utf8');
	expect(page).toContain(`| ${OLDEST_N8N} `);
});
