import { airGrade, dayWeather, hourTemperature, sunTimes } from './climate';
import { type City, findCity, rankedCities } from './data/cities';
import type { Call, Endpoint } from './endpoint';
import { Dice } from './random';
import { type Answer, describe, Refusal } from './reply';
import { addDays, stamps, timeAt } from './time';
import { numbered, table } from './wording';

const forecastHours = 48;
const maxForecastDays = 8;

/** An unknown place is HTTP 200 with an error code, the success message, and JSON in every encoding (observed). */
function placeOf({ parameters }: Call): City {
	const query = parameters.text('query', parameters.text('city', parameters.text('province', '北京')));
	const city = findCity(query);
	if (!city) {
		throw new Refusal(200, 404, undefined, { error: `未找到城市: ${query}。请检查城市名称拼写是否正确` });
	}
	return city;
}

function location({ province, city, county }: City) {
	// A municipality is its own province.
	const name = `${province === city ? '' : province}${city}${county}`.replace(/省|市/g, '');
	return { name, province, city, county };
}

function airQuality(city: City, date: string) {
	const { aqi } = dayWeather(city, date);
	const dice = new Dice('air', city.city, date);
	return {
		aqi,
		...airGrade(aqi),
		pm25: Math.round(aqi * 0.6),
		pm10: Math.round(aqi * 0.9),
		co: dice.decimal(0.3, 1.4, 1),
		no2: dice.integer(8, 58),
		o3: dice.integer(30, 160),
		so2: dice.integer(3, 16),
		rank: Math.min(Math.round((aqi / 170) * rankedCities) + 1, rankedCities),
		total_cities: rankedCities,
		...stamps('updated', timeAt(date)),
	};
}

function lifeIndices(high: number, wet: boolean, aqi: number) {
	const index = (key: string, name: string, good: boolean, yes: [string, string], no: [string, string]) => {
		const [level, description] = good ? yes : no;
		return { key, name, level, description };
	};
	return [
		index(
			'clothes',
			'穿衣',
			high >= 22,
			['舒适', '建议穿短袖、薄外套等夏季服装。'],
			['较冷', '建议穿毛衣、外套等保暖衣物。'],
		),
		index('umbrella', '雨伞', wet, ['带伞', '有降水，出门请带伞。'], ['不带伞', '无降水，不必带伞。']),
		index('sports', '运动', !wet && aqi <= 100, ['适宜', '适合户外运动。'], ['较不宜', '建议在室内运动。']),
		index('carwash', '洗车', !wet, ['适宜', '未来一天无雨，适合洗车。'], ['不宜', '有雨，不建议洗车。']),
		index(
			'ultraviolet',
			'紫外线',
			high >= 28 && !wet,
			['强', '外出请涂防晒霜并戴帽。'],
			['弱', '无需特别防护。'],
		),
	];
}

function alerts({ province, city, county }: City, high: number, date: string) {
	const notices: Array<[applies: boolean, type: string, level: string, code: string, detail: string]> = [
		[high >= 35, '高温', '黄色', '02', '最高气温将升至 35℃ 以上'],
		[high <= -10, '寒潮', '蓝色', '01', '最高气温将低于 -10℃'],
	];
	return notices
		.filter(([applies]) => applies)
		.map(([, type, level, level_code, detail]) => ({
			type,
			level,
			level_code,
			province,
			city,
			county,
			detail: `${city}气象台发布${type}${level}预警：${detail}，请注意防范。`,
			...stamps('updated', timeAt(date)),
		}));
}

