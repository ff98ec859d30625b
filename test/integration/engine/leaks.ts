import { Logger } from '@n8n/backend-common';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import { inspect } from 'node:util';

/** What a run is watched with; see {@link watchForLeaks}. */
export interface LeakWatch {
	/**
	 * Ends the watch.
	 *
	 * @param texts everything that the run gave, by a name for the report
	 * @throws Error that names each place where the key was found
	 */
	check(texts: Record<string, unknown>): void;
}

/** Shorter keys ("none") stand in any text by chance. */
const LEAST_KEY_LENGTH = 8;

/**
 * Watches a run for the credential's key: in what is written to the console or to the process's output, in the
 * address of any request, and in the headers of requests to other hosts than the credential's.
 *
 * @param credential its addresses may receive the key, nothing else may
 */
export function watchForLeaks(credential: Record<string, unknown>): LeakWatch {
	const key = ((credential.apiKey ?? '') as string).trim();
	if (key.length < LEAST_KEY_LENGTH) return { check: () => undefined };
	const own = ['baseUrl', 'alternateBaseUrl', 'utilitiesBaseUrl']
		.map((field) => (credential[field] ?? '') as string)
		.flatMap((url) => (URL.canParse(url) ? [new URL(url).host] : []));
	const spellings = spellingsOf(key);
	const found: string[] = [];
	const note = (place: string, text: string) => {
		if (spellings.some((spelling) => text.includes(spelling))) found.push(place);
	};
	const onRequest = (message: unknown) => {
		const { request } = message as { request: ClientRequest };
		const host = String(request.getHeader('host') ?? request.host);
		const address = `${request.protocol}//${host}`;
		note(`the path of a request to ${address}`, request.path);
		if (!own.includes(host)) note(`the headers of a request to ${address}`, inspect(request.getHeaders()));
	};
	const stopListening = listenToOutput((text) => note('the output of the process', text));
	subscribe('http.client.request.start', onRequest);
	return {
		check(texts) {
			unsubscribe('http.client.request.start', onRequest);
			stopListening();
			for (const [name, value] of Object.entries(texts)) note(name, everythingIn(value));
			if (found.length > 0) throw new Error(`The API key leaked into ${[...new Set(found)].join(', ')}`);
		},
	};
}

/** The key as it may stand in a text. */
function spellingsOf(key: string): string[] {
	const base64 = (text: string) => Buffer.from(text).toString('base64').replace(/=+$/, '');
	return [...new Set([key, encodeURIComponent(key), base64(key), base64(`Bearer ${key}`)])];
}

/** A value with everything below it, hidden properties and causes of errors included. */
function everythingIn(value: unknown): string {
	if (typeof value === 'string') return value;
	if (Buffer.isBuffer(value)) return value.toString('latin1');
	return inspect(value, {
		depth: 8,
		showHidden: true,
		maxArrayLength: null,
		maxStringLength: null,
		getters: false,
	});
}

type Listener = (text: string) => void;
type Write = (...parts: unknown[]) => unknown;
const listeners = new Set<Listener>();
let detach: (() => void) | undefined;

/**
 * Listens to the console, to the process's output and to n8n's log, whatever its level.
 *
 * @returns a function that ends the listening
 */
function listenToOutput(listener: Listener): () => void {
	detach ??= attachToOutput();
	listeners.add(listener);
	return () => {
		listeners.delete(listener);
		if (listeners.size > 0) return;
		detach?.();
		detach = undefined;
	};
}

function attachToOutput(): () => void {
	const outlets = [
		...['debug', 'error', 'info', 'log', 'trace', 'warn'].map((method) => [console, method]),
		[process.stdout, 'write'],
		[process.stderr, 'write'],
		[Logger.prototype, 'log'],
	] as unknown as Array<[Record<string, Write>, string]>;
	const restore = outlets.map(([outlet, method]) => {
		const original = outlet[method];
		outlet[method] = function (this: unknown, ...parts: unknown[]) {
			for (const listener of listeners) listener(parts.map((part) => everythingIn(part)).join(' '));
			return original.apply(this, parts);
		};
		return () => (outlet[method] = original);
	});
	return () => restore.forEach((undo) => undo());
}
