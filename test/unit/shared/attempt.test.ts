import { getEventListeners } from 'node:events';
import { Readable } from 'node:stream';
import type { ByteStream } from '../../../nodes/shared/answer/byteStream';
import { readJson } from '../../../nodes/shared/answer/answerReaders';
import { toFailure } from '../../../nodes/shared/errors/gatewayFailure';
import { attempt } from '../../../nodes/shared/send/attempt';
import { type Endpoint, endpoints } from '../../../nodes/shared/send/endpoints';
import type { Exchange } from '../../../nodes/shared/send/transport';
import { FakeClock } from '../fakeClock';
import { type Fault, faultOf } from './attemptFaults';

const ADDRESS = 'https://gateway.example';
const kinds: Endpoint[] = [endpoints.models, endpoints.chatCompletions, endpoints.musicSubmit];

/**
 * Sends a request once, and says in words what became of it: the outcome (`final` for none), the kind of failure, how long
 * the gateway asks to wait, whether what was asked for may be paid for, whether what has arrived is kept, and how long it
 * took.
 */
async function wordsFor(
	{ answer, request, read = readJson, stops }: Fault,
	endpoint: Endpoint,
): Promise<string> {
	const clock = new FakeClock();
	const execution = new AbortController();
	const caller = new AbortController();
	const bodies: ByteStream[] = [];
	const left = () => [
		...(getEventListeners(execution.signal, 'abort').length > 0 ? ['leaves a listener'] : []),
		...(bodies.every(({ destroyed }) => destroyed) ? [] : ['leaves a body open']),
	];
	const exchange: Exchange = async (sent) => {
		if (stops) void clock.sleep(1_000).then(() => (stops === 'execution' ? execution : caller).abort());
		const answered = await answer(sent, clock);
		bodies.push(answered.body);
		return answered;
	};
	const send = attempt({ clock, signal: execution.signal }, exchange, { base: ADDRESS, utilities: ADDRESS });
	const open = () => {
		bodies.push(Readable.from(['{}']));
		return bodies.at(-1)!;
	};
	const body = { contentType: 'application/json', open, identity: () => '' };
	const content = endpoint.method === 'POST' ? { body } : {};
	const startedAt = clock.now();
	const url = `${ADDRESS}${endpoint.path}`;
	const signal = stops === 'caller' ? caller.signal : undefined;
	const all = { endpoint, url, signal, ...content, ...request };
	try {
		await clock.run(send(all, read));
		return ['works', ...left()].join(', ');
	} catch (error) {
		const { kind, facts, outcome } = toFailure(error);
		const took = Math.round((clock.now() - startedAt) / 1_000);
		return [
			outcome?.kind ?? 'final',
			kind,
			...(outcome?.retryAfterMs === undefined ? [] : [`wait ${outcome.retryAfterMs / 1_000} s`]),
			...(outcome?.isFinal ? ['never again'] : []),
			...(facts.mayHaveBeenCarriedOut ? ['may be paid'] : []),
			...(facts.partial ? ['keeps'] : []),
			...(took > 1 ? [`after ${took} s`] : []),
			...left(),
		].join(', ');
	}
}

