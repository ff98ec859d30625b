/** Formats a number for people: `1,234`. */
export function count(number: number): string {
	return number.toLocaleString('en-US');
}

/** Formats a number of things for people: `1 row`, `2 rows`. */
export function amount(number: number, noun: string): string {
	return `${count(number)} ${noun}${number === 1 ? '' : 's'}`;
}

/** Joins the parts of a text, without those that are empty, undefined, or false. */
export function joined(parts: Array<string | false | undefined>, separator: string): string {
	return parts.filter(Boolean).join(separator);
}

/** Ends a text with a full stop, unless its last character ends a sentence. */
export function asSentence(text: string): string {
	return /[.!?…。！？]$/.test(text) ? text : `${text}.`;
}

/** Formats a duration for people: `8 s`, `3 min 12 s`, or `2 h 5 min`. */
export function durationInWords(milliseconds: number): string {
	const seconds = Math.max(1, Math.round(milliseconds / 1000));
	if (seconds < 60) return `${seconds} s`;
	const minutes = Math.floor(seconds / 60);
	if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
	return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Some items of the input, by their indexes, and the number of all items. */
export interface Rows {
	indexes: number[];
	of: number;
}

/** Returns the end of a sentence about rows: ` (row 4 of 6)`. Empty if it is about all of them. */
export function rowsInWords({ indexes, of }: Rows): string {
	return indexes.length < of ? ` (${rowList(indexes)} of ${of})` : '';
}

/** Lists items by their indexes, as people count them: `row 4`, or `rows 1–6 and 8`. */
export function rowList(items: Iterable<number>): string {
	const sorted = [...items].map((index) => index + 1).sort((one, other) => one - other);
	const ranges: string[] = [];
	for (let start = 0; start < sorted.length;) {
		let end = start;
		while (sorted[end + 1] === sorted[end] + 1) end++;
		ranges.push(end === start ? `${sorted[start]}` : `${sorted[start]}–${sorted[end]}`);
		start = end + 1;
	}
	const last = ranges.pop();
	const list = ranges.length === 0 ? last : `${ranges.join(', ')} and ${last}`;
	return `${sorted.length === 1 ? 'row' : 'rows'} ${list}`;
}

const MINUTE_MS = 60_000;
const YEAR_MS = 365 * 24 * 60 * MINUTE_MS;

/** The last moment that a `Date` can hold in every time zone; a gateway may ask to wait even longer. */
const LAST_DATE = 8.64e15 - 24 * 60 * MINUTE_MS;

/** The current time, and the time zone of the workflow. */
export interface Moment {
	/** The current time, in milliseconds since the epoch. */
	now: number;
	timeZone: string;
}

/** Formats milliseconds since the epoch for people: "14:05", with the date on another day, and the year if far away. */
export function momentInWords(moment: number, { now, timeZone }: Moment): string {
	try {
		return inZone(moment, now, timeZone);
	} catch {
		// The time zone is unknown.
		return `${inZone(moment, now, 'UTC')} UTC`;
	}
}

/** @throws RangeError for an unknown time zone */
function inZone(moment: number, now: number, timeZone: string): string {
	const date = new Date(Math.min(Math.ceil(moment / MINUTE_MS) * MINUTE_MS, LAST_DATE));
	const year = moment - now < YEAR_MS / 2 ? undefined : 'numeric';
	const dayOf = new Intl.DateTimeFormat('en-US', { timeZone, year, month: 'long', day: 'numeric' });
	const timeOf = { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
	const time = new Intl.DateTimeFormat('en-US', timeOf).format(date);
	const day = dayOf.format(date);
	return day === dayOf.format(now) ? time : `${day}, ${time}`;
}