function currentWeather(call: Call): Answer {
	const city = placeOf(call);
	const weather = dayWeather(city, call.today);
	const { day } = weather;
	const data = {
		location: location(city),
		weather: {
			condition: day.name,
			condition_code: day.code,
			temperature: hourTemperature(weather, 12),
			humidity: weather.humidity,
			pressure: weather.pressure,
			precipitation: day.wet ? new Dice('rain', city.city, call.today).decimal(0.2, 18, 1) : 0,
			wind_direction: weather.dayWind,
			wind_power: weather.dayWindPower,
			weather_icon: call.fileUrl(`weather-${day.code}-64x64.png`),
			weather_colors: day.wet ? ['#6b7c93', '#9fb1c7'] : ['#3a8dde', '#9ad0f5'],
			...stamps('updated', timeAt(call.today)),
		},
		air_quality: airQuality(city, call.today),
		sunrise: sunTimes(city, call.today),
		life_indices: lifeIndices(weather.high, day.wet, weather.aqi),
		alerts: alerts(city, weather.high, call.today),
	};
	const { weather: now, air_quality: air, sunrise } = data;
	const facts: Array<[string, string]> = [
		['天气', now.condition],
		['温度', `${now.temperature}°C`],
		['湿度', `${now.humidity}%`],
		['风向', `${now.wind_direction} ${now.wind_power}级`],
		['气压', `${now.pressure}hPa`],
		['降水', `${now.precipitation}mm`],
		['空气质量', `${air.quality} (AQI ${air.aqi})`],
		['日出', sunrise.sunrise_desc],
		['日落', sunrise.sunset_desc],
	];
	return describe(
		data,
		() =>
			[
				`${data.location.name} 实时天气`,
				facts.map(([name, value]) => `${name}: ${value}`).join('\n'),
				data.life_indices.map((index) => `${index.name}: ${index.level}，${index.description}`).join('\n'),
				...data.alerts.map((alert) => alert.detail),
				`更新时间: ${now.updated}`,
			].join('\n\n'),
		() =>
			[
				`# ${data.location.name} 实时天气`,
				table(['项目', '数值'], facts),
				'## 生活指数',
				data.life_indices
					.map((index) => `- **${index.name}**: ${index.level}，${index.description}`)
					.join('\n'),
				...data.alerts.map((alert) => `> ${alert.detail}`),
				`*更新时间: ${now.updated}*`,
			].join('\n\n'),
	);
}

function hourly(city: City, today: string, icon: (code: string) => string) {
	return Array.from({ length: forecastHours }, (_, entry) => {
		const date = addDays(today, Math.floor(entry / 24));
		const hour = entry % 24;
		const weather = dayWeather(city, date);
		const isDay = hour >= 6 && hour < 18;
		const condition = isDay ? weather.day : weather.night;
		return {
			datetime: `${date} ${String(hour).padStart(2, '0')}:00`,
			temperature: hourTemperature(weather, hour),
			condition: condition.name,
			condition_code: condition.code,
			wind_direction: isDay ? weather.dayWind : weather.nightWind,
			wind_power: isDay ? weather.dayWindPower : weather.nightWindPower,
			weather_icon: icon(condition.code),
		};
	});
}

function daily(city: City, date: string, icon: (code: string) => string) {
	const weather = dayWeather(city, date);
	const { level, quality } = airGrade(weather.aqi);
	return {
		date,
		day_condition: weather.day.name,
		day_condition_code: weather.day.code,
		night_condition: weather.night.name,
		night_condition_code: weather.night.code,
		max_temperature: weather.high,
		min_temperature: weather.low,
		day_wind_direction: weather.dayWind,
		day_wind_power: weather.dayWindPower,
		night_wind_direction: weather.nightWind,
		night_wind_power: weather.nightWindPower,
		aqi: weather.aqi,
		aqi_level: level,
		air_quality: quality,
		day_weather_icon: icon(weather.day.code),
		night_weather_icon: icon(weather.night.code),
	};
}

/** `days` defaults to 7 and is never refused: more than 8 count as 8, and a value that is not positive returns no days. */
function forecast(call: Call): Answer {
	const city = placeOf(call);
	const asked = call.parameters.integer('days', 7);
	const count = asked > 0 ? Math.min(asked, maxForecastDays) : 0;
	const dates = Array.from({ length: count }, (_, index) => addDays(call.today, index));
	const icon = (code: string) => call.fileUrl(`weather-${code}-64x64.png`);
	const data = {
		location: location(city),
		hourly_forecast: hourly(city, call.today, icon),
		daily_forecast: dates.map((date) => daily(city, date, icon)),
		sunrise_sunset: dates.map((date) => sunTimes(city, date)),
	};
	const title = `${data.location.name} 天气预报`;
	return describe(
		data,
		() =>
			`${title}\n\n${numbered(
				data.daily_forecast.map(
					(day) =>
						`${day.date} ${day.day_condition}转${day.night_condition} ${day.min_temperature}°C ~ ${day.max_temperature}°C 空气${day.air_quality}`,
				),
			)}`,
		() =>
			`# ${title}\n\n${table(
				['日期', '白天', '夜间', '最低', '最高', '空气质量'],
				data.daily_forecast.map((day) => [
					day.date,
					day.day_condition,
					day.night_condition,
					`${day.min_temperature}°C`,
					`${day.max_temperature}°C`,
					day.air_quality,
				]),
			)}`,
	);
}

/** Group Weather: current weather and the daily and hourly forecast. */
export const weatherEndpoints: Endpoint[] = [
	{ path: '/weather', example: '/weather?query=上海', answer: currentWeather },
	{ path: '/weather/forecast', example: '/weather/forecast?query=上海&days=3', answer: forecast },
];
