import type { IBinaryData, IDataObject } from 'n8n-workflow';
import { shortMessage } from '../../shared/failure/errorBody';
import { answerFailure } from '../../shared/failure/words';
import type { FailureFacts } from '../../shared/failure/evidence';
import type { FailureKind } from '../../shared/failure/kinds';
import { GatewayFailure, toFailure } from '../../shared/failure/failure';
import { verdictOfKind } from '../../shared/failure/rules';
import type { Call } from '../../shared/run/call';
import { type OperationFailure, type OperationResult, rawItems, toItem } from '../../shared/run/operation';
import { isDataUri } from '../../shared/plain/fileText';
import { approximateLength, asRecord, hashOf, withoutGaps } from '../../shared/plain/values';
import type { OutputSettings } from '../fields';
import { type MusicTask, readMusicTask, type TaskOutcome } from './musicTask';
import { hasAudio, type Track } from './tracks';
import { storeFile } from '../../shared/files/storeFile';
import { textInstead } from '../../shared/files/mediaTypes';
import { measured } from '../../audio/formats';
import type { Answer } from '../../shared/answer/answerReaders';
import { mediaTypeOf } from '../../shared/plain/headers';

export type TaskResult = OperationResult | OperationFailure;

/** The number of tracks of a task (interface, section 8). */
const USUAL_TRACKS = 2;

/** Returns the results of an item: tracks with files, a failure, or the ID of a task that continues. */
export async function resultsOf(
	call: Call,
	taskId: string,
	outcome: TaskOutcome,
	settings: OutputSettings,
): Promise<TaskResult[]> {
	const { simplify, perTask } = settings;
	if (outcome.kind === 'unknown') return [{ failure: outcome.failure.with({ taskId }) }];
	if (outcome.kind === 'unfinished') {
		return [{ json: { ...taskJson(taskId, outcome.lastSeen, simplify), [outcome.because]: true } }];
	}
	const { task } = outcome;
	const { tracks, unreadableTracks } = task;
	const facts = { taskId, partial: toItem(task.answer) };
	if (task.state === 'failed') return [{ failure: taskFailure(task, facts) }];
	if (tracks.length === 0) return [{ failure: lateFailure('the finished task has no tracks', facts) }];
	if (unreadableTracks > 0) {
		const what = `tracks without a link or in another form (${unreadableTracks})`;
		call.hint(`The gateway's response has ${what}. ${MISSING_MAY_COME}`);
	}
	if (tracks.length + unreadableTracks < USUAL_TRACKS) {
		call.hint(`The gateway returned only one track for a task, although ${USUAL_TRACKS} are usual`);
	}
	const files = tracks.map(
		async (track, index) => await filesOfTrack(call, taskId, track, index + 1, settings),
	);
	const items = itemsOf(taskId, task, settings);
	const results = await Promise.all(
		items.map(async (item, index) => await withFiles(taskId, item, perTask ? files : [files[index]])),
	);
	const isComplete = unreadableTracks === 0 && !results.some((result) => 'failure' in result);
	if (isComplete && approximateLength(task.answer) <= MAX_KEPT_ANSWER) {
		await call.payments.keep(slotOf(taskId), task.answer);
	}
	return results;
}

/** Returns one item for the task, or one for each track, without files. */
function itemsOf(taskId: string, task: MusicTask, settings: OutputSettings): IDataObject[] {
	const { perTask, simplify } = settings;
	const { tracks, status, submittedAt, finishedAt } = task;
	if (perTask) {
		const simplifiedTracks = simplify ? { tracks: tracks.map((track) => simplified(track, settings)) } : {};
		return [{ ...taskJson(taskId, task, simplify), ...simplifiedTracks }];
	}
	return simplify
		? tracks.map((track, index) =>
				simplified(track, settings, { track: index + 1, taskId, status, submittedAt, finishedAt }),
			)
		: rawTrackItems(taskId, task);
}

/** The longest answer that is kept: files inside one would leave no room for what is paid for. */
const MAX_KEPT_ANSWER = 100_000;

