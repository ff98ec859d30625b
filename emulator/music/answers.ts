import type { MusicShape } from '../behaviour/rule';
import { composeSong } from './song';
import { progressAt, statusAt, type MusicTask, type TaskStatus } from './tasks';

/** Tracks per task (section 8). */
export const tracksPerTask = 2;

/** Returns the URL of a track's file. */
export type FileUrl = (name: string) => string;

const markers = { usual: 'code', value: 'success' };

/** The outer object with the success marker (sections 2.9 and 4.8). */
export function envelope(data: unknown, { marker = markers.usual }: MusicShape): object {
	return { [marker]: markers.value, message: '', data };
}

/** The response to a submit request: the id, alone or with the initial status. */
export function submitAnswer(task: MusicTask, shape: MusicShape): object {
	const status = shownStatus(task, 'PENDING', task.submittedAt, shape);
	return envelope(shape.submitAnswer === 'id' ? task.id : { task_id: task.id, status }, shape);
}

/** The task object of a query (section 2.9) at a time on the tasks' clock. */
export function taskAnswer(task: MusicTask, now: number, shape: MusicShape, fileUrl: FileUrl): object {
	const status = statusAt(task, now);
	const isOver = status === 'SUCCESS' || status === 'FAILED';
	return envelope(
		{
			task_id: task.id,
			action: 'MUSIC',
			status: shownStatus(task, status, now, shape),
			...(status === 'FAILED' ? { fail_reason: task.failReason } : {}),
			submit_time: seconds(task.submittedAt),
			start_time: now < task.startsAt ? 0 : seconds(task.startsAt),
			finish_time: isOver ? seconds(task.finishesAt) : 0,
			progress: progressAt(task, now),
			data: tracksOf(task, status, shape, fileUrl),
		},
		shape,
	);
}

function shownStatus(task: MusicTask, status: TaskStatus, now: number, { statusNames }: MusicShape): string {
	if (statusNames !== 'extended') return status;
	const isYoung = now < (task.submittedAt + task.startsAt) / 2;
	const names = {
		PENDING: isYoung ? 'NOT_START' : 'QUEUED',
		PROCESSING: 'IN_PROGRESS',
		SUCCESS: 'SUCCESS',
		FAILED: 'FAILURE',
	};
	return names[status];
}

function tracksOf(task: MusicTask, status: TaskStatus, shape: MusicShape, fileUrl: FileUrl): object[] {
	if (status === 'SUCCESS') {
		return Array.from({ length: tracksPerTask }, (_, index) => track(task, index + 1, shape, fileUrl));
	}
	if (status !== 'PROCESSING' || !shape.earlyTrack) return [];
	const first = track(task, 1, { ...shape, trackFields: 'camelCase' }, fileUrl);
	return [{ ...first, audioUrl: '', duration: null }];
}

function track(task: MusicTask, number: number, shape: MusicShape, fileUrl: FileUrl): object {
	const { prompt, model, style, title, instrumental, custom_mode: custom } = task.request;
	const id = `${task.id}-${number}`;
	const audioUrl = fileUrl(`${id}.mp3`);
	const imageUrl = fileUrl(`${id}.png`);
	const streamAudioUrl = fileUrl(`${id}.mp3`);
	const snake = shape.trackFields === 'snakeCase';
	const created = new Date(task.finishesAt);
	return {
		id,
		title: title ?? `${firstWords(prompt)} ${number === 1 ? '' : '(Version 2)'}`.trim(),
		...(snake
			? { audio_url: audioUrl, stream_audio_url: streamAudioUrl, image_url: imageUrl }
			: { audioUrl, streamAudioUrl, imageUrl }),
		tags: [custom ? style : 'pop', instrumental ? 'instrumental' : voice(task)].join(', '),
		prompt,
		modelName: model,
		createTime: shape.createTime === 'text' ? created.toISOString() : created.getTime(),
		duration: composeSong(id).seconds,
	};
}

function voice({ request }: MusicTask): string {
	if (!request.vocal_gender) return 'vocals';
	return request.vocal_gender === 'f' ? 'female vocals' : 'male vocals';
}

function firstWords(prompt: string): string {
	return prompt.trim().split(/\s+/).slice(0, 5).join(' ').slice(0, 60);
}

function seconds(ms: number): number {
	return Math.floor(ms / 1000);
}
