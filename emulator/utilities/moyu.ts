import { daysBetween, holidaysAround, solarDay } from './calendar';
import type { Call } from './endpoint';
import { Dice } from './random';
import { type Answer, Crash, describe } from './reply';
import { addDays, dayOfYear, isDate, weekdayOf } from './time';

const quotes = [
	'工作再忙，也别忘了喝水。',
	'认真上班是本分，偶尔发呆是天分。',
	'今天的活明天也在，今天的晚霞只有今天。',
	'把会议开短，把日子过长。',
	'休息是为了走更长的路，也是为了休息。',
	'站起来走一走，灵感可能在茶水间。',
];

function lunarFacts(date: string) {
	const lunar = solarDay(date).getLunarDay();
	const month = lunar.getLunarMonth();
	const year = month.getLunarYear();
	return {
		year: year.getYear(),
		month: Math.abs(month.getMonth()),
		day: lunar.getDay(),
		yearCN: [...String(year.getYear())].map((digit) => '零一二三四五六七八九'[Number(digit)]).join(''),
		monthCN: month.getName(),
		dayCN: lunar.getName(),
		isLeapMonth: month.isLeap(),
		yearGanZhi: year.getSixtyCycle().getName(),
		monthGanZhi: lunar.getMonthSixtyCycle().getName(),
		dayGanZhi: lunar.getSixtyCycle().getName(),
		zodiac: year.getSixtyCycle().getEarthBranch().getZodiac().getName(),
	};
}

function progress(passed: number, total: number) {
	return { passed, total, remaining: total - passed, percentage: Math.round((passed / total) * 100) };
}

function daysOfMonth(date: string): number {
	const [year = 0, month = 0] = date.split('-').map(Number);
	return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

function calendarPage(date: string) {
	const dayOfWeek = new Date(`${date}T00:00:00Z`).getUTCDay();
	const isWeekend = dayOfWeek === 0 || dayOfWeek === 6;
	// Weeks begin on Monday.
	const dayInWeek = dayOfWeek === 0 ? 7 : dayOfWeek;
	const { current, next } = holidaysAround(date);
	const dayOfHoliday = current ? daysBetween(current.start, date) + 1 : 0;
	const untilSaturday = dayInWeek === 7 ? 6 : (6 - dayInWeek + 7) % 7;
	const saturday = addDays(date, untilSaturday);
	const yearDays = dayOfYear(`${date.slice(0, 4)}-12-31`);
	const monthDays = daysOfMonth(date);
	const day = Number(date.slice(8));
	const solar = solarDay(date);
	const term = solar.getTermDay();
	const festival = solar.getLunarDay().getFestival()?.getName();
	return {
		date: { gregorian: date, weekday: weekdayOf(date), dayOfWeek, lunar: lunarFacts(date) },
		today: {
			isWeekend,
			isHoliday: current !== undefined,
			isWorkday: !isWeekend && current === undefined,
			holidayName: current?.name ?? null,
			solarTerm: term.getDayIndex() === 0 ? term.getName() : null,
			lunarFestivals: festival === undefined ? [] : [festival],
		},
		progress: {
			week: progress(dayInWeek, 7),
			month: progress(day, monthDays),
			year: progress(dayOfYear(date), yearDays),
		},
		currentHoliday: current
			? {
					name: current.name,
					dayOfHoliday,
					// Includes today.
					daysRemaining: current.duration - dayOfHoliday + 1,
					totalDays: current.duration,
				}
			: null,
		nextHoliday: {
			name: next.name,
			date: next.start,
			until: daysBetween(date, next.start),
			duration: next.duration,
			workdays: [] as string[],
		},
		nextWeekend: { date: saturday, weekday: weekdayOf(saturday), daysUntil: untilSaturday },
		countdown: {
			toWeekEnd: 7 - dayInWeek,
			toFriday: (5 - dayOfWeek + 7) % 7,
			toMonthEnd: monthDays - day,
			toYearEnd: yearDays - dayOfYear(date),
		},
		moyuQuote: new Dice('moyu', date).pick(quotes),
	};
}

/** A page of the break calendar: lunar date, holidays, and the rest of the week, month and year. */
export function breakCalendar({ parameters, today }: Call): Answer {
	const date = parameters.text('date', today);
	if (!isDate(date)) throw new Crash('unsupported type string, expected type is Date or Dayjs');
	const data = calendarPage(date);
	const { lunar } = data.date;
	const { currentHoliday: current, nextHoliday: next, countdown } = data;
	const holiday = current
		? `您正处于【${current.name}】假期中：第 ${current.dayOfHoliday} 天，还剩 ${current.daysRemaining} 天（含今天）`
		: data.today.isWorkday
			? '今天是工作日'
			: '今天是周末';
	const outlook = [
		`距离【${next.name}】还有 ${next.until} 天`,
		`距离周末还有 ${data.nextWeekend.daysUntil} 天`,
		`本月还剩 ${countdown.toMonthEnd} 天`,
		`今年还剩 ${countdown.toYearEnd} 天`,
	];
	return describe(
		data,
		() =>
			`摸鱼办·打工人日历\n\n${date} ${data.date.weekday}\n农历 ${lunar.yearCN}年 ${lunar.monthCN}${lunar.dayCN}\n` +
			`${lunar.zodiac}年 ${lunar.yearGanZhi}\n\n${holiday}\n\n${outlook.join('\n')}\n\n${data.moyuQuote}`,
		() =>
			`# 摸鱼办·打工人日历\n\n## 今日信息\n\n- **公历**: ${date} ${data.date.weekday}\n` +
			`- **农历**: ${lunar.yearCN}年 ${lunar.monthCN}${lunar.dayCN}\n- **干支**: ${lunar.zodiac}年 ${lunar.yearGanZhi}\n` +
			`- **月柱**: ${lunar.monthGanZhi}\n- **日柱**: ${lunar.dayGanZhi}\n\n> ${holiday}\n\n## 倒计时\n\n` +
			`${outlook.map((line) => `- ${line}`).join('\n')}\n\n*${data.moyuQuote}*`,
	);
}
