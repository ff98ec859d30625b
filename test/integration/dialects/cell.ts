import { createHash } from 'node:crypto';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Emulator, JournalEntry } from '../../../emulator';
import type { Dialect, Meaning } from '../../../emulator/dialects';
import { routeMatcher } from '../../../emulator/routePattern';
import { deleteFilesOf } from '../engine/retry';
import { fileBytes, runWorkflow } from '../engine/runWorkflow';
import { type OperationCase, workflowOf } from '../faults/operations';
import { differenceTo } from './comparison';

/** What became of one input item. */
interface Row {
	failures: Array<{ message: string; kind: string }>;
	/** Whether a task goes on after the run, which is no failure, because its ID is in the output. */
	isWaiting: boolean;
	/** Its items without what differs between two equal runs. */
	output: unknown;
}

interface CellRun {
	rows: Row[];
	requests: readonly JournalEntry[];
}

const MAX_RETRIES = 2;
const STATUS_KINDS: Record<number, string> = {
	401: 'authentication',
	403: 'permission',
	404: 'notFound',
	429: 'rateLimit',
	500: 'gateway',
};
const regularRuns = new Map<OperationCase, CellRun>();
let runs = 0;

/**
 * Runs an operation in a dialect.
 *
 * @param emulator nobody else uses it meanwhile
 * @returns what is not as the dialect says, in words; undefined if it changes nothing in the answers of the operation
 */
export async function wrongIn(
	dialect: Dialect,
	operation: OperationCase,
	emulator: Emulator,
): Promise<string[] | undefined> {
	const regular = regularRuns.get(operation) ?? (await runIn([], operation, emulator));
	regularRuns.set(operation, regular);
	if (!fits(dialect, operation, regular)) return undefined;
	const { rows, requests } = await runIn([dialect.name], operation, emulator);
	if (!requests.some(({ dialects }) => dialects.length > 0)) return undefined;
	if (rows.length !== regular.rows.length) return [`${rows.length} rows`];
	const { meaning } = dialect;
	return meaning.kind === 'failure'
		? notRefused(rows, regular.rows, meaning)
		: rows.flatMap((row, index) => notRead(row, regular.rows[index], meaning));
}

/** Whether a dialect can be among the answers that an operation receives. */
function fits(
	{ routes, needsStream }: Dialect,
	{ route = '/*' }: OperationCase,
	{ requests }: CellRun,
): boolean {
	const matchers = routes.map(routeMatcher);
	const hits = routeMatcher(route);
	return requests.some(
		({ method, path, body }) =>
			hits(method, path) &&
			matchers.some((matches) => matches(method, path)) &&
			(!needsStream ||
				path.endsWith(':streamGenerateContent') ||
				(body as { stream?: boolean } | undefined)?.stream === true),
	);
}

async function runIn(dialect: string[], operation: OperationCase, emulator: Emulator): Promise<CellRun> {
	emulator.journal.clear();
	emulator.voices.clear();
	emulator.behaviour.reset();
	emulator.behaviour.set('*', { music: { pendingMs: 0, processingMs: 0 }, ...operation.rule });
	if (dialect.length > 0) emulator.behaviour.set(operation.route ?? '/*', { dialect });
	runs += 1;
	const executionId = `cell-${runs}`;
	const options = { maxRetries: MAX_RETRIES, maxRateLimitRetries: MAX_RETRIES, timeoutSeconds: 300 };
	const { url: baseUrl, apiKey } = emulator;
	const workflow = workflowOf(operation, { options }, { onError: 'continueRegularOutput' });
	const { outputs, error } = await runWorkflow(workflow, {
		// A different rate makes each run's credential a different one, so that nothing is learned from earlier runs.
		credential: { baseUrl, apiKey, requestsPerMinute: 1e8 + runs },
		input: operation.input?.(emulator),
		executionId,
	});
	if (error) throw error;
	const rows = await rowsOf(outputs.flat());
	await deleteFilesOf(executionId);
	return { rows, requests: [...emulator.journal.entries()] };
}

async function rowsOf(items: INodeExecutionData[]): Promise<Row[]> {
	const rowOf = ({ pairedItem }: INodeExecutionData) =>
		([pairedItem].flat()[0] as { item: number } | undefined)?.item ?? 0;
	const count = Math.max(1, ...items.map((item) => rowOf(item) + 1));
	return await Promise.all(
		Array.from({ length: count }, async (_, row) => {
			const own = items.filter((item) => rowOf(item) === row);
			return {
				failures: own.flatMap(({ json: { error, details } }) =>
					details ? [{ message: error as string, kind: (details as IDataObject).kind as string }] : [],
				),
				isWaiting: own.some(({ json }) => json.timedOut === true),
				output: withoutChance(await Promise.all(own.map(withDigests))),
			};
		}),
	);
}

async function withDigests({ json, binary = {} }: INodeExecutionData) {
	const files = Object.entries(binary).map(async ([field, file]) => {
		const digest = createHash('sha256').update(await fileBytes(file));
		return { field, name: file.fileName, mimeType: file.mimeType, content: digest.digest('hex') };
	});
	return { json, files: await Promise.all(files) };
}

/** What is different for each request, and its replacement; everything else must be the same. */
const CHANCE: Array<[RegExp, string]> = [
	[/(?:127\.0\.0\.1|localhost):\d+/g, 'HOST'],
	// IDs of answers, tasks, tracks, and voices.
	[/(?<![0-9a-f])[0-9a-f]{24,32}(?![0-9a-f])/g, 'ID'],
	// A name can be taken only once.
	[/\bVoice \d+\b/g, 'Voice N'],
	// Times in seconds and in milliseconds, and in words.
	[/\b1[789]\d{8}(?:\d{3})?\b/g, 'TIME'],
	[/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?Z?/g, 'TIME'],
];
/** The ID of a song decides how long it is, and how its files sound and look. */
const CHANCE_OF_SONGS = ['durationSeconds', 'content'];

function withoutChance(output: unknown): unknown {
	const isSong = JSON.stringify(output).includes('"trackId"');
	const json = JSON.stringify(output, (name, value: unknown) => {
		if (isSong && CHANCE_OF_SONGS.includes(name)) return undefined;
		if (typeof value !== 'string' && typeof value !== 'number') return value;
		const text = CHANCE.reduce((masked, [pattern, to]) => masked.replace(pattern, to), String(value));
		return text === String(value) ? value : text;
	});
	return JSON.parse(json) as unknown;
}

function notRead({ failures, isWaiting, output }: Row, regular: Row, meaning: Meaning): string[] {
	if (failures.length > 0) return failures.map(({ message }) => `refused though usable: ${message}`);
	if (isWaiting && !regular.isWaiting) return ['still waiting'];
	const difference = differenceTo(output, regular.output, meaning);
	return difference === undefined ? [] : [difference];
}

function notRefused(
	rows: Row[],
	regular: Row[],
	{ words, status }: Extract<Meaning, { kind: 'failure' }>,
): string[] {
	const failures = rows.flatMap((row) => row.failures);
	if (failures.length === 0) return ['not refused'];
	const kind = status === undefined ? undefined : STATUS_KINDS[status];
	return [
		...rows.flatMap((row, index) =>
			row.failures.length > 0 ? [] : (differenceTo(row.output, regular[index].output) ?? []),
		),
		...failures.flatMap(({ message, kind: own }) => {
			if (kind !== undefined && own !== kind) return `of kind ${own} instead of ${kind}: ${message}`;
			const lower = message.toLowerCase();
			return words.some((word) => lower.includes(word.toLowerCase())) ? [] : `without words: ${message}`;
		}),
	];
}
