import { isoTime } from '../shared/plain/values';

/** Milliseconds since the epoch as spreadsheets write them, for any day between 2001 and 2286. */
const MILLISECONDS = /^\d{13}$/;

/** A day, possibly with a time as it is read off a clock. */
const DAY = /^(\d{4}-\d{2}-\d{2})([T ]\d{1,2}:\d{2}.*)?$/i;

/**
 * The calendar day that a value means, as YYYY-MM-DD.
 *
 * The day of a text is used as it is: neither its time nor the offset of its clock shifts it. A moment, which is a `Date`,
 * a count of milliseconds, or a text in UTC (ending in `Z`), falls on a day of the workflow's time zone. Midnight in UTC is
 * no moment but a day without a time: that is how databases and JSON write one.
 *
 * @returns undefined for anything that is not a date, and for a day that does not exist
 */
export function dayOf(value: unknown, timeZone: string): string | undefined {
	if (value instanceof Date) return dayOfMoment(value, timeZone);
	const text = String(value).trim();
	if (MILLISECONDS.test(text)) return dayOfMoment(new Date(Number(text)), timeZone);
	const [, day, time = ''] = DAY.exec(text) ?? [];
	if (day === undefined || isoTime(Date.parse(`${day}T00:00Z`))?.startsWith(day) !== true) return undefined;
	return /z$/i.test(time) ? dayOfMoment(new Date(text), timeZone) : day;
}

function dayOfMoment(moment: Date, timeZone: string): string | undefined {
	const [day, time] = isoTime(moment.getTime())?.split('T') ?? [];
	if (day === undefined || time === '00:00:00.000Z') return day;
	// Swedish dates are written like this.
	return moment.toLocaleDateString('sv', { timeZone });
}