/** Where the answer about a finished task is kept. A retry does not pay for it, so it belongs to no item. */
const slotOf = (taskId: string) => ({ items: [], key: hashOf(`task ${taskId}`) });

/**
 * Returns the results of a task that an earlier try of the run has seen finished, with its files or from its links;
 * undefined if a file is missing. Since then, the gateway may have deleted the task, or have signed the links anew.
 */
export async function resultsAsBefore(
	call: Call,
	taskId: string,
	settings: OutputSettings,
): Promise<TaskResult[] | undefined> {
	const answer = await call.payments.recall(slotOf(taskId));
	// Who does not download the songs wants links that still work.
	if (answer === undefined || settings.audioField === undefined) return undefined;
	const outcome = { kind: 'finished', task: readMusicTask(answer) } as const;
	const results = await resultsOf(call, taskId, outcome, settings);
	return results.some((result) => 'failure' in result) ? undefined : results;
}

/** Failures whose advice helps the next poll. That of others may say to run the item again, which would cost again. */
const ADVISE_ON_POLLS: FailureKind[] = [
	'authentication',
	'notFound',
	'address',
	'unreachable',
	'settings',
	'bug',
];

/** Adapts the outcome of a song that this node has submitted: the song is paid for, although polling is free. */
export function ofSubmitted(outcome: TaskOutcome): TaskOutcome {
	if (outcome.kind !== 'unknown') return outcome;
	const { failure } = outcome;
	const known = ADVISE_ON_POLLS.includes(failure.kind) ? failure : failure.saying({ advice: '' });
	return { kind: 'unknown', failure: known.advising(SUBMITTED).judged(verdictOfKind('answer')) };
}

const SUBMITTED =
	'The song was submitted and may still be finished, while running this item again submits another one. Use Wait for Music Tasks with the task ID or, if the execution has failed, retry it: it continues with the same song.';

/** Returns a task as one item: its progress, or the response as the gateway sent it, with the ID for the next node. */
export function taskJson(taskId: string, task: MusicTask | undefined, simplify: boolean): IDataObject {
	if (task && !simplify) return { ...toItem(task.answer), taskId };
	const { status = 'PENDING', progress, submittedAt, finishedAt } = task ?? {};
	return { taskId, status, progress, submittedAt, finishedAt };
}

/** Adds the files to a result. If a download fails, the failure contains the result, because it is paid for. */
async function withFiles(
	taskId: string,
	json: IDataObject,
	files: Array<Promise<Record<string, IBinaryData>>>,
): Promise<TaskResult> {
	try {
		const all = await allSettledOrThrow(files);
		return { json, files: Object.assign({}, ...all) as Record<string, IBinaryData> };
	} catch (error) {
		const failure = toFailure(error);
		return { failure: failure.with({ taskId, partial: { ...json, ...failure.facts.partial } }) };
	}
}

/** Returns each track as the gateway sent it, with its number, the task ID, the status, and the rest in `response`. */
function rawTrackItems(taskId: string, { tracks, answer, status }: MusicTask): IDataObject[] {
	const sent = tracks.map(({ raw }) => raw);
	const others = asRecord(withoutTracks(answer, new Set(sent))) ?? {};
	return rawItems(sent, others).map((json, index) => ({ track: index + 1, taskId, status, ...json }));
}

function withoutTracks(answer: unknown, tracks: Set<unknown>): unknown {
	const text = JSON.stringify(answer, (_name, value: unknown) => {
		if (!Array.isArray(value) || !value.some((entry) => tracks.has(entry))) return value;
		const others: unknown[] = value.filter((entry) => !tracks.has(entry));
		return others.length > 0 ? others : undefined;
	});
	return JSON.parse(text);
}

