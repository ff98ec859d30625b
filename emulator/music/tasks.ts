import { createHash } from 'node:crypto';
import type { MusicShape } from '../behaviour/rule';
import { Dice } from '../utilities/random';

/** What a submit asks for (section 4.8). */
export interface SongRequest {
	prompt: string;
	model: string;
	custom_mode: boolean;
	style?: string;
	title?: string;
	instrumental: boolean;
	vocal_gender?: 'm' | 'f';
}

/** A submitted task; times in ms of the tasks' clock. */
export interface MusicTask {
	id: string;
	request: SongRequest;
	submittedAt: number;
	/** When it begins to be PROCESSING. */
	startsAt: number;
	/** When it is SUCCESS or FAILED. */
	finishesAt: number;
	/** Set when it is going to be FAILED. */
	failReason?: string;
}

/** Where a task is (section 2.9). */
export type TaskStatus = 'PENDING' | 'PROCESSING' | 'SUCCESS' | 'FAILED';

const keptTasks = 10_000;
const usual = { pendingMs: 1_000, processingMs: 8_000, failWhen: '[fail]' };
const usualReason = 'The prompt was refused by the content check.';

/** The status of a task at a time of the tasks' clock. */
export function statusAt(task: MusicTask, now: number): TaskStatus {
	if (now < task.startsAt) return 'PENDING';
	if (now < task.finishesAt) return 'PROCESSING';
	return task.failReason === undefined ? 'SUCCESS' : 'FAILED';
}

/** The percentage text of a task at a time of the tasks' clock. */
export function progressAt({ startsAt, finishesAt }: MusicTask, now: number): string {
	if (now >= finishesAt) return '100%';
	if (now <= startsAt) return '0%';
	return `${Math.floor((100 * (now - startsAt)) / (finishesAt - startsAt))}%`;
}

function drawn(range: number | [number, number], seed: string): number {
	if (typeof range === 'number') return range;
	const [low, high] = range;
	return Math.round(low + new Dice('duration', seed).next() * (high - low));
}

/**
 * The music tasks of one emulator. They go on by themselves with the emulator's clock; `advance` lets their own
 * clock jump, so that a test need not wait for them.
 */
export class MusicTasks {
	private readonly tasks = new Map<string, MusicTask>();
	private count = 0;
	private aheadMs = 0;

	/** @param clock in ms */
	constructor(private readonly clock: () => number) {}

	/** The tasks' clock, in ms. */
	now(): number {
		return this.clock() + this.aheadMs;
	}

	/**
	 * Lets time pass for all tasks at once.
	 * @param ms how far the clock jumps; not negative
	 * @throws Error for a jump that is none
	 */
	advance(ms: number): void {
		if (!Number.isFinite(ms) || ms < 0) throw new Error('The clock can only be advanced by 0 or more ms.');
		this.aheadMs += ms;
	}

	/** Every task that is kept, in the order of their submission. */
	all(): MusicTask[] {
		return [...this.tasks.values()];
	}

	find(id: string): MusicTask | undefined {
		return this.tasks.get(id);
	}

	/** Takes a new task; its course is settled now. */
	submit(request: SongRequest, shape: MusicShape): MusicTask {
		const { pendingMs, processingMs, failWhen } = { ...usual, ...shape };
		const id = createHash('sha256')
			.update(`${(this.count += 1)} ${request.prompt}`)
			.digest('hex')
			.slice(0, 32);
		const submittedAt = this.now();
		const startsAt = submittedAt + drawn(pendingMs, `${id} pending`);
		const task: MusicTask = {
			id,
			request,
			submittedAt,
			startsAt,
			finishesAt: startsAt + drawn(processingMs, `${id} processing`),
			failReason: request.prompt.includes(failWhen) ? (shape.failReason ?? usualReason) : undefined,
		};
		this.tasks.set(id, task);
		if (this.tasks.size > keptTasks) this.tasks.delete(this.tasks.keys().next().value as string);
		return task;
	}
}
