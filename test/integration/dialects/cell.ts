import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Emulator, JournalEntry } from '../../../emulator';
import type { Dialect, Meaning } from '../../../emulator/dialects';
import { routeMatcher } from '../../../emulator/routePattern';
import { deleteFilesOf } from '../engine/retry';
import { fileBytes, runWorkflow } from '../engine/runWorkflow';
import { type OperationCase, titleOf, workflowOf } from '../faults/operations';

/** The results of one input item. */
interface Row {
	failures: Array<{ message: string; kind: string }>;
	/** True if a task goes on after the run. This is not a failure, because the task's ID is in the output. */
	isWaiting: boolean;
	/** The output items, without values that differ between two equal runs. */
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
 * Runs an operation in a dialect, and expects the meaning that the dialect declares.
 *
 * @param emulator must not be used by anybody else meanwhile
 * @returns false if the dialect changes nothing in the answers of the operation
 */
export async function expectMeaning(
	dialect: Dialect,
	operation: OperationCase,
	emulator: Emulator,
): Promise<boolean> {
	const regular = regularRuns.get(operation) ?? (await runIn([], operation, emulator));
	regularRuns.set(operation, regular);
	if (!fits(dialect, operation, regular)) return false;
	const { rows, requests } = await runIn([dialect.name], operation, emulator);
	if (!requests.some(({ dialects }) => dialects.length > 0)) return false;
	const { meaning } = dialect;
	const outcome = (all: unknown) => ({ operation: titleOf(operation), rows: all });
	const isRefused = rows.map(({ failures }) => meaning.kind === 'failure' && failures.length > 0);
	if (meaning.kind === 'failure') expect(outcome(isRefused.includes(true))).toEqual(outcome(true));
	const expected = regular.rows.map((row, index) =>
		meaning.kind === 'failure' && isRefused[index]
			? { ...rows[index], failures: rows[index].failures.map(() => refused(meaning)) }
			: {
					...row,
					...(row.isWaiting ? { isWaiting: expect.any(Boolean) } : {}),
					output: read(row.output, meaning),
				},
	);
	expect(outcome(rows)).toEqual(outcome(expected));
	return true;
}

function refused({ words, status }: Extract<Meaning, { kind: 'failure' }>) {
	const anyOf = new RegExp(words.map((word) => word.replace(/[^\w\s]/g, '\\$&')).join('|'), 'i');
	const kind = status === undefined ? undefined : STATUS_KINDS[status];
	return { message: expect.stringMatching(anyOf), kind: kind ?? expect.any(String) };
}

/** The fields that depend on the file. They may differ if the file is not the regular one. */
const OF_THE_FILE = Object.fromEntries(
	['bytes', 'width', 'height', 'format', 'durationSeconds', 'content', 'name', 'problem'].map((name) => [
		name,
		/^/,
	]),
);

/** The output of an answer that means the same. What the gateway does not send is left out, or null. */
function read(regular: unknown, meaning: Meaning): unknown {
	if (Array.isArray(regular)) return regular.map((entry) => read(entry, meaning));
	if (typeof regular !== 'object' || regular === null || meaning.kind === 'failure') return regular;
	const { file } = meaning;
	const variable = { ...meaning.variable, ...(file === undefined ? {} : OF_THE_FILE) };
	const more = Object.entries(variable).map(([name, pattern]) => [name, maybe(undefined, pattern)]);
	const own = Object.entries(regular).map(([name, value]) => {
		if (name in variable) return [name, maybe(value, variable[name])];
		return [name, name === 'mimeType' && file !== undefined ? file : read(value, meaning)];
	});
	return Object.fromEntries([...more, ...own]) as unknown;
}

const maybe = (regular: unknown, pattern: RegExp | null) => ({
	asymmetricMatch(value: unknown): boolean {
		if ((value ?? undefined) === undefined || isDeepStrictEqual(value, regular)) return true;
		return pattern?.test(typeof value === 'string' ? value : JSON.stringify(value)) === true;
	},
});

/** Tells whether a dialect can be among the answers that an operation receives. */
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
		// Each run has a different rate and thus a different credential, so that nothing is learned from earlier runs.
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

/** Values that differ for each request, with their replacements. Everything else must be the same. */
const CHANCE: Array<[RegExp, string]> = [
	[/(?:127\.0\.0\.1|localhost):\d+/g, 'HOST'],
	// IDs of answers, tasks, tracks, and voices.
	[/(?<![0-9a-f])[0-9a-f]{24,32}(?![0-9a-f])/g, 'ID'],
	// A name can be used only once.
	[/\bVoice \d+\b/g, 'Voice N'],
	// Times in seconds, in milliseconds, and in words.
	[/\b1[789]\d{8}(?:\d{3})?\b/g, 'TIME'],
	[/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?Z?/g, 'TIME'],
];
/** Fields of songs that depend on the ID, which decides the length of a song, and the sound and look of its files. */
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
