import type { City } from './data/cities';
import { Dice } from './random';
import { dayOfYear, stamps, timeAt } from './time';

const conditions: ReadonlyArray<{ name: string; code: string; wet: boolean }> = [
	{ name: '晴', code: '00', wet: false },
	{ name: '多云', code: '01', wet: false },
	{ name: '阴', code: '02', wet: false },
	{ name: '阵雨', code: '03', wet: true },
	{ name: '小雨', code: '07', wet: true },
	{ name: '中雨', code: '08', wet: true },
];
const winds = ['北风', '东北风', '东风', '东南风', '南风', '西南风', '西风', '西北风'];
const airGrades: ReadonlyArray<[limit: number, name: string]> = [
	[50, '优'],
	[100, '良'],
	[150, '轻度污染'],
	[200, '中度污染'],
	[300, '重度污染'],
	[500, '严重污染'],
];

/** Level (1 to 6) and Chinese name of an air quality index. */
export function airGrade(aqi: number): { level: number; quality: string } {
	const index = airGrades.findIndex(([limit]) => aqi <= limit);
	const level = index < 0 ? airGrades.length : index + 1;
	return { level, quality: airGrades[level - 1][1] };
}

/** The weather of a place on a date; the same for all endpoints and hours. */
export function dayWeather(city: City, date: string) {
	const dice = new Dice('weather', city.city, city.county, date);
	// The warmest days are around July 20, day 201.
	const season = Math.cos(((dayOfYear(date) - 201) / 365) * 2 * Math.PI);
	const mean = city.mean + city.swing * season + dice.decimal(-3, 3, 1);
	const spread = dice.decimal(3, 6, 1);
	return {
		low: Math.round(mean - spread),
		high: Math.round(mean + spread),
		day: dice.pick(conditions),
		night: dice.pick(conditions),
		dayWind: dice.pick(winds),
		nightWind: dice.pick(winds),
		dayWindPower: `${dice.integer(1, 5)}`,
		nightWindPower: `${dice.integer(1, 3)}`,
		aqi: dice.integer(18, 168),
		humidity: dice.integer(28, 92),
		pressure: Math.round(1013 - season * 9 + dice.decimal(-4, 4, 1)),
	};
}

/** Temperature in °C at an hour (0 to 23): lowest at 5 a.m., highest at 5 p.m. */
export function hourTemperature({ low, high }: { low: number; high: number }, hour: number): number {
	return Math.round((low + high) / 2 - ((high - low) / 2) * Math.cos(((hour - 5) / 24) * 2 * Math.PI));
}

function clock(hours: number): string {
	const minutes = Math.round(hours * 60);
	return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
}

/** Sunrise and sunset of a place on a date in Chinese time: each readable, as 13-digit ms and as `HH:mm`. */
export function sunTimes({ latitude, longitude }: City, date: string) {
	const radians = Math.PI / 180;
	const declination = -23.44 * Math.cos(((dayOfYear(date) + 10) / 365) * 2 * Math.PI) * radians;
	// -0.833° accounts for the sun's radius and atmospheric refraction.
	const cosine =
		(Math.sin(-0.833 * radians) - Math.sin(latitude * radians) * Math.sin(declination)) /
		(Math.cos(latitude * radians) * Math.cos(declination));
	const halfDay = Math.acos(Math.min(Math.max(cosine, -1), 1)) / radians / 15;
	// Equation of time in minutes: over the year, the sun runs up to a quarter of an hour fast or slow.
	const angle = ((dayOfYear(date) - 81) / 364) * 2 * Math.PI;
	const fast = 9.87 * Math.sin(2 * angle) - 7.53 * Math.cos(angle) - 1.5 * Math.sin(angle);
	const noon = 12 + (120 - longitude) / 15 - fast / 60;
	const sunrise = clock(noon - halfDay);
	const sunset = clock(noon + halfDay);
	return {
		...stamps('sunrise', timeAt(date, `${sunrise}:00`)),
		sunrise_desc: sunrise,
		...stamps('sunset', timeAt(date, `${sunset}:00`)),
		sunset_desc: sunset,
	};
}
