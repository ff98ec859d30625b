import type { Shape } from './results';

/** The n8n in which the server tests run. */
interface ServerSettings {
	/** Number of workers in queue mode. */
	workers?: number;
	/** True if n8n runs as in production: PostgreSQL, Redis, a webhook process, and workers. */
	isProduction?: boolean;
	/** A version of n8n other than the one in demo/package.json. */
	n8nVersion?: string;
}

/** The oldest supported version of n8n. */
export const OLDEST_N8N = '2.0.0';

/** The files that run for every change: loads, editor, streaming; agents. `npm start -- --once` runs the examples. */
const SMOKE = ['server', 'agents'];

/** Number of workers in queue mode. */
const WORKERS = 2;

/** Number of workers in the production shape. */
const PRODUCTION_WORKERS = 3;

export const usage = `Usage: npm run test:server -- [options] [test file patterns, jest options]

  --queue        run n8n in queue mode: Redis, a main process and ${WORKERS} workers
  --production   run n8n as in production: PostgreSQL, Redis, a main and a webhook process, and ${PRODUCTION_WORKERS} workers
  --n8n VERSION  use a version of n8n other than the one in demo/package.json, such as 2.40.0, or "oldest" (${OLDEST_N8N})
                 or "newest"; it is installed on first use in npm's cache
  --smoke        run only the files that run for every change
  --record       run all tests, and write the result down for the table in docs/compatibility.md if all pass
  --help         show this help`;

/**
 * Splits a command line into the server settings and the arguments for Jest.
 *
 * @param newest returns the newest version of n8n; called only for `--n8n newest`
 */
export function readCommandLine(
	commandLine: string[],
	newest: () => string,
): { record: boolean; environment: Record<string, string>; forJest: string[] } {
	const forJest = [...commandLine];
	const take = (option: string, length = 1) => {
		const at = forJest.indexOf(option);
		return at < 0 ? [] : forJest.splice(at, length);
	};
	const has = (option: string) => take(option).length > 0;
	const environment: Record<string, string> = {};
	if (has('--queue')) environment.SERVER_TEST_WORKERS = String(WORKERS);
	if (has('--production')) {
		environment.SERVER_TEST_WORKERS = String(PRODUCTION_WORKERS);
		environment.SERVER_TEST_PRODUCTION = 'true';
	}
	const [option, requested] = take('--n8n', 2);
	if (option) environment.SERVER_TEST_N8N = versionOf(requested, newest);
	if (has('--smoke')) forJest.push(...SMOKE.map((name) => `/${name}\\.test\\.ts$`));
	const record = has('--record');
	if (record && forJest.length > 0)
		throw new Error('--record runs all tests; it takes no arguments for jest.');
	return { record, environment, forJest };
}

function versionOf(requested: string | undefined, newest: () => string): string {
	if (requested === 'oldest') return OLDEST_N8N;
	if (requested === 'newest') return newest();
	if (requested && /^\d+\.\d+\.\d+$/.test(requested)) return requested;
	throw new Error('--n8n requires a full version such as 2.40.0, or "oldest" or "newest".');
}

/** Reads the settings that {@link readCommandLine} passes to the tests in the environment. */
export function readServerSettings(environment: NodeJS.ProcessEnv): ServerSettings {
	const { SERVER_TEST_WORKERS: workers, SERVER_TEST_PRODUCTION: production } = environment;
	return {
		workers: workers === undefined ? undefined : Number(workers),
		isProduction: production !== undefined,
		n8nVersion: environment.SERVER_TEST_N8N,
	};
}

/** Returns the shape in which n8n runs with these settings. */
export function shapeOf({ workers, isProduction }: ServerSettings): Shape {
	if (isProduction) return 'production';
	return workers === undefined ? 'one process' : 'queue mode';
}
