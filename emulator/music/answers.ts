import { composeSong } from './song';
import { progressAt, statusAt, type MusicTask } from './tasks';

/** The number of tracks per task (section 8). */
export const tracksPerTask = 2;

/** Returns the URL of a track's file. */
export type FileUrl = (name: string) => string;

/** Returns the outer object with the success marker (sections 2.9 and 4.8). */
export function envelope(data: unknown): object {
	return { code: 'success', message: '', data };
}

/** Returns the response to a submit request: the id with the initial status. */
export function submitAnswer({ id }: MusicTask): object {
	return envelope({ task_id: id, status: 'PENDING' });
}

/** Returns the task object of a query (section 2.9) at a time on the tasks' clock. */
export function taskAnswer(task: MusicTask, now: number, fileUrl: FileUrl): object {
	const status = statusAt(task, now);
	const isOver = status === 'SUCCESS' || status === 'FAILED';
	const numbers = status === 'SUCCESS' ? Array.from({ length: tracksPerTask }, (_, index) => index + 1) : [];
	return envelope({
		task_id: task.id,
		action: 'MUSIC',
		status,
		...(status === 'FAILED' ? { fail_reason: task.failReason } : {}),
		submit_time: seconds(task.submittedAt),
		start_time: now < task.startsAt ? 0 : seconds(task.startsAt),
		finish_time: isOver ? seconds(task.finishesAt) : 0,
		progress: progressAt(task, now),
		data: numbers.map((number) => track(task, number, fileUrl)),
	});
}

function track(task: MusicTask, number: number, fileUrl: FileUrl): object {
	const { prompt, model, style, title, instrumental, custom_mode: custom } = task.request;
	const id = `${task.id}-${number}`;
	return {
		id,
		title: title ?? `${firstWords(prompt)} ${number === 1 ? '' : '(Version 2)'}`.trim(),
		audioUrl: fileUrl(`${id}.mp3`),
		streamAudioUrl: fileUrl(`${id}.mp3`),
		imageUrl: fileUrl(`${id}.png`),
		tags: [custom ? style : 'pop', instrumental ? 'instrumental' : voice(task)].join(', '),
		prompt,
		modelName: model,
		createTime: new Date(task.finishesAt).getTime(),
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
