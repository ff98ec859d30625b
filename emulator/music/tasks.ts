import { createHash } from 'node:crypto';
import type { MusicShape } from '../behaviour/rule';
import { Dice } from '../random';

/** A submit request (section 4.8). */
export interface SongRequest {
	prompt: string;
	model: string;
	custom_mode: boolean;
	style?: string;
	title?: string;
	instrumental: boolean;
	vocal_gender?: 'm' | 'f';
}

/** A submitted task; times are in ms on the tasks' clock. */
export interface MusicTask {
	id: string;
	request: SongRequest;
	submittedAt: number;
	/** The time at which the task becomes PROCESSING. */
	startsAt: number;
	/** The time at which the task becomes SUCCESS or FAILED. */
	finishesAt: number;
	/** Set if the task will fail. */
	failReason?: string;
}

/** The status of a task (section 2.9). */
export type TaskStatus = 'PENDING' | 'PROCESSING' | 'SUCCESS' | 'FAILED';

const maxTasks = 10_000;
const defaults = { pendingMs: 1_000, processingMs: 8_000, failWhen: '[fail]' };
const failReason = 'The prompt was refused by the content check.';

/** Returns the status of a task at a time on the tasks' clock. */
export function statusAt(task: MusicTask, now: number): TaskStatus {
	if (now < task.startsAt) return 'PENDING';
	if (now < task.finishesAt) return 'PROCESSING';
	return task.failReason === undefined ? 'SUCCESS' : 'FAILED';
}

/** Returns the progress of a task at a time on the tasks' clock, for example `42%`. */
export function progressAt({ startsAt, finishesAt }: MusicTask, now: number): string {
	if (now >= finishesAt) return '100%';
	if (now <= startsAt) return '0%';
	return `${Math.floor((100 * (now - startsAt)) / (finishesAt - startsAt))}%`;
}

function drawDuration(range: number | [number, number], seed: string): number {
	if (typeof range === 'number') return range;
	const [low, high] = range;
	return Math.round(low + new Dice('duration', seed).next() * (high - low));
}

/**
 * The music tasks of one emulator. They progress with the emulator's clock; `advance` moves their own clock forward, so
 * that tests do not have to wait.
 */
export class MusicTasks {
	private readonly tasks = new Map<string, MusicTask>();
	private count = 0;
	private aheadMs = 0;

	/** @param clock in ms */
	constructor(private readonly clock: () => number) {}

	/** Returns the time on the tasks' clock, in ms. */
	now(): number {
		return this.clock() + this.aheadMs;
	}

	/**
	 * Moves the clock of all tasks forward.
	 * @param ms must not be negative
	 * @throws Error for a negative or non-finite number
	 */
	advance(ms: number): void {
		if (!Number.isFinite(ms) || ms < 0)
			throw new Error('The clock can only be advanced by zero or more milliseconds.');
		this.aheadMs += ms;
	}

	/** Returns the newest 10,000 tasks in order of submission. */
	all(): MusicTask[] {
		return [...this.tasks.values()];
	}

	/** Returns the task with an ID; undefined if there is none. */
	find(id: string): MusicTask | undefined {
		return this.tasks.get(id);
	}

	/** Removes all tasks and starts the IDs anew. */
	clear(): void {
		this.tasks.clear();
		this.count = 0;
	}

	/** Adds a task, and determines its times and its result. */
	submit(request: SongRequest, shape: MusicShape): MusicTask {
		const { pendingMs, processingMs, failWhen } = { ...defaults, ...shape };
		const id = createHash('sha256')
			.update(`${(this.count += 1)} ${request.prompt}`)
			.digest('hex')
			.slice(0, 32);
		const submittedAt = this.now();
		const startsAt = submittedAt + drawDuration(pendingMs, `${id} pending`);
		const task: MusicTask = {
			id,
			request,
			submittedAt,
			startsAt,
			finishesAt: startsAt + drawDuration(processingMs, `${id} processing`),
			failReason: request.prompt.includes(failWhen) ? failReason : undefined,
		};
		this.tasks.set(id, task);
		if (this.tasks.size > maxTasks) this.tasks.delete(this.tasks.keys().next().value as string);
		return task;
	}
}
