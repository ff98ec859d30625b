import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { Behaviour } from '../behaviour/behaviour';
import type { Rule } from '../behaviour/rule';
import type { Journal } from '../journal';
import { invalidRequest } from './errors';

/** What the control routes control. */
export interface ControlOptions {
	journal: Journal;
	behaviour: Behaviour;
}

function rulesOf(request: FastifyRequest): Record<string, Rule> {
	let rules: unknown;
	try {
		rules = JSON.parse(String(request.body));
	} catch {
		throw invalidRequest('Send a JSON object of rules by route pattern.');
	}
	if (typeof rules !== 'object' || rules === null || Array.isArray(rules)) {
		throw invalidRequest('Send a JSON object of rules by route pattern.');
	}
	// The behaviour checks every rule itself.
	return rules as Record<string, Rule>;
}

/** Journal and behaviour over HTTP, for use from another process: no key, no rules, not in the journal. */
export const controlRoutes: FastifyPluginAsync<ControlOptions> = async (app, { journal, behaviour }) => {
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
};
