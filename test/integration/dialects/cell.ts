import type { Emulator } from '../../../emulator';
import type { Dialect, Meaning } from '../../../emulator/dialects';
import { routeMatcher } from '../../../emulator/routePattern';
import { deleteFilesOf } from '../engine/retry';
import type { OperationCase } from '../faults/operations';
import { failedItems, rowsOf, type FailedItem, type Row } from './rows';
import { runPlan, type CellRun } from './run';
import { differenceTo } from './comparison';

/** What became of an answer in a dialect; only the first two are as they must be, and only where the dialect says so. */
export type Outcome =
	'right' | 'refused with words' | 'refused without words' | 'refused though usable' | 'silently wrong';

/** One operation in one dialect. */
export interface DialectCell {
	operation: OperationCase;
	dialect: Dialect;
	outcome: Outcome;
	/** Whether it is what the dialect declares. */
	isRight: boolean;
	/** What is not as it must be, in words. */
	note: string;
}

/** A run of an operation without a dialect. */
interface Regular {
	rows: Row[];
	requests: Array<{ method: string; path: string; wantsStream: boolean }>;
}

const regularRuns = new Map<OperationCase, Promise<Regular>>();
const STATUS_KINDS: Record<number, string> = {
	401: 'authentication',
	403: 'permission',
	404: 'notFound',
	429: 'rateLimit',
	500: 'gateway',
};

/** Whether a dialect can be among the answers that an operation receives. */
export async function fits(dialect: Dialect, operation: OperationCase, emulator: Emulator): Promise<boolean> {
	const { requests } = await regularOf(operation, emulator);
	const matchers = dialect.routes.map(routeMatcher);
	const hits = routeMatcher(operation.route ?? '/*');
	return requests.some(
		({ method, path, wantsStream }) =>
			hits(method, path) &&
			matchers.some((matches) => matches(method, path)) &&
			(wantsStream || !dialect.needsStream),
	);
}

async function regularOf(operation: OperationCase, emulator: Emulator): Promise<Regular> {
	const known = regularRuns.get(operation);
	if (known) return await known;
	const running = runPlan(operation, emulator).then(async (run) => {
		const rows = await rowsOf(run);
		await deleteFilesOf(run.executionId);
		const requests = run.entries.map(({ method, path, body }) => ({
			method,
			path,
			wantsStream:
				path.endsWith(':streamGenerateContent') ||
				(body as { stream?: boolean } | undefined)?.stream === true,
		}));
		return { rows, requests };
	});
	regularRuns.set(operation, running);
	return await running;
}

/**
 * Runs an operation in a dialect.
 *
 * @returns undefined if the dialect has nothing to change in its answers
 */
export async function runDialect(
	operation: OperationCase,
	dialect: Dialect,
	emulator: Emulator,
): Promise<DialectCell | undefined> {
	const regular = await regularOf(operation, emulator);
	const run = await runPlan(operation, emulator, [dialect.name]);
	try {
		if (!run.entries.some(({ dialects }) => dialects.length > 0)) return undefined;
		const [outcome, note] = await outcomeOf(run, regular.rows, dialect.meaning);
		const expected = dialect.meaning.kind === 'failure' ? 'refused with words' : 'right';
		return { operation, dialect, outcome, isRight: outcome === expected, note };
	} finally {
		await deleteFilesOf(run.executionId);
	}
}

async function outcomeOf(run: CellRun, expected: Row[], meaning: Meaning): Promise<[Outcome, string]> {
	const failed = failedItems(run);
	const says = failed.map(({ message }) => message).join(' / ');
	if (run.broken.length > 0) return ['refused without words', run.broken.join(', ')];
	if (run.result?.error) return ['refused without words', `the run stops: ${run.result.error.message}`];
	const rows = await rowsOf(run);
	if (rows.length !== expected.length) return ['silently wrong', `${rows.length} rows`];
	return meaning.kind === 'failure'
		? refused(rows, expected, meaning, failed)
		: answered(rows, expected, meaning, says);
}

function answered(rows: Row[], expected: Row[], meaning: Meaning, says: string): [Outcome, string] {
	const wrong = rows.flatMap(({ result, output }, row) =>
		result === expected[row].result ? (differenceTo(output, expected[row].output, meaning) ?? []) : result,
	);
	if (wrong.length === 0) return ['right', ''];
	const isRefused = rows.some(({ result }) => result !== 'works');
	return [isRefused ? 'refused though usable' : 'silently wrong', [...wrong, says].join(': ')];
}

function refused(
	rows: Row[],
	expected: Row[],
	meaning: Extract<Meaning, { kind: 'failure' }>,
	failed: FailedItem[],
): [Outcome, string] {
	const wrong = rows.find(({ result, output }, row) => result === 'works' && output !== expected[row].output);
	if (wrong ?? failed.length === 0) {
		return ['silently wrong', `${rows.map(({ result }) => result).join()}: ${rows[0].output.slice(0, 200)}`];
	}
	const kind = meaning.status === undefined ? undefined : STATUS_KINDS[meaning.status];
	for (const { message, details } of failed) {
		const own = details.kind as string;
		const lower = message.toLowerCase();
		const hasWords = meaning.words.some((words) => lower.includes(words.toLowerCase()));
		if (!hasWords) return ['refused without words', `${own}: ${message}`];
		if (kind !== undefined && own !== kind) {
			return ['refused without words', `of kind ${own} instead of ${kind}: ${message}`];
		}
	}
	return ['refused with words', ''];
}
