/** A day in milliseconds. */
export const dayInMs = 86_400_000;

// The service uses Chinese time: UTC+8, without daylight saving time.
const zoneOffsetInMs = 8 * 3_600_000;

/** Date (`YYYY-MM-DD`) in China at a time in ms. */
export function dateOf(time: number): string {
	return new Date(time + zoneOffsetInMs).toISOString().slice(0, 10);
}

/** Time in ms (13 digits) of a date (`YYYY-MM-DD`) and a time of day (`HH:mm:ss`) in China. */
export function timeAt(date: string, clock = '00:00:00'): number {
	return Date.parse(`${date}T${clock}Z`) - zoneOffsetInMs;
}

/** Date and time (`YYYY-MM-DD HH:mm:ss`) in China at a time in ms. */
export function readable(time: number): string {
	return new Date(time + zoneOffsetInMs).toISOString().slice(0, 19).replace('T', ' ');
}

/** The readable and the 13-digit form of a time, under the endpoints' field names: `updated` and `updated_at`. */
export function stamps<Name extends string>(
	name: Name,
	time: number,
): Record<Name, string> & Record<`${Name}_at`, number> {
	return { [name]: readable(time), [`${name}_at`]: time } as Record<Name, string> &
		Record<`${Name}_at`, number>;
}

/** Whether a text is a valid date in the form `YYYY-MM-DD`. */
export function isDate(text: string): boolean {
	if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
	const time = Date.parse(`${text}T00:00:00Z`);
	return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** The date a number of days later; a negative number counts back. */
export function addDays(date: string, days: number): string {
	return dateOf(timeAt(date) + days * dayInMs);
}

/** The weekday in Chinese, from 星期日 to 星期六. */
export function weekdayOf(date: string): string {
	return `星期${'日一二三四五六'[new Date(`${date}T00:00:00Z`).getUTCDay()]}`;
}

/** Day of the year, 1 for January 1. */
export function dayOfYear(date: string): number {
	return (timeAt(date) - timeAt(`${date.slice(0, 4)}-01-01`)) / dayInMs + 1;
}
