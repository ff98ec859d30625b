import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { Behaviour } from '../behaviour/behaviour';
import type { Rule } from '../behaviour/rule';
import type { Journal } from '../journal';
import { type MusicTask, type MusicTasks, progressAt, statusAt } from '../music/tasks';
import { invalidRequest } from './errors';

/** The state that the control routes expose. */
export interface ControlOptions {
	journal: Journal;
	behaviour: Behaviour;
	tasks: MusicTasks;
}

function jsonOf(request: FastifyRequest, expected: string): Record<string, unknown> {
	let value: unknown;
	try {
		value = JSON.parse(String(request.body));
	} catch {
		throw invalidRequest(expected);
	}
	if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalidRequest(expected);
	return value as Record<string, unknown>;
}

function rulesOf(request: FastifyRequest): Record<string, Rule> {
	// `Behaviour` validates every rule.
	return jsonOf(request, 'Send a JSON object of rules by route pattern.') as Record<string, Rule>;
}

/**
 * Exposes the journal, the rules, and the music tasks over HTTP, for use from another process. These routes need no
 * key, follow no rules, and do not appear in the journal.
 */
export const controlRoutes: FastifyPluginAsync<ControlOptions> = async (
	app,
	{ journal, behaviour, tasks },
) => {
	app.get('/__emulator/health', async () => ({ status: 'ok', requests: journal.count() }));
	app.get('/__emulator/journal', async () => ({ entries: journal.entries() }));
	app.delete('/__emulator/journal', async (_request, reply) => {
		journal.clear();
		return reply.code(204).send();
	});
	app.get('/__emulator/behaviour', async () => behaviour.current());
	app.put('/__emulator/behaviour', async (request) => {
		try {
			behaviour.replace(rulesOf(request));
		} catch (error) {
			if (error instanceof Error) throw invalidRequest(error.message);
			throw error;
		}
		return behaviour.current();
	});
	app.delete('/__emulator/behaviour', async (_request, reply) => {
		behaviour.reset();
		return reply.code(204).send();
	});

	const shown = (task: MusicTask) => ({
		id: task.id,
		prompt: task.request.prompt,
		status: statusAt(task, tasks.now()),
		progress: progressAt(task, tasks.now()),
	});
	const music = () => ({ now: tasks.now(), tasks: tasks.all().map(shown) });
	app.get('/__emulator/music', async () => music());
	app.post('/__emulator/music/advance', async (request) => {
		tasks.advance(millisecondsOf(request));
		return music();
	});
};

function millisecondsOf(request: FastifyRequest): number {
	const { ms } = jsonOf(request, 'Send {"ms": <milliseconds>}.');
	if (typeof ms !== 'number' || ms < 0) throw invalidRequest('Send {"ms": <milliseconds>}.');
	return ms;
}
