import { findPostgres } from '../../tools/host/postgres';
import { manifestFor } from '../../tools/host/versions';
import { OLDEST_N8N, readCommandLine, readServerSettings } from './serverSettings';

const newest = () => '9.9.9';

describe('readCommandLine', () => {
	it.each<[string[], object, string[]]>([
		[[], {}, []],
		[['--queue'], { workers: 2 }, []],
		[['--queue', 'chat', '-t', 'words'], { workers: 2 }, ['chat', '-t', 'words']],
		[['--production', 'chat'], { workers: 3, isProduction: true }, ['chat']],
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

	it('passes the names of the smoke tests to jest', () => {
		const { forJest } = readCommandLine(['--smoke', '--verbose'], newest);
		expect(forJest).toContain('--verbose');
		expect(forJest).toContain('/examples\\.test\\.ts$');
	});

	it('records only complete runs', () => {
		expect(readCommandLine(['--n8n', '2.7.5'], newest).record).toBe(false);
		expect(readCommandLine(['--record', '--n8n', '2.7.5'], newest)).toMatchObject({
			record: true,
			forJest: [],
		});
		expect(() => readCommandLine(['--record', 'chat'], newest)).toThrow('--record runs all tests');
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

describe('findPostgres', () => {
	it('rejects a machine without PostgreSQL', () => {
		expect(() => findPostgres({ PATH: '/nowhere' }, ['/nowhere/else'])).toThrow(
			'PostgreSQL, but its programs are not installed',
		);
		expect(() => findPostgres({ POSTGRES_BIN_PATH: '/nowhere' }, [])).toThrow(
			'which is not a folder with initdb',
		);
	});
});
