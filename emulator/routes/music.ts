import { Readable } from 'node:stream';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { blocks } from '../audio/blocks';
import { mp3File } from '../audio/mp3';
import { findModel } from '../catalogue/findModel';
import { invalidRequest } from '../http/errors';
import { exchangeOf } from '../http/exchange';
import { foreignOrigin } from '../http/foreignOrigin';
import { jsonBody } from '../http/jsonBody';
import { submitAnswer, taskAnswer, tracksPerTask } from '../music/answers';
import { composeSong } from '../music/song';
import { type MusicTasks, statusAt } from '../music/tasks';
import { drawPicture } from '../images/drawPicture';

/** Options of the music routes. */
export interface MusicOptions {
	tasks: MusicTasks;
}

const filesPath = '/__emulator/files/music';
const coverSize = '512x512';

const songRequest = z.object({
	prompt: z.string(),
	model: z.string().default('music-v4.5-plus'),
	custom_mode: z.boolean().default(false),
	style: z.string().optional(),
	title: z.string().optional(),
	instrumental: z.boolean().default(false),
	vocal_gender: z.enum(['m', 'f']).optional(),
});

function checkSong({ prompt, custom_mode: custom, style, title }: z.output<typeof songRequest>): void {
	if (prompt.trim() === '') throw invalidRequest('Invalid value for "prompt": it is empty.');
	if (!custom) return;
	for (const [name, value] of Object.entries({ style, title })) {
		if (!value?.trim()) throw invalidRequest(`Missing required field "${name}": custom_mode is true.`);
	}
}

/**
 * Serves music tasks (sections 2.9, 3, 4.8, and 4.9), each operation under both of its paths, and the files of the
 * tracks, without a key like files of another host.
 */
export const musicRoutes: FastifyPluginAsync<MusicOptions> = async (app, { tasks }) => {
	for (const path of ['/v1/music/generations', '/v1/music/generate']) {
		app.post(path, async (request) => {
			const song = jsonBody(request, songRequest);
			findModel(song.model, 'music');
			checkSong(song);
			return submitAnswer(tasks.submit(song, exchangeOf(request).treatment.music));
		});
	}

	const query = (request: FastifyRequest, reply: FastifyReply, id: string) => {
		const task = tasks.find(id);
		if (!task) {
			// For an unknown task, comparable services return the envelope, not an error object.
			return reply
				.code(400)
				.send({ code: 'task_not_exist', message: `There is no task "${id}".`, data: null });
		}
		const origin = foreignOrigin(request);
		return reply.send(
			taskAnswer(task, tasks.now(), (name) => `${origin}${filesPath}/${encodeURIComponent(name)}`),
		);
	};
	app.get<{ Params: { id: string } }>('/v1/music/tasks/:id', async (request, reply) =>
		query(request, reply, request.params.id),
	);
	// The interface shows this path without its parameter, so all likely names of the parameter are accepted.
	app.get<{ Querystring: Record<string, unknown> }>('/v1/music/query', async (request, reply) => {
		const { task_id: snake, taskId: camel, id } = request.query;
		const given = snake ?? camel ?? id;
		if (typeof given !== 'string' || given === '') throw invalidRequest('Missing query parameter "task_id".');
		return query(request, reply, given);
	});

	app.get<{ Params: { name: string } }>(`${filesPath}/:name`, async (request, reply) => {
		const [, track = '', taskId = '', number = '', ending = ''] =
			/^(([0-9a-f]{32})-(\d))\.(mp3|png)$/.exec(request.params.name) ?? [];
		const task = tasks.find(taskId);
		const exists = task && statusAt(task, tasks.now()) === 'SUCCESS' && isTrackNumber(Number(number));
		if (!exists) return reply.code(404).send('There is no such file.');
		if (ending === 'png') {
			return reply.type('image/png').send(drawPicture(`cover-${track}-${coverSize}.png`));
		}
		const content = blocks(mp3File(composeSong(track).notes));
		return reply.type('audio/mpeg').send(Readable.from(content, { objectMode: false }));
	});
};

function isTrackNumber(number: number): boolean {
	return number >= 1 && number <= tracksPerTask;
}
