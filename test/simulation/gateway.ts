import type { IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';
import { RequestLimiter } from '../../emulator/behaviour/requestLimiter';
import {
	type Answer,
	digestsIn,
	errorAnswer,
	faultyAnswer,
	inClothes,
	uncounted,
	withoutSong,
} from './answers';
import { AnswerBody } from './answerBody';
import type { SimulatedClock } from './clock';
import type { EmulatedAnswer, Emulation } from './emulation';
import { type Exchange, rowsIn, unitsOf } from './exchange';
import { type Fault, isAnswered, isCarriedOut, isHalf, isSettled, standingAfter } from './fault';
import { SentRequest } from './sentRequest';
import type { Subject } from './subjects';
import type { Stage, World } from './world';

export const ADDRESSES = { first: 'https://gateway.example', second: 'https://second.example' };
const ELSEWHERE = 'https://elsewhere.example';
export const IDEMPOTENCY_HEADER = 'idempotency-key';

/** The origin of a request. */
interface Caller {
	clock: SimulatedClock;
	execution: number;
	tryNumber: number;
	key: string;
}

/** The gateway of a world, together with the network in front of it. */
export class SimulatedGateway {
	readonly exchanges: Exchange[] = [];
	/** Broken promises that were noticed here. */
	readonly broken: string[] = [];
	/** True as long as faults, limits, and outages occur. */
	isFaulty = true;
	private readonly inProgress = new Set<Exchange>();
	private readonly counts = new Map<string, number>();
	private readonly rowsOfLink = new Map<string, number[]>();
	/** The requests for songs that fail at the vendor, by the IDs of their tasks. */
	private readonly failingSongs = new Map<string, Exchange>();
	private readonly answersOfKey = new Map<string, EmulatedAnswer>();
	/** The requests whose files n8n will not be able to save, by the digest of the file. */
	readonly unsavable = new Map<string, Exchange>();
	private readonly limiter: RequestLimiter | undefined;
	/** The number of answers that could have reported their usage. */
	private reportable = 0;

	constructor(
		private readonly world: World,
		private readonly subject: Subject,
		private readonly emulation: Emulation,
	) {
		const { limit } = world;
		this.limiter =
			limit && new RequestLimiter({ requests: limit.requests, perMs: 1_000, retryAfter: limit.says });
	}

	/** Returns the requests in progress, including those whose answers are arriving. */
	get open(): Exchange[] {
		return [...this.inProgress];
	}

	/** Drops all connections, because the process on the other side is gone, in the middle of this execution. */
	hangUp(killed: number): void {
		this.inProgress.clear();
		// The process has lost what it had learned about songs.
		for (const { failedSong, execution } of this.exchanges) {
			if (failedSong && execution === killed) failedSong.standing = 'delivered';
		}
	}

	/** Answers a request in place of n8n's request helper. */
	async respond(
		options: IHttpRequestOptions,
		signal: AbortSignal | undefined,
		caller: Caller,
	): Promise<IN8nHttpFullResponse> {
		const { clock } = caller;
		const request = new SentRequest();
		const body = await request.take(options.body);
		const exchange = this.begin(options, body.toString('utf8'), caller);
		const { fault } = exchange;
		const cancelled = () => this.failed(exchange, 'unclear', request.fail(true, 'canceled', 'ERR_CANCELED'));
		this.checkKey(options, caller);
		this.checkConcurrency();
		await clock.sleep(1 + clock.random() * 5, signal);
		if (signal?.aborted) throw cancelled();
		if (fault?.kind === 'notConnected' || this.isDead(exchange.url, clock.now())) {
			const how = fault?.kind === 'notConnected' ? fault.how : 'refused';
			if (how === 'swallowed') await clock.sleep(Number.POSITIVE_INFINITY, signal);
			throw this.failed(exchange, 'free', request.notConnected(how));
		}
		request.connect();
		const answered = await clock.during(this.answerTo(exchange, options, body, caller));
		exchange.isLimited = answered.status === 429;
		const answer = this.isFaulty ? inClothes(answered, this.world.clothes, clock.date()) : answered;
		const [least, most] = this.world.latencyMs;
		const slower = fault?.kind === 'slow' ? fault.ms : 0;
		await clock.sleep(least + clock.random() * (most - least) + slower, signal);
		if (fault?.kind === 'silence') await clock.sleep(Number.POSITIVE_INFINITY, signal);
		if (signal?.aborted) throw cancelled();
		if (fault?.kind === 'lost') {
			throw this.failed(exchange, 'unclear', request.fail(true, 'socket hang up', 'ECONNRESET'));
		}
		return this.deliver(exchange, answer, signal, clock);
	}

	/** Records a request, with the fault that affects it. */
	private begin(options: IHttpRequestOptions, body: string, caller: Caller): Exchange {
		const { execution, tryNumber, clock } = caller;
		const { method = 'GET', url, headers = {} } = options;
		const path = pathOf(url);
		const stage = stageOf(method, path);
		const rows = stage === 'paid' ? rowsIn(`${path} ${body}`) : (this.rowsOfLink.get(linkIn(path)) ?? []);
		const exchange: Exchange = {
			number: this.exchanges.length,
			execution,
			tryNumber,
			stage,
			rows,
			units: stage === 'paid' ? unitsOf(method, path, body) : [],
			method,
			url,
			idempotencyKey: headers[IDEMPOTENCY_HEADER] as string | undefined,
			fault: this.isFaulty ? this.faultFor(stage, rows) : undefined,
			at: clock.now(),
			isPaid: false,
			standing: 'unclear',
			status: null,
			isLimited: false,
			sent: [],
			isComplete: false,
		};
		this.exchanges.push(exchange);
		this.inProgress.add(exchange);
		return exchange;
	}

	private faultFor(stage: Stage, rows: number[]): Fault | undefined {
		let found: Fault | undefined;
		for (const row of rows) {
			const key = `${stage} ${row}`;
			const nth = this.counts.get(key) ?? 0;
			this.counts.set(key, nth + 1);
			found ??= this.world.faults.find(
				(planned) => planned.stage === stage && planned.row === row && planned.nth === nth,
			)?.fault;
		}
		return found;
	}

	private isDead(url: string, now: number): boolean {
		const outages = this.world.outages.filter(({ address }) => url.startsWith(ADDRESSES[address]));
		return this.isFaulty && outages.some(({ from, to }) => now >= 5_000 + from && now < 5_000 + to);
	}

	private async answerTo(
		exchange: Exchange,
		{ method = 'GET', url, headers = {} }: IHttpRequestOptions,
		body: Buffer,
		{ clock, key }: Caller,
	): Promise<Answer> {
		const { fault, stage, idempotencyKey } = exchange;
		if (url.startsWith(ELSEWHERE) && stage !== 'file') {
			exchange.standing = 'free';
			return errorAnswer(401, 'Who are you?');
		}
		const waitMs = this.isFaulty && stage !== 'file' ? (this.limiter?.waitMs(clock.date()) ?? 0) : 0;
		if (waitMs > 0) {
			exchange.standing = 'free';
			return errorAnswer(429, 'Rate limit exceeded', this.limiter!.retryHeader(waitMs));
		}
		if (stage !== 'file') this.limiter?.admit(clock.date());
		exchange.standing = standingAfter(fault, stage === 'paid' ? this.subject.repeatability : 'read');
		const known = this.answersOfKey.get(idempotencyKey ?? '');
		if (known && isSettled(fault)) {
			// A gateway that knows the key does not reject the same request.
			exchange.standing = 'delivered';
			return { ...known, ends: 'end' };
		}
		const isMade = isCarriedOut(fault) && !known;
		const path = pathOf(url);
		const made = isMade
			? this.reported(
					await this.emulation.answer({
						method: method as 'GET',
						path,
						headers: otherHeaders(headers),
						body,
					}),
					stage,
				)
			: known;
		const answer = made && stage === 'poll' ? this.songIn(made, linkIn(path), exchange) : made;
		exchange.isPaid = isMade && stage === 'paid' && made!.status < 300;
		if (isMade && idempotencyKey) this.answersOfKey.set(idempotencyKey, made!);
		if (made) this.noteLinks(exchange, made);
		if (!fault || isAnswered(fault)) return this.damaged(exchange, answer!);
		const { hasSecondAddress } = this.world;
		const gateway = hasSecondAddress ? ADDRESSES.second : ADDRESSES.first;
		return faultyAnswer(fault, key, { gateway: gateway + path, elsewhere: ELSEWHERE + path });
	}

	/** Returns the answer to the poll of a song. A song that failed before the faults ended stays failed. */
	private songIn(answer: EmulatedAnswer, taskId: string, exchange: Exchange): EmulatedAnswer {
		const song = this.failingSongs.get(taskId);
		if (!song || (!this.isFaulty && song.standing !== 'unusable')) return answer;
		const failed = withoutSong(answer);
		if (failed !== answer) exchange.failedSong = song;
		return failed;
	}

	/** Reduces the usage in an answer to what this gateway reports. */
	private reported(answer: EmulatedAnswer, stage: Stage): EmulatedAnswer {
		const { reporting } = this.world;
		if (!reporting || !this.isFaulty || stage !== 'paid') return answer;
		const { every, others } = reporting;
		return every > 0 && this.reportable++ % every === 0 ? answer : uncounted(answer, others);
	}

	/** Returns the real answer, or the part of it that a fault leaves. */
	private damaged(exchange: Exchange, made: EmulatedAnswer): Answer {
		const { fault } = exchange;
		if (made.status >= 300) exchange.standing = 'free';
		if (fault?.kind === 'diskFull') {
			for (const digest of digestsIn(made)) this.unsavable.set(digest, exchange);
		} else if (this.unsavable.size > 0) {
			// A run that was stopped before it saved the file requests the same file again.
			for (const digest of digestsIn(made)) {
				const earlier = this.unsavable.get(digest);
				if (earlier?.units.join() === exchange.units.join()) this.unsavable.delete(digest);
			}
		}
		const part = fault && 'at' in fault ? fault.at : fault && isHalf(fault) ? 0.5 : 1;
		const body = made.body.subarray(0, Math.floor(made.body.length * part));
		const ends = fault?.kind === 'cut' ? 'lost' : fault?.kind === 'stall' ? 'stall' : 'end';
		return { ...made, body, ends };
	}

	/** Remembers the items to which tasks and files belong. */
	private noteLinks(exchange: Exchange, { headers, body }: EmulatedAnswer): void {
		const { rows, stage } = exchange;
		const isFailing = this.isFaulty && stage === 'paid' && rows.includes(this.world.failingSong ?? -1);
		if (!headers['content-type']?.includes('json')) return;
		const text = body.toString('utf8');
		for (const [link] of text.matchAll(/\/__emulator\/files\/[^"\s?]+/g)) this.rowsOfLink.set(link, rows);
		for (const [, id] of text.matchAll(/"(?:task_id|taskId)":"([0-9a-f]{32})"/g)) {
			this.rowsOfLink.set(id, rows);
			if (isFailing) this.failingSongs.set(id, exchange);
		}
	}

	private deliver(
		exchange: Exchange,
		{ status, headers, body: bytes, ends }: Answer,
		signal: AbortSignal | undefined,
		clock: SimulatedClock,
	): IN8nHttpFullResponse {
		exchange.status = status;
		const body = new AnswerBody(bytes, {
			clock,
			pauseMs: this.world.latencyMs[0],
			ends,
			onSent: (piece) => exchange.sent.push(piece),
			onClosed: (isComplete) => {
				this.inProgress.delete(exchange);
				exchange.isComplete = isComplete;
				const { failedSong, fault } = exchange;
				// The node learns it only now, if no fault has taken the place of the answer.
				const isTold = isComplete && isAnswered(fault) && !(fault && isHalf(fault));
				if (failedSong && isTold) failedSong.standing = 'unusable';
				exchange.endedAt = clock.now();
				signal?.removeEventListener('abort', cancel);
				if (!isComplete && exchange.standing === 'delivered') exchange.standing = 'unclear';
			},
		});
		const cancel = () => {
			// If a time limit cuts off an answer, nobody knows how it would have continued.
			if (exchange.standing === 'unusable') exchange.standing = 'unclear';
			body.cancel();
		};
		signal?.addEventListener('abort', cancel);
		return { statusCode: status, headers, body };
	}

	private failed(exchange: Exchange, standing: Exchange['standing'], error: Error): Error {
		this.inProgress.delete(exchange);
		exchange.standing = standing;
		return error;
	}

	/** Checks that Parallel Requests limits the paid requests in progress. */
	private checkConcurrency(): void {
		const { parallelRequests = Number.POSITIVE_INFINITY } = this.world.options;
		const open = this.open.filter(({ stage }) => stage === 'paid').length;
		if (open > parallelRequests) this.broken.push(`${open} paid requests at once`);
	}

	/** Checks that the key goes only to the credential's addresses, and is never part of an address. */
	private checkKey({ url, headers }: IHttpRequestOptions, { key }: Caller): void {
		const isOwn = Object.values(ADDRESSES).some((address) => url.startsWith(`${address}/`));
		if (url.includes(key.slice(0, 14))) this.broken.push('the key is in an address');
		const isSent = JSON.stringify(headers).includes(key);
		if (isSent && (!isOwn || url.includes('/__emulator/'))) this.broken.push(`the key was sent to ${url}`);
		if (!isSent && isOwn && !url.includes('/__emulator/')) this.broken.push(`no key was sent to ${url}`);
	}
}

function stageOf(method: string, path: string): Stage {
	if (path.startsWith('/__emulator/')) return 'file';
	return method === 'GET' && path.startsWith('/v1/music/') ? 'poll' : 'paid';
}

function pathOf(url: string): string {
	const { pathname, search } = new URL(url);
	return `${pathname}${search}`;
}

/** Returns the part of a path that identifies a file or a task. */
function linkIn(path: string): string {
	return path.startsWith('/__emulator/') ? path : (/[0-9a-f]{32}/.exec(path)?.[0] ?? '');
}

/** Returns the headers of a request for the emulator, which gets its own key. */
function otherHeaders(headers: NonNullable<IHttpRequestOptions['headers']>): Record<string, string> {
	const others = Object.entries(headers).filter(([name]) => !/^(authorization|content-length)$/i.test(name));
	return Object.fromEntries(others) as Record<string, string>;
}
