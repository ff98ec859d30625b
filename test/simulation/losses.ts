import type { IDataObject } from 'n8n-workflow';
import { type Exchange, sentOf } from './exchange';
import { digestOf, isFailed, sourcesOf } from './items';
import type { History, Try } from './simulate';

/**
 * Finds paid results that are lost: they are neither in a failed item nor, for a stopped execution, in the log. Results
 * that n8n saves are checked by the last Retry, which must not pay for them again.
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

/** Tells whether an answer only contains tool calls, which have no value. */
function isToolCall(exchange: Exchange): boolean {
	return sentOf(exchange).includes('"tool_calls":[');
}

/** Tells whether a request only checks whether texts are the cause of a rejection. */
function isProbe({ stage, units }: Exchange): boolean {
	return stage === 'paid' && units.length === 0;
}

/** Returns the last request for each unit. */
function lastOfEach(exchanges: Exchange[]): Exchange[] {
	return [...new Map(exchanges.map((exchange) => [exchange.units.join(), exchange])).values()];
}

/** Finds items of a stopped execution that were paid for but are not named in the log. */
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

/** Returns the indexes of the rows that a line names. The line counts from 1: `rows 1–6 and 8`. */
function itemsIn(line: string): number[] {
	return [...line.matchAll(/\brows? ((?:\d+(?:–\d+)?(?:, | and )?)+)/g)].flatMap(([, list]) =>
		[...list.matchAll(/(\d+)(?:–(\d+))?/g)].flatMap(([, from, to = from]) =>
			Array.from({ length: Number(to) - Number(from) + 1 }, (_, index) => Number(from) - 1 + index),
		),
	);
}

/** The content of a failed item. */
interface Kept {
	details: IDataObject;
	/** The contents of its files. */
	files: Buffer[];
}

/** Kinds of failures whose messages say that the request was carried out. */
const PAID_KINDS = ['answer', 'download', 'task'];

/**
 * Compares the answer that was sent to a request that is or may be paid for with the content of the failed item.
 *
 * @returns in words, what was lost or is not mentioned
 */
function lostPaid(exchange: Exchange, kept: Kept): string[] {
	const { fault, status, standing, isComplete } = exchange;
	// The page is, for example, a sign-in page in front of the gateway.
	if (fault?.kind === 'other' && fault.body === 'page') return [];
	// A file that could not be saved is lost, but the item says that it may be paid for.
	const isLost = fault?.kind === 'diskFull' && standing === 'unusable';
	const isAnswer = status !== null && status < 300 && !isLost;
	const pieces = isAnswer ? piecesOf(sentOf(exchange), isComplete) : [];
	const lost = pieces.filter((piece) => !isKept(piece, kept));
	if (lost.length > 0) return lost.map((piece) => `a paid result was lost: ${labelOf(piece)}`);
	return pieces.length > 0 || saysPaid(kept) ? [] : ['it is not said that a request may be paid for'];
}

function saysPaid({ details }: Kept): boolean {
	return (
		details.charge !== undefined ||
		details.taskId !== undefined ||
		PAID_KINDS.includes(details.kind as string)
	);
}

/** A text, link, or ID; or a file, which may be kept as the Base64 that was sent instead. */
type Piece = string | { digest: string; base64?: string };

const MAX_LABEL_LENGTH = 60;
const labelOf = (piece: Piece) => (typeof piece === 'string' ? piece.slice(0, MAX_LABEL_LENGTH) : 'a file');

function isKept(piece: Piece, { details, files }: Kept): boolean {
	if (typeof piece !== 'string') {
		const { digest, base64 } = piece;
		return (base64 && isKept(base64, { details, files })) || files.some((file) => digestOf(file) === digest);
	}
	// The item may contain the JSON itself.
	const spellings = [piece, JSON.stringify(piece).slice(1, -1)];
	return textsIn(details).some((text) => spellings.some((spelling) => text.includes(spelling)));
}

/** Returns all texts in a value, and the value itself as JSON. */
function textsIn(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	if (typeof value !== 'object' || value === null) return [];
	return [JSON.stringify(value), ...Object.values(value).flatMap(textsIn)];
}

const VALUE = /"(content|text|url|id|task_id|taskId|model_name)":\s*"((?:[^"\\]|\\.)+)"/g;
const IMAGE = /"b64_json":\s*"([A-Za-z0-9+/]{100,}={0,2})"/;
/** The beginning of an image whose Base64 is damaged. */
const DAMAGED_IMAGE = /"b64_json":\s*"([^"]{200})/;
/** A single entry of a response with vectors, because a part of the response may be kept. */
const VECTOR = /\{"object":"embedding"[^}]{0,180}\}?/;
const SCORE = /"relevance_score":\s*(-?[\d.e-]+)/g;
/** The number of characters that must be kept of an answer without texts, links, or IDs. */
const BEGINNING_LENGTH = 200;

/** Returns everything of value in the part of an answer that was sent: texts, links, IDs, and files. */
function piecesOf(sent: Buffer, isComplete: boolean): Piece[] {
	// Half a file cannot be played or seen, so it has no value.
	if (isAudio(sent)) return isComplete ? [{ digest: digestOf(sent) }] : [];
	const text = sent.toString('utf8');
	const image = IMAGE.exec(text)?.[1];
	if (image) return isComplete ? [{ digest: digestOf(Buffer.from(image, 'base64')), base64: image }] : [];
	const isStream = /^\s*(?:data|event|:)/.test(text);
	const values = valuesIn(isStream ? text.slice(0, text.lastIndexOf('\n\n') + 1) : text);
	const words = values.filter(({ name }) => name === 'content' || name === 'text').map(({ value }) => value);
	const others = values.filter(({ name }) => name !== 'content' && name !== 'text').map(({ value }) => value);
	const found = [...new Set([...(isStream ? [words.join('')] : words), ...others])].filter(
		(piece) => piece !== '',
	);
	if (found.length > 0 || isStream || !isComplete) return found;
	const scores = [...text.matchAll(SCORE)].map(([, score]) => Number(score));
	// The user decides how many results of a ranking are kept.
	if (scores.length > 0) return [String(Math.max(...scores))];
	const beginning =
		DAMAGED_IMAGE.exec(text)?.[1] ?? VECTOR.exec(text)?.[0] ?? text.trim().slice(0, BEGINNING_LENGTH);
	return beginning.length > '{}'.length ? [beginning] : [];
}

function valuesIn(text: string): Array<{ name: string; value: string }> {
	return [...text.matchAll(VALUE)].map(([, name, value]) => ({
		name,
		value: JSON.parse(`"${value}"`) as string,
	}));
}

function isAudio(bytes: Buffer): boolean {
	return /^(?:ID3|OggS|RIFF|fLaC|\xff[\xe0-\xff])/.test(bytes.toString('latin1', 0, 4));
}
