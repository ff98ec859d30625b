import type { AddressInfo } from 'node:net';
import { Behaviour } from './behaviour/behaviour';
import type { Rule } from './behaviour/rule';
import { VoiceList } from './catalogue/voices';
import { Journal } from './journal';
import { MusicTasks } from './music/tasks';
import { buildServer } from './server';

export { Behaviour } from './behaviour/behaviour';
export type { Rule } from './behaviour/rule';
export { MusicTasks, type MusicTask } from './music/tasks';
export { Journal, type JournalEntry, type JournalFilter, type KeyState } from './journal';

/** Emulator settings; each has a default. */
export interface EmulatorOptions {
	/** Address to listen on; default 127.0.0.1. */
	host?: string;
	/** Port to listen on; default 0, a free one. */
	port?: number;
	/** The key that clients must send; default `emulator-key`. */
	apiKey?: string;
	/** True for a second address of the gateway, which has only the `/v1` paths; default false. */
	v1Only?: boolean;
	/** Delay before each response begins, in ms; default 0. */
	latencyMs?: number;
	/** Requests per minute across all routes (section 8); further requests get a 429. Default: no limit. */
	requestsPerMinute?: number;
	/** The header with an idempotency key that the gateway honors; default: none. See the rule of the same name. */
	idempotencyHeader?: string;
	/** The hour in China at which the digests of a day are published; until then, they are those of the day before. Default 0. */
	newsHour?: number;
	/** Returns the time in ms, for timestamps, limits, and dated data. Default: the system clock. */
	now?: () => number;
}

/** A running emulator. */
export interface Emulator {
	/** Base URL without a trailing slash, for example `http://127.0.0.1:4010`. */
	url: string;
	port: number;
	apiKey: string;
	/** The journal of the requests that arrived. */
	journal: Journal;
	/** The rules by which requests are treated. They can be changed at any time. */
	behaviour: Behaviour;
	/** The music tasks, whose clock can be advanced. */
	tasks: MusicTasks;
	/** The voices, built-in and created. */
	voices: VoiceList;
	/** Stops listening and closes all open connections. */
	close(): Promise<void>;
}

function initialRules({
	latencyMs,
	requestsPerMinute,
	idempotencyHeader,
}: EmulatorOptions): Record<string, Rule> {
	const rule: Rule = {};
	if (latencyMs) rule.latencyMs = latencyMs;
	if (requestsPerMinute) rule.limit = { requests: requestsPerMinute, perMs: 60_000 };
	if (idempotencyHeader) rule.idempotencyHeader = idempotencyHeader;
	return Object.keys(rule).length > 0 ? { '*': rule } : {};
}

/**
 * Starts a complete local gateway that follows the interface document.
 * @throws Error if the address or port is unavailable (`code` is `EADDRINUSE`, for example), ZodError for settings out of range
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
	const { host = '127.0.0.1', port = 0, apiKey = 'emulator-key', v1Only = false } = options;
	const { newsHour = 0, now = Date.now } = options;
	const journal = new Journal();
	const behaviour = new Behaviour(initialRules(options));
	const tasks = new MusicTasks(now);
	const voices = new VoiceList();
	const closing = new AbortController();
	const app = buildServer({
		apiKey,
		v1Only,
		journal,
		behaviour,
		tasks,
		voices,
		newsHour,
		now,
		closing: closing.signal,
	});
	await app.listen({ host, port });

	const address = app.server.address() as AddressInfo;
	const reachable = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[address.address] ?? address.address;
	return {
		url: `http://${reachable.includes(':') && !reachable.startsWith('[') ? `[${reachable}]` : reachable}:${address.port}`,
		port: address.port,
		apiKey,
		journal,
		behaviour,
		tasks,
		voices,
		close: async () => {
			closing.abort();
			await app.close();
		},
	};
}
