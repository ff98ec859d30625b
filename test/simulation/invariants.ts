import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { type Exchange, usageIn } from './exchange';
import { digestOf, isFailed, messageOf, sourcesOf } from './items';
import { brokenByPayments } from './payments';
import { brokenByLosses } from './losses';
import { differences, type Reference } from './reference';
import type { History, Try } from './simulate';

/** Conditions that must hold in every world. Each returns the ways in which it is broken, in words. */
const invariants: Record<string, (history: History, reference: Reference) => string[] | Promise<string[]>> = {
	'every run ends': ({ tries }) =>
		tries
			.filter(({ ending }) => ending === 'stuck' || ending === 'overdue')
			.map(({ ending, tookMs }) => `a try is ${ending} after ${Math.round(tookMs / 1000)} s`),
	'nothing is left behind': ({ tries }) =>
		tries.flatMap(({ ending, left, execution }) =>
			Object.entries(left)
				.filter(([, count]) => ending === 'ended' && count > 0)
				.map(([what, count]) => `execution ${execution + 1} leaves ${count} ${what}`),
		),
	'the gateway sees only what it should': ({ gateway }) => gateway.broken,
	'paid once': brokenByPayments,
	'nothing that was paid for is lost': brokenByLosses,
	'items are in order and linked': (history) => history.tries.flatMap((one) => brokenLinks(one, history)),
	'the last Retry completes': ({ tries, host }) =>
		tries.flatMap(({ isFinal, error, output = [] }) => {
			if (!isFinal) return [];
			if (error) return [`it fails: ${error.message}`];
			const files = output.flatMap(({ binary = {} }) => Object.values(binary));
			const gone = files.filter(({ id = '' }) => !host.store.has(id));
			return [...output.filter(isFailed).map(messageOf), ...gone.map(({ id }) => `the file ${id} is gone`)];
		}),
	'rows without a fault are as they are without faults': async (history, reference) =>
		await differences(history, reference),
	'a limit rejects no item, whatever status it has': ({ tries, gateway }) =>
		tries.flatMap(({ execution, output = [] }) => {
			// A later try of an execution reports the failures of the first one.
			const sent = gateway.exchanges.filter((one) => one.execution === execution);
			return output.filter(isRejected).flatMap((item) => {
				const [row] = sourcesOf(item);
				const isReason = sent.some(
					({ rows, isLimited, standing, isComplete }) =>
						rows.includes(row) && !(isLimited && isComplete) && standing !== 'delivered',
				);
				return isReason ? [] : [`item ${row}: ${messageOf(item)}`];
			});
		}),
	'the report counts every request': ({ tries, gateway }) => tries.flatMap((one) => miscounted(one, gateway)),
	'Max Requests is never exceeded, and stops nothing before': brokenByMaxRequests,
	'nothing is sent after the answer that reaches Max Total Tokens or Max Cost, or does not report them':
		brokenByUsage,
	'nothing is sent after a stop': ({ tries, gateway }) =>
		tries.flatMap(({ execution, stoppedAt }) => {
			const late = gateway.exchanges.filter(
				(one) => one.execution === execution && one.at > (stoppedAt ?? Infinity),
			);
			return late.length > 0 ? [`${late.length} requests of execution ${execution + 1}`] : [];
		}),
	'the key is nowhere': keyPlaces,
	'a failed item says that it was charged for': ({ tries, gateway }) =>
		tries.flatMap(({ output = [], execution, tryNumber, interference }) => {
			if (interference) return [];
			const paid = gateway.exchanges.filter(
				(one) => one.execution === execution && one.tryNumber === tryNumber && isSurelyPaid(one),
			);
			return output.filter(isFailed).flatMap((item) => {
				const rows = sourcesOf(item);
				const isCharged = paid.some((one) => one.rows.some((row) => rows.includes(row)));
				const { charge } = item.json.details as IDataObject;
				return isCharged && charge === undefined ? [`item ${rows.join()}: ${messageOf(item)}`] : [];
			});
		}),

	'every failure has words': ({ tries }) =>
		tries.flatMap(({ error, output = [] }) => [
			...(error && !(error.message && error.description) ? [`only: ${error.message}`] : []),
			...output.filter(isFailed).flatMap((item) => {
				const { kind, description } = item.json.details as IDataObject;
				// Any other error becomes a failure of kind "input" with the message of that error.
				if (kind === 'input') return [`an unexpected failure: ${messageOf(item)}`];
				return messageOf(item) && description ? [] : [`only: ${messageOf(item)}`];
			}),
		]),
};

