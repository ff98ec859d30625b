import { SolarDay } from 'tyme4ts';

/** The day as the calendar library knows it. @param date `YYYY-MM-DD` */
export function solarDay(date: string): SolarDay {
	const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
	return SolarDay.fromYmd(year, month, day);
}

/** The lunar date of a day, for example `丙午年七月初十`. @param date `YYYY-MM-DD` */
export function lunarDate(date: string): string {
	return solarDay(date).getLunarDay().toString().replace('农历', '');
}
