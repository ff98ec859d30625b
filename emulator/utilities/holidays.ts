import { solarDay } from './lunarDate';
import { addDays, dayInMs, timeAt } from './time';

/** A public holiday: its name, first day and length in days. */
export interface Holiday {
	name: string;
	start: string;
	duration: number;
}

/** When a holiday is, as a test of a day; `daysBefore` is how long before that day it begins. */
const rules: ReadonlyArray<{
	name: string;
	duration: number;
	daysBefore?: number;
	isDay: (date: string) => boolean;
}> = [
	{ name: '元旦', duration: 3, isDay: (date) => date.endsWith('-01-01') },
	{ name: '春节', duration: 8, daysBefore: 1, isDay: isLunar(1, 1) },
	{
		name: '清明节',
		duration: 3,
		isDay: (date) => {
			const term = solarDay(date).getTermDay();
			return term.getName() === '清明' && term.getDayIndex() === 0;
		},
	},
	{ name: '劳动节', duration: 5, isDay: (date) => date.endsWith('-05-01') },
	{ name: '端午节', duration: 3, isDay: isLunar(5, 5) },
	{ name: '中秋节', duration: 3, isDay: isLunar(8, 15) },
	{ name: '国庆节', duration: 7, isDay: (date) => date.endsWith('-10-01') },
];

function isLunar(month: number, day: number): (date: string) => boolean {
	return (date) => {
		const lunar = solarDay(date).getLunarDay();
		return lunar.getMonth() === month && lunar.getDay() === day;
	};
}

/** Days from one day to another. */
export function daysBetween(from: string, to: string): number {
	return Math.round((timeAt(to) - timeAt(from)) / dayInMs);
}

/** Holidays that touch a day or begin within a year after it, in order; their lengths are those of an ordinary year. */
export function holidaysFrom(date: string): Holiday[] {
	const longest = 10;
	return Array.from({ length: 366 + 2 * longest }, (_, index) => addDays(date, index - longest))
		.flatMap((day) =>
			rules
				.filter(({ isDay }) => isDay(day))
				.map(({ name, duration, daysBefore = 0 }) => ({ name, start: addDays(day, -daysBefore), duration })),
		)
		.filter(({ start, duration }) => addDays(start, duration - 1) >= date);
}