/**
 * Tells whether an item has surely paid for a request that succeeded. An unusable answer may belong to another item of
 * the same row, and a probe belongs to no item.
 */
function isSurelyPaid({ stage, units, isPaid, standing }: Exchange): boolean {
	return stage === 'paid' && units.length > 0 && isPaid && standing === 'delivered';
}

const REJECTIONS = ['authentication', 'permission', 'notFound', 'request'];

function isRejected(item: INodeExecutionData): boolean {
	return isFailed(item) && REJECTIONS.includes((item.json.details as IDataObject).kind as string);
}

function brokenByMaxRequests({ world, gateway, tries }: History): string[] {
	const { maxRequests, retries } = world;
	if (maxRequests === 0) return [];
	// The last execution has no limit.
	return Array.from({ length: retries + 1 }, (_, execution) => execution).flatMap((execution) => {
		const exchanges = gateway.exchanges.filter((one) => one.execution === execution && one.stage === 'paid');
		const paid = exchanges.filter(({ isPaid }) => isPaid).length;
		if (paid > maxRequests) return [`execution ${execution + 1} paid for ${paid} requests`];
		// A failing answer that was not read to its end may have meant anything.
		const possible = exchanges.filter(
			({ isPaid, standing, status, isComplete }) =>
				isPaid || standing !== 'free' || (status !== null && !isComplete),
		).length;
		const isReached = tries.some(
			({ execution: of, error, output = [] }) =>
				of === execution &&
				[error?.message ?? '', ...output.filter(isFailed).map(messageOf)].some((message) =>
					message.includes('Max Requests ('),
				),
		);
		return isReached && possible < maxRequests
			? [`execution ${execution + 1} stops at Max Requests after ${possible} requests`]
			: [];
	});
}

/** Returns the invariants that a world breaks, each as a line. */
export async function brokenIn(history: History, reference: Reference): Promise<string[]> {
	const broken: string[] = [];
	for (const [name, check] of Object.entries(invariants)) {
		for (const words of new Set(await check(history, reference))) broken.push(`${name}: ${words}`);
	}
	return broken;
}

function brokenLinks({ output }: Try, { world, subject }: History): string[] {
	if (!output) return [];
	const sources = output.map(sourcesOf);
	const broken: string[] = [];
	const missing = Array.from({ length: world.rows }, (_, row) => row).filter(
		(row) => !sources.some((items) => items.includes(row)),
	);
	if (missing.length > 0) broken.push(`items ${missing.join()} have no output`);
	// A ranking is sorted by its scores instead.
	const firsts = sources.map(([first]) => first);
	if (!subject.isRanked && firsts.some((row, index) => row < firsts[index - 1]))
		broken.push(`the order is ${firsts.join()}`);
	return broken;
}

/** Compares the number of requests in the summary of a try with the requests that the gateway has seen. */
function miscounted({ hints, execution, tryNumber }: Try, { exchanges }: History['gateway']): string[] {
	const said = hints.map((hint) => /[.:] ([\d,]+) requests?(?:, of which|\.)/.exec(hint)?.[1]).find(Boolean);
	if (said === undefined) return [];
	const sent = exchanges.filter(
		(one) => one.execution === execution && one.tryNumber === tryNumber && one.stage !== 'file',
	);
	// An attempt at another address does not count as a further request.
	const unreached = sent.filter(
		({ status, standing, fault }) => (status === null && standing === 'free') || fault?.kind === 'redirect',
	).length;
	const count = Number(said.replace(',', ''));
	return count <= sent.length && count >= sent.length - unreached
		? []
		: [`it says ${count} requests instead of ${sent.length}`];
}

