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

/** A request to the emulator. */
interface EmulatedRequest {
	method: 'GET' | 'POST';
	/** The path with its query. */
	path: string;
	headers: Record<string, string>;
	body: Buffer;
}

/** The cost that each answer with usage reports. */
export const COST = 0.01;

const KEY = 'key-of-the-emulator';
const HOST = 'gateway.example';

/** The path of music requests. Their answers depend on earlier requests and on the time. */
const SONGS = '/v1/music/';
const MOST_ANSWERS = 20_000;

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
	/** Returns the time in the world that uses the emulator. */
	now: () => number = () => 0;

	constructor() {
		this.app = buildServer({
			apiKey: KEY,
			v1Only: false,
			journal: new Journal(),
			behaviour: this.behaviour,
			tasks: this.tasks,
			voices: this.voices,
			newsHour: 0,
			now: () => this.now(),
			closing: new AbortController().signal,
		});
	}

	/** Begins a world in which the emulator follows this rule. */
	begin(rule: Rule): void {
		this.tasks.clear();
		const text = JSON.stringify(rule);
		if (text === this.rule) return;
		this.rule = text;
		this.behaviour.replace({ '*': rule });
	}

	/** Returns the answer to a request that is carried out. The same request gets the same answer, except for songs. */
	async answer(request: EmulatedRequest): Promise<EmulatedAnswer> {
		if (request.path.startsWith(SONGS)) return await this.ask(request);
		const identity = `${this.rule}\n${identityOf(request)}`;
		const known = this.known.get(identity);
		if (known) return known;
		// Without the created voices, a name can be used again.
		this.voices.clear();
		const answer = await this.ask(request);
		if (this.known.size < MOST_ANSWERS) this.known.set(identity, answer);
		return answer;
	}

	private async ask({ method, path, headers, body }: EmulatedRequest): Promise<EmulatedAnswer> {
		const response = await this.app.inject({
			method,
			url: path,
			headers: { ...headers, host: HOST, authorization: `Bearer ${KEY}` },
			...(method === 'POST' ? { payload: body } : {}),
		});
		return {
			status: response.statusCode,
			headers: { 'content-type': String(response.headers['content-type'] ?? '') },
			body: withCost(response.rawPayload),
		};
	}

	async close(): Promise<void> {
		await this.app.close();
	}
}

const USAGE = '"usage":{';

/** Adds a cost to an answer that reports its usage. */
function withCost(body: Buffer): Buffer {
	if (!body.includes(USAGE)) return body;
	return Buffer.from(body.toString('utf8').replaceAll(USAGE, `${USAGE}"cost":${COST},`));
}

/** A request without what differs each time although the same is asked for: the boundary of a form. */
function identityOf({ method, path, headers, body }: EmulatedRequest): string {
	const [, boundary] = /boundary=(.+)/.exec(headers['content-type'] ?? '') ?? [];
	const text = body.toString('latin1');
	return [method, path, boundary ? text.replaceAll(boundary, '') : text].join('\n');
}
