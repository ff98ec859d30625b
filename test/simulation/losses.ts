import type { IDataObject } from 'n8n-workflow';
import { lostPaid } from './paidContent';
import { type Exchange, sentOf } from './exchange';
import { isFailed, sourcesOf } from './items';
import type { History, Try } from './simulate';

/**
 * What was paid for and is nowhere: in a failed item, or in the log of an execution that was stopped. What n8n saves
 * shows in the last Retry, which must not pay for it again.
 */
export function brokenByLosses(history: History): string[] {
	return history.tries.flatMap((one) => {
		if (one.ending !== 'ended') return [];
		const own = history.gateway.exchanges.filter(
			({ execution, tryNumber, stage }) =>
				execution === one.execution && tryNumber === one.tryNumber && stage === 'paid',
		);
		return [
			...lostInItems(one, own, history),
			...(one.interference === 'stop' && !history.subject.isAgent ? unnamed(one, own) : []),
		];
	});
}

function lostInItems({ output = [] }: Try, exchanges: Exchange[], history: History): string[] {
	return output.filter(isFailed).flatMap((item) => {
		const [row] = sourcesOf(item);
		const details = item.json.details as IDataObject;
		const files = Object.values(item.binary ?? {}).map(({ id }) => history.host.store.files.get(id ?? '')!);
		const own = lastOfEach(
			exchanges.filter(({ rows, standing }) => rows.includes(row) && standing !== 'free'),
		).filter((exchange) => !isToolCall(exchange) && !isProbe(exchange));
		const others = output.filter((other) => other !== item && sourcesOf(other).includes(row));
		if (others.length > 0 || history.subject.isShared || history.subject.repeatability === 'read') return [];
		return own
			.flatMap((exchange) => lostPaid(exchange, { details, files }))
			.map((words) => `item ${row}: ${words}`);
	});
}

/** Whether an answer is nothing but the wish to use a tool, which is worth nothing. */
function isToolCall(exchange: Exchange): boolean {
	return sentOf(exchange).includes('"tool_calls":[');
}

/** Whether it only tries whether texts are the cause of a rejection. */
function isProbe({ stage, units }: Exchange): boolean {
	return stage === 'paid' && units.length === 0;
}

/** The last request for each unit. */
function lastOfEach(exchanges: Exchange[]): Exchange[] {
	return [...new Map(exchanges.map((exchange) => [exchange.units.join(), exchange])).values()];
}

/** Items of a stopped execution that are or may be paid for, and that the log does not name. */
function unnamed({ log, execution }: Try, exchanges: Exchange[]): string[] {
	const named = new Set(
		log.flatMap((line) => (line.includes('): The execution was stopped.') ? itemsIn(line) : [])),
	);
	const paid = exchanges.filter(({ isPaid, standing }) => isPaid && standing === 'delivered');
	const missing = [...new Set(paid.flatMap(({ rows }) => rows))].filter((row) => !named.has(row));
	return missing.length > 0
		? [`the log of stopped execution ${execution + 1} does not name items ${missing.join()}`]
		: [];
}

/** The indexes of the rows that a line names, which it counts from 1: `rows 1–6 and 8`. */
function itemsIn(line: string): number[] {
	return [...line.matchAll(/\brows? ((?:\d+(?:–\d+)?(?:, | and )?)+)/g)].flatMap(([, list]) =>
		[...list.matchAll(/(\d+)(?:–(\d+))?/g)].flatMap(([, from, to = from]) =>
			Array.from({ length: Number(to) - Number(from) + 1 }, (_, index) => Number(from) - 1 + index),
		),
	);
}
