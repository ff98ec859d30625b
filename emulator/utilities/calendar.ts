import { LunarDay, SolarDay, SolarTerm } from 'tyme4ts';
import { addDays, dayInMs, timeAt } from './time';

/** A date as an object of the calendar library. @param date `YYYY-MM-DD` */
export function solarDay(date: string): SolarDay {
	const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
	return SolarDay.fromYmd(year, month, day);
}

/** The lunar date of a date, for example `丙午年七月初十`. @param date `YYYY-MM-DD` */
export function lunarDate(date: string): string {
	return solarDay(date).getLunarDay().toString().replace('农历', '');
}

/** A public holiday: its name, first day and length in days. */
export interface Holiday {
	name: string;
	start: string;
	duration: number;
}

function textOf(day: SolarDay): string {
	const twoDigits = (value: number) => String(value).padStart(2, '0');
	return `${day.getYear()}-${twoDigits(day.getMonth())}-${twoDigits(day.getDay())}`;
}

const lunar = (year: number, month: number, day: number) =>
	textOf(LunarDay.fromYmd(year, month, day).getSolarDay());

/** The holidays that begin in a year, in order, with their usual lengths. */
function holidaysOf(year: number): Holiday[] {
	const tombSweeping = textOf(SolarTerm.fromName(year, '清明').getJulianDay().getSolarDay());
	return [
		{ name: '元旦', start: `${year}-01-01`, duration: 3 },
		// New Year's Eve is the first day off.
		{ name: '春节', start: addDays(lunar(year, 1, 1), -1), duration: 8 },
		{ name: '清明节', start: tombSweeping, duration: 3 },
		{ name: '劳动节', start: `${year}-05-01`, duration: 5 },
		{ name: '端午节', start: lunar(year, 5, 5), duration: 3 },
		{ name: '中秋节', start: lunar(year, 8, 15), duration: 3 },
		{ name: '国庆节', start: `${year}-10-01`, duration: 7 },
	].sort((one, other) => (one.start < other.start ? -1 : 1));
}

/** Number of days from one date to another. */
export function daysBetween(from: string, to: string): number {
	return Math.round((timeAt(to) - timeAt(from)) / dayInMs);
}

/** The holiday on a date, if any, and the next holiday that begins after the date. */
export function holidaysAround(date: string): { current?: Holiday; next: Holiday } {
	const year = Number(date.slice(0, 4));
	const holidays = [...holidaysOf(year), ...holidaysOf(year + 1)];
	return {
		current: holidays.findLast(({ start, duration }) => start <= date && date < addDays(start, duration)),
		next: holidays.find(({ start }) => start > date)!,
	};
}
