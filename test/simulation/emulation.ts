import type { FastifyInstance } from 'fastify';
import { Behaviour, Journal, MusicTasks, type Rule } from '../../emulator';
import { VoiceList } from '../../emulator/catalogue/voices';
import { buildServer } from '../../emulator/server';

/** An answer of the emulator. */
export interface EmulatedAnswer {
	status: number;
	headers: Record<string, string>;
	body: Buffer;
}

/** What the emulator is asked. */
export interface EmulatedRequest {
	method: 'GET' | 'POST';
	/** With its query. */
	path: string;
	headers: Record<string, string>;
	body: Buffer;
}

/** What each answer with figures of usage says that it has cost. */
export const COST = 0.01;

const KEY = 'key-of-the-emulator';
const HOST = 'gateway.example';

/** The answer to these depends on what was sent before, or on the time. */
const HAS_STATE = /\/v1\/(music|voice)\//;
const MOST_ANSWERS = 5_000;
/** So much of a song or an image that is downloaded is enough, in bytes: nodes pass them on as they are. */
const FILE_BYTES = 20_000;

/**
 * The emulator without a network. All worlds of a process share it, because it takes long to build. Whatever goes wrong
 * happens before or after it.
 */
export class Emulation {
	private readonly behaviour = new Behaviour();
	private readonly voices = new VoiceList();
	private readonly tasks = new MusicTasks(() => this.now());
	private readonly app: FastifyInstance;
	private readonly known = new Map<string, EmulatedAnswer>();
	private rule = '';
	/** The time in the world that uses it. */
	now: () => number = () => 0;

	constructor() {
		this.app = buildServer({
			apiKey: KEY,
			v1Only: false,
			journal: new Journal(),
			behaviour: this.behaviour,
			tasks: this.tasks,
			voices: this.voices,
			now: () => this.now(),
			closing: new AbortController().signal,
		});
	}

	/** Begins a world, in which it answers in this way. */
	begin(rule: Rule): void {
		this.tasks.clear();
		const text = JSON.stringify(rule);
		if (text === this.rule) return;
		this.rule = text;
		this.behaviour.replace({ '*': rule });
	}

	/** The answer to a request that is carried out. The same request has the same answer. */
	async answer({ method, path, headers, body }: EmulatedRequest): Promise<EmulatedAnswer> {
		const hasState = HAS_STATE.test(path);
		// No voice is in the way of another one with its name.
		this.voices.clear();
		const identity = hasState ? '' : [this.rule, method, path, body.toString('latin1')].join('\n');
		const known = this.known.get(identity);
		if (known) return known;
		const {
			statusCode,
			headers: sent,
			rawPayload,
		} = await this.app.inject({
			method,
			url: path,
			headers: { ...headers, host: HOST, authorization: `Bearer ${KEY}` },
			...(method === 'POST' ? { payload: body } : {}),
		});
		const answer: EmulatedAnswer = {
			status: statusCode,
			headers: { 'content-type': String(sent['content-type'] ?? '') },
			body: path.startsWith('/__emulator/') ? rawPayload.subarray(0, FILE_BYTES) : withCost(rawPayload),
		};
		if (!hasState && this.known.size < MOST_ANSWERS) this.known.set(identity, answer);
		return answer;
	}

	async close(): Promise<void> {
		await this.app.close();
	}
}

const USAGE = '"usage":{';

/** An answer with costs, if it has figures of usage. */
function withCost(body: Buffer): Buffer {
	if (!body.includes(USAGE)) return body;
	return Buffer.from(body.toString('utf8').replaceAll(USAGE, `${USAGE}"cost":${COST},`));
}
