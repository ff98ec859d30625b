import type { GatewayFailure } from '../failure/failure';
import { readJson, type AnswerReader } from '../answer/answerReaders';
import { systemClock, type Clock } from '../limiter/clock';
import type { Redactor } from '../answer/redactor';
import { addressesOf, belongsToCredential, type GatewayAddresses, withoutKey } from './addresses';
import {
	checkHeaderFields,
	credentialOf,
	type GatewayCredential,
	keyRedactorOf,
	redactorOf,
	requestsPerMinuteOf,
} from './credential';
import { download, type DownloadOptions } from './download';
import { type Run, type Send, type GatewayRequest, sendingOf } from './layer';
import { Ledger } from './ledger';
import { fileRoad, gatewayRoad } from './road';
import { urlsOf } from './endpoints';
import type { HostContext } from './transport';
import { RunLanes } from './pace';
import { Watch } from './timeLimits';
import { type Wiring, wiringOf } from './wiring';
import { AddressHealth } from './reach';
import { Pacer } from '../limiter/pacer';
import { hashOf } from '../plain/values';

interface ClientSettings extends Partial<Omit<Run, 'moment' | 'watch' | 'log'>> {
	/** The most requests in progress at once. Default: as many as the gateway can handle. */
	mostRequests?: number;
}

/** The only way to the gateway, created for each run of a node. {@link gatewayRoad} shows what happens to a request. */
export class GatewayClient {
	readonly addresses: GatewayAddresses;
	readonly clock: Clock;
	readonly ledger: Ledger;
	readonly lanes: RunLanes;
	readonly redactor: Redactor;
	private readonly keyRedactor: Redactor;
	/** Remembers what the gateway has said or shown about requests, in this run and in earlier ones. */
	readonly learned: Learned;
	readonly wiring: Wiring;
	readonly ownHeaderNames: string[];
	/** True if paid requests carry a key by which the gateway recognizes a repeated one. */
	readonly usesIdempotencyKeys: boolean;
	private readonly road: Send;
	private readonly roadForFiles: Send;

	/** @throws GatewayFailure (kind `settings`) when a field of the credential cannot be used */
	constructor(context: HostContext, credential: GatewayCredential, settings: ClientSettings = {}) {
		const {
			clock = systemClock,
			ledger = new Ledger(clock),
			aside = () => () => {},
			mostRequests,
			signal,
		} = settings;
		this.clock = clock;
		this.ledger = ledger;
		this.redactor = redactorOf(credential);
		this.keyRedactor = keyRedactorOf(credential);
		this.addresses = addressesOf(credential);
		this.ownHeaderNames = checkHeaderFields(credential);
		this.wiring = wiringOf(credential);
		const idempotencyHeader = credential.idempotencyHeader?.trim() ?? '';
		this.usesIdempotencyKeys = idempotencyHeader !== '';
		const { baseUrl, apiKey, headers } = credential;
		const state = credentialStateOf([baseUrl, apiKey, headers], requestsPerMinuteOf(credential), clock);
		this.learned = state.learned;
		this.lanes = new RunLanes(state.pacer, mostRequests);
		const moment = () => ({ now: clock.date(), timeZone: context.getTimezone() });
		const log = (line: string) => context.logger.debug(this.redactor.text(`Unified AI Gateway: ${line}`));
		const run: Run = { clock, ledger, aside, signal, moment, watch: new Watch(clock), log };
		const { addresses, keyRedactor } = this;
		const transport = { context, credential, addresses, keyRedactor };
		const road = { transport, health: state.health, lanes: this.lanes, idempotencyHeader };
		this.road = gatewayRoad(run, road);
		this.roadForFiles = fileRoad(run, road);
	}

	/** Creates a client with the node's credential. */
	static async of(context: HostContext, settings: ClientSettings = {}): Promise<GatewayClient> {
		const credential = await credentialOf(context);
		const signal = 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
		try {
			return new GatewayClient(context, credential, { signal, ...settings });
		} catch (error) {
			throw await redactorOf(credential).failure(error);
		}
	}

	/** Sends a request, as often as the rules allow, until its answer has been turned into a value. */
	send<T>(request: GatewayRequest, read: AnswerReader<T>): Promise<T> {
		return this.road(sendingOf(request, urlsOfRequest(request, this.addresses)), read);
	}

	/** Sends a request for JSON. @param read turns it into a value; if it throws, the request is still charged for */
	async json<T>(request: GatewayRequest, read: (body: unknown) => T): Promise<T> {
		return await this.send(request, async (answer) => read(await readJson(answer)));
	}

	/**
	 * Downloads a result file from any host, without credentials; see {@link download}. A link of the gateway may contain
	 * the value of a header, such as the name of a company, but the key goes only to the gateway itself.
	 */
	download<T>(url: string, read: AnswerReader<T>, options: DownloadOptions = {}): Promise<T> {
		const link = belongsToCredential(url, this.addresses) ? url : withoutKey(url, this.keyRedactor);
		return download(this.roadForFiles, link, this.addresses, read, options);
	}

	/** Returns how long the gateway refuses requests like this one, in milliseconds; 0 if it does not. */
	refusedForMs(request: GatewayRequest): number {
		return this.lanes.of(request).breaker.pauseMs(this.clock.now());
	}
}

function urlsOfRequest({ endpoint, query }: GatewayRequest, addresses: GatewayAddresses): string[] {
	const urls = urlsOf(endpoint, addresses);
	if (query === undefined) return urls;
	const parameters = new URLSearchParams(query).toString();
	return urls.map((url) => (parameters ? `${url}?${parameters}` : url));
}

/** Writes a fault of this package to n8n's log, with its stack. */
export function logFault(
	{ logger }: HostContext,
	redactor: Redactor,
	{ kind, message, facts }: GatewayFailure,
): void {
	if (kind === 'bug') logger.error(redactor.text(`Unified AI Gateway: ${message}\n${facts.stack ?? ''}`));
}

const MAX_STATES = 200;

/** The limits of what is remembered, in facts and in milliseconds: a gateway may change. */
const MOST_FACTS = 500;
const REMEMBERED_MS = 60 * 60_000;

/** Remembers what a gateway has said or shown about requests of a kind. */
export class Learned {
	private readonly facts = new Map<string, { fact: unknown; at: number }>();

	constructor(private readonly clock: Clock) {}

	/** @param about names the kind of request; the fact has the type with which it was noted */
	recall<T>(about: string): T | undefined {
		const known = this.facts.get(about);
		return known && this.clock.now() - known.at < REMEMBERED_MS ? (known.fact as T) : undefined;
	}

	note(about: string, fact: unknown): void {
		this.facts.delete(about);
		this.facts.set(about, { fact, at: this.clock.now() });
		if (this.facts.size > MOST_FACTS) this.facts.delete(this.facts.keys().next().value as string);
	}
}

/** Creates the state that all requests of one credential share in this process. */
const newState = (clock: Clock, requestsPerMinute: number) => ({
	pacer: new Pacer(clock, requestsPerMinute),
	health: new AddressHealth(clock),
	learned: new Learned(clock),
});

const states = new Map<string, ReturnType<typeof newState>>();

/** Finds or creates the state of a credential. @param identity contains the key, so only its hash is kept */
export function credentialStateOf(identity: unknown[], requestsPerMinute: number, clock: Clock) {
	const key = hashOf(JSON.stringify([...identity, requestsPerMinute]));
	const known = states.get(key);
	if (known) return known;

	const state = newState(clock, requestsPerMinute);
	states.set(key, state);
	if (states.size > MAX_STATES) states.delete(states.keys().next().value as string);
	return state;
}
