import { readFileSync } from 'node:fs';
import path from 'node:path';

import { folders } from '../../tools/host/folders';
import { manifestFor } from '../../tools/host/versions';
import { OLDEST_N8N, readCommandLine, readServerSettings } from './serverSettings';

const newest = () => '9.9.9';

describe('readCommandLine', () => {
	it.each<[string[], object, string[]]>([
		[[], {}, []],
		[['--queue'], { workers: 2 }, []],
		[['--queue', 'chat', '-t', 'words'], { workers: 2 }, ['chat', '-t', 'words']],
		[['--n8n', '2.7.5', 'chat'], { n8nVersion: '2.7.5' }, ['chat']],
		[['chat', '--n8n=2.7.5', '--verbose'], { n8nVersion: '2.7.5' }, ['chat', '--verbose']],
		[['--n8n', 'oldest'], { n8nVersion: OLDEST_N8N }, []],
		[['--n8n', 'newest', '--queue'], { n8nVersion: '9.9.9', workers: 2 }, []],
	])('reads the server settings from %j and passes the rest to jest', (commandLine, settings, forJest) => {
		const read = readCommandLine(commandLine, newest);
		expect(readServerSettings(read.environment)).toEqual(settings);
		expect(read.forJest).toEqual(forJest);
	});

	it.each([[['--n8n']], [['--n8n', 'new']], [['--n8n', '2.7']]])('rejects %j', (commandLine) => {
		expect(() => readCommandLine(commandLine, newest)).toThrow('--n8n requires a full version');
	});
});

describe('manifestFor', () => {
	const demo = {
		dependencies: { n8n: '2.40.7', node: '24.21.0' },
		overrides: { '@langchain/protocol': '0.0.19' },
	};

	it('uses the same Node and the given n8n', () => {
		expect(manifestFor('2.1.4', demo)).toMatchObject({ dependencies: { n8n: '2.1.4', node: '24.21.0' } });
	});

	it('uses the overrides of demo/ unless the version is older', () => {
		expect(manifestFor('2.41.3', demo)).toMatchObject({ overrides: demo.overrides });
		expect(manifestFor('2.1.4', demo)).not.toMatchObject({ overrides: demo.overrides });
	});
});

describe('OLDEST_N8N', () => {
	it('is the oldest version in the documentation', () => {
		const page = readFileSync(path.join(folders.project, 'docs', 'compatibility.md'), 'utf8');
		expect(page).toContain(`| ${OLDEST_N8N} `);
	});
});
