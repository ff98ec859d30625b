import type { IDataObject } from 'n8n-workflow';
import { answerFailure } from '../shared/failure/words';
import type { GatewayFailure } from '../shared/failure/failure';
import type { Call } from '../shared/run/call';
import { textOr } from '../shared/plain/values';
import type { QueryPairs } from './fields';
import { valueAt } from './items';
import { dayOf } from './parameter';
import type { UtilityContent } from './readUtility';

/** A day as services write it: 2026-08-21, 2026/8/21, 2026年8月21日, 8月21日, and by itself or in brackets, 08-21. */
const WRITTEN =
	/(?<!\d)(\d{4})[-/年.](\d{1,2})[-/月.](\d{1,2})(?!\d)|(?<!\d)(\d{1,2})月(\d{1,2})日|(?:^|[(（])(\d{1,2})-(\d{1,2})(?:[)）]|$)/;
const BEGINNING = 200;
const FIRST_ENTRY = /^[ \t]{0,9}1[.、]/m;

/** Reads the first day in a text as YYYY-MM-DD. @param near the day to which one without a year is closest */
export function dayIn(text: string, near: string): string | undefined {
	const [, year, ...numbers] = WRITTEN.exec(text) ?? [];
	const [month, day] = numbers.filter((number) => number !== undefined);
	if (day === undefined) return undefined;
	const thisYear = Number(near.slice(0, 4));
	const years = year ? [year] : [thisYear, thisYear - 1, thisYear + 1].map(String);
	const rest = `${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
	const days = years.flatMap((one) => dayOf(`${one}-${rest}`, 'UTC') ?? []);
	const distance = (one: string) => Math.abs(Date.parse(one) - Date.parse(near));
	return days.sort((one, other) => distance(one) - distance(other))[0];
}

/** Returns the day that a response is about. Texts name it before their first entry, and images in their address. */
export function dayOfContent(
	call: Call,
	content: UtilityContent,
	{ path, query, url }: { path: string; query: QueryPairs; url: string },
): string | undefined {
	const near = askedDay(call, query) ?? todayOf(call);
	switch (content.kind) {
		case 'json':
			return dayIn(textOr(valueAt(path, { own: content.data, around: undefined })), near);
		case 'text':
			return dayIn(content.text.split(FIRST_ENTRY, 1)[0].slice(0, BEGINNING), near);
		default:
			// The query of a request names the day that was asked for, whatever the image shows.
			return dayIn(url.split('?', 1)[0], near);
	}
}

function todayOf({ client, context }: Call): string {
	return new Date(client.clock.date()).toLocaleDateString('sv', { timeZone: context.getTimezone() });
}

function askedDay(call: Call, query: QueryPairs): string | undefined {
	return dayIn(query.find(([name]) => name === 'date')?.[1] ?? '', todayOf(call));
}

/** Adds the day of the response to a simplified item, unless the entry has another day. */
export function withDay(item: IDataObject, day: string | undefined): IDataObject {
	return day === undefined ? item : { ...item, date: dayIn(textOr(item.date), day) ?? day };
}

/**
 * Compares the day of an answer with the requested one, because services send the day before, with status 200, until a
 * new issue is there (vikiboss/60s, issues 6, 15, and 81). @returns the failure of an answer of another day
 */
export function otherDay(call: Call, day: string | undefined, query: QueryPairs): GatewayFailure | undefined {
	const [asked, today] = [askedDay(call, query), todayOf(call)];
	if (day === undefined || day === (asked ?? today)) return undefined;
	if (asked === undefined) {
		call.hint(`The response is of ${day}, not of today (${today} in the time zone of the workflow)`);
		return undefined;
	}
	const advice = 'The gateway may have nothing for this day yet: run the item again later, or without Date.';
	return answerFailure(`it is of ${day} instead of ${asked}`).saying({ advice });
}
