import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { StreamShape } from '../behaviour/rule';
import { written } from './bodyFaults';
import { type Exchange, exchangeOf, pause, untilAborted } from './exchange';
import { eventsIn } from './dialects';
import type { StreamEvent } from './streamEvent';

const sentinel = '[DONE]';
const sentinels = { once: 1, missing: 0, twice: 2 };

function eventText({ name, data }: StreamEvent, { comments, lineEnd }: StreamShape): string {
	const lines = [
		...(comments ? [': PING', ''] : []),
		...(name === undefined ? [] : [`event: ${name}`]),
		`data: ${typeof data === 'string' ? data : JSON.stringify(data)}`,
		'',
		'',
	];
	return lines.join(lineEnd === 'crlf' ? '\r\n' : '\n');
}

async function* encoded(
	events: Iterable<StreamEvent>,
	exchange: Exchange,
	reply: FastifyReply,
): AsyncGenerator<Buffer> {
	const { fault, signal, treatment } = exchange;
	const { deltaDelayMs = 0 } = treatment.stream;
	let sent = 0;
	for (const event of events) {
		if (sent > 0 && deltaDelayMs > 0 && !(await pause(deltaDelayMs, signal))) return;
		if (fault && 'afterEvents' in fault && fault.afterEvents === sent) {
			reply.raw.flushHeaders();
			await written(reply);
			if (fault.kind === 'cut') exchange.disconnect('close');
			await untilAborted(signal);
			return;
		}
		yield Buffer.from(eventText(event, treatment.stream));
		sent += 1;
	}
}

/**
 * Sends an event stream in the shape that the rules define, and applies the faults that count events.
 * @param options.done whether the format ends with `[DONE]` (sections 4.1 and 6)
 */
export function sendEventStream(
	request: FastifyRequest,
	reply: FastifyReply,
	events: Iterable<StreamEvent>,
	options: { done: boolean },
): FastifyReply {
	const exchange = exchangeOf(request);
	const count = options.done ? sentinels[exchange.treatment.stream.done ?? 'once'] : 0;
	const regular = [...events, ...Array.from({ length: count }, () => ({ data: sentinel }))];
	const all = eventsIn(exchange, regular);
	exchange.wholeStream = () =>
		Buffer.from(all.map((event) => eventText(event, exchange.treatment.stream)).join(''));
	return reply
		.code(200)
		.type('text/event-stream; charset=utf-8')
		.header('cache-control', 'no-cache')
		.send(Readable.from(encoded(all, exchange, reply), { objectMode: false }));
}