/** Finds paid requests that were sent although an answer had reached a limit, or had shown that it cannot be kept. */
function brokenByUsage({ world, gateway, subject }: History): string[] {
	const fields = JSON.stringify(subject.node.description);
	const maxTokens = fields.includes('"maxTotalTokens"') ? world.maxTokens : 0;
	const maxCost = fields.includes('"maxCost"') ? world.maxCost : 0;
	if (maxTokens + maxCost === 0) return [];
	return Array.from({ length: world.retries + 1 }, (_, execution) => execution).flatMap((execution) => {
		const own = gateway.exchanges.filter((one) => one.execution === execution && one.stage === 'paid');
		// If n8n is killed, the last piece of an answer may not have arrived.
		const ended = own.filter((one) => one.standing === 'delivered' && one.endedAt !== undefined);
		ended.sort((one, other) => one.endedAt! - other.endedAt!);
		const spent = { tokens: 0, cost: 0 };
		const last = ended.find((one) => {
			const { tokens, cost, hasCost } = usageIn(one);
			spent.tokens += tokens;
			spent.cost += cost;
			const isOver = (limit: number, sum: number) => limit > 0 && sum >= limit - 1e-9;
			// If no tokens are reported, a cost of 0 means nothing.
			const isUncounted =
				(maxTokens > 0 && tokens === 0) || (maxCost > 0 && (!hasCost || tokens + cost === 0));
			return isUncounted || isOver(maxTokens, spent.tokens) || isOver(maxCost, spent.cost);
		});
		// The same key asks for an answer that may be paid for already, and a redirect is followed by the same request.
		const isRepeated = ({ number, idempotencyKey: key, units }: Exchange) =>
			own.some(
				(one) =>
					one.number < number &&
					(one.fault?.kind === 'redirect'
						? one.units.join() === units.join()
						: one.standing !== 'free' && key !== undefined && one.idempotencyKey === key),
			);
		const isLate = (one: Exchange) => one.isPaid && one.at > (last?.endedAt ?? Infinity);
		const late = own.filter((one) => isLate(one) && !isRepeated(one)).length;
		// Only the first answer shows whether the limit can be kept, even if it is cut off after its usage.
		const shown = own.filter((one) => one.standing === 'delivered' || usageIn(one).tokens > 0);
		const firstEndedAt = Math.min(...shown.map(({ endedAt = Infinity }) => endedAt));
		const isFirst = (one: Exchange) => one.at < firstEndedAt;
		const first = ended.filter((one) => isFirst(one) && !isRepeated(one)).length;
		return [
			...(late > 0 ? [`${late} requests of execution ${execution + 1} after the limit`] : []),
			...(first > 1 ? [`${first} requests of execution ${execution + 1} before the first answer`] : []),
		];
	});
}

function keyPlaces({ tries, host, gateway }: History): string[] {
	const found: string[] = [];
	for (const key of new Set(tries.map((one) => one.key))) {
		const beginning = key.slice(0, 14);
		for (const { output, error, hints, log, saved } of tries) {
			const said = error && [error.message, error.description, error.context];
			const places = { output, error: said, hints, log, saved };
			for (const [place, value] of Object.entries(places)) {
				if (value !== undefined && JSON.stringify(value).includes(beginning))
					found.push(`it is in the ${place}`);
			}
		}
		const bytes = [...host.store.files.values()].find((file) => file.includes(beginning));
		if (bytes) found.push(`it is in the file ${digestOf(bytes).slice(0, 8)}`);
	}
	return [...found, ...gateway.broken.filter((words) => words.includes('key'))];
}
