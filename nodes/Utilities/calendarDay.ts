import { isoTime } from '../shared/plain/values';

/** Milliseconds since the epoch as spreadsheets and gateways write them, for any day between 2001 and 2286. */
const MILLISECONDS = /^\d{13}$/;

/** A moment with the mark of UTC, as JSON writes it. */
const MOMENT_IN_UTC = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?Z$/i;

/** A day, possibly with a time as it is read off a clock, with or without the offset or the zone of that clock. */
const DAY =
	/^((?!0000)\d{4}-\d{2}-\d{2})([T ]([01]?\d|2[0-4])(:?[0-5]\d(:?[0-5]\d([.,]\d{1,9})?)?)?( ?([AP]M|Z|UTC|GMT|[+-](0\d|1[0-4])(:?[0-5]\d)?))?(\[[\w/+-]{1,40}\])?)?$/i;

/**
 * The calendar day that a value means, as YYYY-MM-DD.
 *
 * The day of a text is used as it is: neither its time nor the offset of its clock shifts it. A moment, which is a `Date`,
 * a count of milliseconds, or a text in UTC, falls on a day of the workflow's time zone. Midnight in UTC is no moment but a
 * day without a time: that is how databases and JSON write one.
 *
 * @returns undefined for anything that is not a date, and for a day that does not exist
 */
export function dayOf(value: unknown, timeZone: string): string | undefined {
	if (value instanceof Date) return dayOfMoment(value, timeZone);
	const text = String(value).trim();
	if (MILLISECONDS.test(text)) return dayOfMoment(new Date(Number(text)), timeZone);
	const day = existingDay(DAY.exec(text)?.[1]);
	return day !== undefined && MOMENT_IN_UTC.test(text) ? dayOfMoment(new Date(text), timeZone) : day;
}

function existingDay(day: string | undefined): string | undefined {
	return isoTime(Date.parse(`${day}T00:00:00Z`))?.startsWith(`${day}T`) ? day : undefined;
}

function dayOfMoment(moment: Date, timeZone: string): string | undefined {
	const [day, time] = isoTime(moment.getTime())?.split('T') ?? [];
	if (day === undefined || time === '00:00:00.000Z') return day;
	const parts = new Intl.DateTimeFormat('en', {
		timeZone,
		year: 'numeric',
		month: '2-digit',
		day: '2-digit',
	}).formatToParts(moment);
	return ['year', 'month', 'day'].map((type) => parts.find((part) => part.type === type)?.value).join('-');
}
