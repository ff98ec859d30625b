import { parseArgs } from 'node:util';

/** What kind of n8n the server tests run in. */
export interface ServerSettings {
	/** Queue mode with so many workers. */
	workers?: number;
	/** Another n8n than the one that the demo pins. */
	n8nVersion?: string;
}

/** The oldest n8n in which the server tests pass; docs/compatibility.md names it. */
export const OLDEST_N8N = '2.35.3';

/** How many workers queue mode has in tests. */
const WORKERS = 2;

export const usage = `Usage: npm run test:server -- [options] [patterns of test files, options of jest]

  --queue        n8n in queue mode: Redis, a main process and ${WORKERS} workers
  --n8n VERSION  another n8n than the one in demo/package.json, e.g. 2.40.0, or the word oldest (${OLDEST_N8N}) or newest;
                 it is installed on first use, below demo/.state or the folder that N8N_VERSIONS_FOLDER names
  --help         show this`;

/**
 * Splits a command line into what is meant for the server and what jest is given.
 *
 * @param newest gives the newest version of n8n; asked for only when the command line wants it
 * @throws Error when `--n8n` is not followed by a version
 */
export function readCommandLine(
	commandLine: string[],
	newest: () => string,
): {
	help: boolean;
	environment: Record<string, string>;
	forJest: string[];
} {
	const { values, tokens } = parseArgs({
		args: commandLine,
		options: { queue: { type: 'boolean' }, n8n: { type: 'string' }, help: { type: 'boolean' } },
		strict: false,
		tokens: true,
	});
	const n8nVersion = versionOf(values.n8n, newest);
	const own = new Set(
		tokens.flatMap((token) => {
			if (token.kind !== 'option' || !['queue', 'n8n', 'help'].includes(token.name)) return [];
			return token.name === 'n8n' && !token.inlineValue ? [token.index, token.index + 1] : [token.index];
		}),
	);
	return {
		help: values.help === true,
		environment: {
			...(values.queue ? { SERVER_TEST_WORKERS: String(WORKERS) } : {}),
			...(n8nVersion ? { SERVER_TEST_N8N: n8nVersion } : {}),
		},
		forJest: commandLine.filter((_argument, index) => !own.has(index)),
	};
}

function versionOf(wanted: string | boolean | undefined, newest: () => string): string | undefined {
	if (wanted === undefined) return undefined;
	if (wanted === 'oldest') return OLDEST_N8N;
	if (wanted === 'newest') return newest();
	if (typeof wanted === 'string' && /^\d+\.\d+\.\d+$/.test(wanted)) return wanted;
	throw new Error('--n8n wants a whole version such as 2.40.0, or oldest, or newest.');
}

/** The settings as {@link readCommandLine} wrote them into the environment of the tests. */
export function readServerSettings(environment: NodeJS.ProcessEnv): ServerSettings {
	const { SERVER_TEST_WORKERS: workers, SERVER_TEST_N8N: n8nVersion } = environment;
	return {
		...(workers ? { workers: Number(workers) } : {}),
		...(n8nVersion ? { n8nVersion } : {}),
	};
}