/** Puts long values last, so that tables stay readable. An address that contains the file itself is left out. */
function simplified(
	{ fields }: Track,
	{ audioField, coverField }: OutputSettings,
	facts: IDataObject = {},
): IDataObject {
	const { title, durationSeconds, tags, model, ...others } = fields;
	const linkIn = (address: string | undefined, field: string | undefined) =>
		field !== undefined && isDataUri(address) ? undefined : address;
	return withoutGaps({
		...{ title, durationSeconds, tags, model, ...facts, ...others },
		audioUrl: linkIn(others.audioUrl, audioField),
		streamAudioUrl: linkIn(others.streamAudioUrl, audioField),
		imageUrl: linkIn(others.imageUrl, coverField),
	});
}

function taskFailure({ failReason: reason, tracks }: MusicTask, facts: FailureFacts): GatewayFailure {
	const failure = new GatewayFailure(
		'task',
		`The gateway could not finish the task${reason ? `: ${shortMessage(reason)}` : ''}`,
		'Fix the stated reason (often a word in the prompt or the lyrics), then generate the song again. A new task is charged again. The task ID is kept in case you need to contact the operator of the gateway.',
		facts,
	);
	// For example, only the callback of Suno API may have failed (CALLBACK_EXCEPTION).
	return tracks.some(hasAudio) ? failure.advising(USABLE) : failure;
}

const USABLE =
	'Before you run it again, try the links in the error details: tracks have arrived nevertheless.';

const MISSING_MAY_COME =
	'What is missing may arrive later. Use Wait for Music Tasks with the task ID in a minute, which costs nothing.';

/** Returns a failure for something that a finished task lacks, but that may arrive after its status. */
function lateFailure(what: string, facts: FailureFacts = {}): GatewayFailure {
	return answerFailure(what, facts).saying({ advice: MISSING_MAY_COME });
}

/** Maximum length of a title in a file name, which leaves room for the track number. */
const MAX_TITLE_LENGTH = 70;

/** Downloads the chosen files of a track. @throws GatewayFailure with the link */
async function filesOfTrack(
	call: Call,
	taskId: string,
	{ fields }: Track,
	number: number,
	{ audioField, coverField, perTask }: OutputSettings,
): Promise<Record<string, IBinaryData>> {
	const { title = 'song', audioUrl, imageUrl } = fields;
	const name = `${[...title].slice(0, MAX_TITLE_LENGTH).join('')} ${number}`;
	if (audioField !== undefined && !audioUrl) throw lateFailure('the track has no audio link');
	const wanted = [
		{ field: audioField, url: audioUrl, kind: 'audio' },
		{ field: coverField, url: imageUrl, kind: 'cover' },
	];
	const files = await allSettledOrThrow(
		wanted.flatMap(({ field, url, kind }) => {
			if (field === undefined || url === undefined) return [];
			// The gateway may sign the link anew with each poll.
			const about = `${kind} of ${fields.trackId ?? url} of ${taskId}`;
			const file = download(call, about, url, name);
			return file.then((one) => [`${field}${perTask ? number : ''}`, one] as const);
		}),
	);
	return Object.fromEntries(files);
}

async function download(call: Call, about: string, url: string, title: string): Promise<IBinaryData> {
	const store = async (answer: Answer) => {
		const { firstBytes, broken, stream, scanner, format } = await measured(answer.body);
		if (firstBytes.length === 0) throw answerFailure('the file is empty');
		// A file server that has lost a file often responds with a web page or a message, and status 200.
		const text = textInstead(firstBytes, 'a file');
		if (text) throw broken ?? text;
		const file = await storeFile(call, stream, mediaTypeOf(answer), { about: title, fallback: 'song' });
		if (scanner?.isEmpty) throw answerFailure(`it is an ${format?.name} file without sound`);
		return { file };
	};
	const wanted = async () => await call.client.download(url, store, call.requestOptions);
	return (await call.keepFile([about, url, title], wanted)).file;
}

/** Waits for all promises. Unlike `Promise.all`, it leaves nothing running in the background if one rejects. */
export async function allSettledOrThrow<T>(work: Array<Promise<T>>): Promise<T[]> {
	await Promise.allSettled(work);
	return await Promise.all(work);
}