/** Each fault, with what a request that reads, generates, or creates something ends with; `"` is the same as before it. */
const TABLE = `
fault                                       | read                                     | generate                                              | create
no fault                                    | works                                    | "                                                     | "
connection refused                          | notConnected, unreachable                | "                                                     | "
closed in the handshake                     | notConnected, unreachable                | "                                                     | "
no tunnel at the proxy                      | notConnected, unreachable                | "                                                     | "
no connection in 10 seconds                 | notConnected, unreachable, after 10 s    | "                                                     | "
no end of the handshake                     | notConnected, unreachable, after 10 s    | "                                                     | "
forbidden by n8n                            | final, unreachable                       | "                                                     | "
a header that cannot be sent                | final, unreachable                       | "                                                     | "
reset after the request                     | unclear, interrupted                     | unclear, interrupted, may be paid                     | "
error that says nothing                     | notConnected, unreachable                | unclear, interrupted, may be paid                     | "
time limit of n8n's helper                  | unclear, interrupted                     | unclear, interrupted, may be paid                     | "
no answer                                   | unclear, interrupted, after 60 s         | unclear, interrupted, may be paid, after 300 s        | unclear, interrupted, may be paid, after 120 s
execution stopped before the connection     | final, cancelled                         | "                                                     | "
execution stopped after the request         | final, cancelled                         | final, cancelled, may be paid                         | "
request stopped by its caller               | final, cancelled                         | final, cancelled, may be paid                         | "
cut before the body                         | unclear, interrupted                     | unclear, interrupted, may be paid                     | "
cut in the body                             | unclear, interrupted, keeps              | unclear, interrupted, may be paid, keeps              | "
cut, with the words of another connection   | unclear, interrupted                     | unclear, interrupted, may be paid                     | "
stalled in the body                         | unclear, interrupted, keeps, after 60 s  | unclear, interrupted, may be paid, keeps, after 300 s | unclear, interrupted, may be paid, keeps, after 120 s
execution stopped in the body               | final, cancelled, keeps                  | final, cancelled, may be paid, keeps                  | "
endless white space                         | unclear, interrupted, keeps, after 60 s  | unclear, interrupted, may be paid, keeps, after 300 s | unclear, interrupted, may be paid, keeps, after 120 s
stream: cut                                 | unclear, interrupted, keeps              | unclear, interrupted, may be paid, keeps              | "
stream: cut after it was shown              | unclear, interrupted, never again, keeps | unclear, interrupted, never again, may be paid, keeps | "
stream: stalled                             | unclear, interrupted, keeps, after 60 s  | unclear, interrupted, may be paid, keeps, after 300 s | unclear, interrupted, may be paid, keeps, after 120 s
stream: endless without progress            | unclear, interrupted, keeps, after 60 s  | unclear, interrupted, may be paid, keeps, after 300 s | unclear, interrupted, may be paid, keeps, after 120 s
stream: endless                             | unclear, interrupted, keeps, after 600 s | unclear, interrupted, may be paid, keeps, after 600 s | "
stream: an error                            | notTaken, gateway                        | "                                                     | "
stream: an error after it was shown         | notTaken, gateway, never again           | "                                                     | "
status 303 See Other                        | unclear, address, keeps                  | unclear, address, may be paid, keeps                  | "
status 307 to another host                  | rejected, address                        | "                                                     | "
status 401 after a redirect to another host | rejected, address                        | "                                                     | "
status 400                                  | rejected, request                        | "                                                     | "
status 400 with an idempotency key          | rejected, request                        | "                                                     | "
status 401                                  | rejected, authentication                 | "                                                     | "
status 402                                  | rejected, permission                     | "                                                     | "
status 403                                  | rejected, permission                     | "                                                     | "
status 404                                  | rejected, notFound                       | "                                                     | "
status 407                                  | rejected, request                        | "                                                     | "
status 408                                  | unclear, request                         | unclear, request, may be paid                         | "
status 409                                  | rejected, request                        | "                                                     | "
status 409 with an idempotency key          | unclear, request                         | unclear, request, may be paid                         | "
status 413                                  | rejected, request                        | "                                                     | "
status 422                                  | rejected, request                        | "                                                     | "
status 429                                  | refused, rateLimit                       | "                                                     | "
status 429, Retry-After in seconds          | refused, rateLimit, wait 2 s             | "                                                     | "
status 429, Retry-After as a date           | refused, rateLimit, wait 3 s             | "                                                     | "
status 429, Retry-After in milliseconds     | refused, rateLimit, wait 0.3 s           | "                                                     | "
status 429, Retry-After of a day            | refused, rateLimit, wait 86400 s         | "                                                     | "
status 429, the wait in words               | refused, rateLimit, wait 20 s            | "                                                     | "
status 429, no credit left                  | rejected, permission                     | "                                                     | "
status 499                                  | unclear, request                         | unclear, request, may be paid                         | "
status 500                                  | notTaken, gateway                        | "                                                     | unclear, gateway, may be paid
status 500, the result could not be stored  | unclear, gateway                         | unclear, gateway, may be paid                         | "
status 500, no choices in the answer        | unclear, gateway, never again            | unclear, gateway, never again, may be paid            | "
status 500, invalid request                 | rejected, request                        | "                                                     | "
status 501                                  | rejected, gateway                        | "                                                     | "
status 502                                  | unclear, gateway                         | unclear, gateway, may be paid                         | "
status 503                                  | notTaken, gateway                        | "                                                     | "
status 503, Retry-After                     | notTaken, gateway, wait 2 s              | "                                                     | "
status 503, no such model                   | rejected, notFound                       | "                                                     | "
status 504                                  | unclear, gateway                         | unclear, gateway, may be paid                         | "
status 505                                  | rejected, gateway                        | "                                                     | "
status 511                                  | rejected, gateway                        | "                                                     | "
status 524                                  | unclear, gateway                         | unclear, gateway, may be paid                         | "
status 529                                  | notTaken, gateway                        | "                                                     | "
status 403, web page                        | rejected, permission                     | "                                                     | "
status 404, web page                        | rejected, address                        | "                                                     | "
status 500, web page                        | unclear, gateway                         | unclear, gateway, may be paid                         | "
status 500, nothing                         | unclear, gateway                         | unclear, gateway, may be paid                         | "
status 502, web page                        | unclear, gateway                         | unclear, gateway, may be paid                         | "
status 503, web page                        | notTaken, gateway                        | "                                                     | "
status 200, nothing                         | final, answer                            | final, answer, may be paid                            | "
status 200, web page                        | final, address                           | "                                                     | "
status 200, half of the JSON                | final, answer, keeps                     | final, answer, may be paid, keeps                     | "
status 200, a sentence                      | final, answer, keeps                     | final, answer, may be paid, keeps                     | "
status 200, deep JSON                       | final, answer, keeps                     | final, answer, may be paid, keeps                     | "
status 200, invalid UTF-8                   | works                                    | "                                                     | "
status 200, an error                        | notTaken, gateway                        | "                                                     | unclear, gateway, may be paid
status 200, the result could not be stored  | unclear, request                         | unclear, request, may be paid                         | "
status 200, an error without a code         | final, request                           | "                                                     | "
status 200, a rate limit                    | refused, rateLimit, wait 5 s             | "                                                     | "
status 200, a wrong key                     | rejected, authentication                 | "                                                     | "
status 200, an error next to a result       | final, request, keeps                    | final, request, may be paid, keeps                    | "
`;

/** The rows of the table: the fault, and what each kind of request ends with. */
function rowsOf(table: string): string[][] {
	const [, ...lines] = table.trim().split('\n');
	return lines.map((line) =>
		line
			.split('|')
			.reduce<string[]>((row, cell) => [...row, cell.trim() === '"' ? row.at(-1)! : cell.trim()], []),
	);
}

describe('One attempt of a request', () => {
	it.each(rowsOf(TABLE))('ends as the table says: %s', async (fault, ...expected) => {
		const found: string[] = [];
		for (const kind of kinds) found.push(await wordsFor(faultOf(fault), kind));
		expect(found).toEqual(expected);
	});
});
