import { type OutputField, text, type UtilityEntry, type UtilityParameter } from './utility';
import { numberField } from '../../shared/fields/field';

const CITY: UtilityParameter = text(
	'query',
	'City',
	'e.g. 上海',
	'Name of the city or region. Many gateways know only places in China, by their names in Chinese characters. If empty, the gateway chooses the city.',
	{ upfront: 'telling', otherNames: ['city', 'province'] },
);

/** Comparable services have the data of China's weather service (vikiboss/60s, issue 25). */
const elsewhere =
	'Most gateways know only places in China. For any other place, use the OpenWeatherMap node of n8n.';

const PLACE: OutputField = ['location', '^location.name'];

export const weather: UtilityEntry[] = [
	{
		value: 'currentWeather',
		name: 'Current Weather',
		action: 'get current weather',
		description: 'Current weather, air quality, and advice for a city, in Chinese',
		searchWords: ['weather', 'temperature', 'air quality', '天气', '实时天气'],
		path: '/v2/apis/weather',
		elsewhere,
		output: {
			fields: [
				['location', 'location.name'],
				'weather.condition',
				'weather.temperature',
				'weather.humidity',
				'weather.precipitation',
				'weather.wind_power',
				'air_quality.quality',
				['alerts', 'alerts.detail'],
				['advice', 'life_indices.description'],
				'weather.updated',
			],
			lists: {
				life_indices: ['name', 'level', 'description', PLACE, ['updated_at', '^weather.updated_at']],
				alerts: ['type', 'level', 'detail', PLACE, 'updated_at'],
			},
			lines: ['alerts', 'advice'],
		},
		parameters: [CITY],
	},
	{
		value: 'weatherForecast',
		name: 'Forecast',
		action: 'get weather forecast',
		description: 'Weather of a city for the next hours and up to eight days, in Chinese',
		searchWords: ['weather forecast', 'meteo', '天气预报'],
		path: '/v2/apis/weather/forecast',
		elsewhere,
		output: {
			lists: {
				daily_forecast: [
					PLACE,
					'date',
					'day_condition',
					'night_condition',
					'max_temperature',
					'min_temperature',
					'day_wind_direction',
					'day_wind_power',
					'aqi',
					'air_quality',
				],
				hourly_forecast: [PLACE, 'datetime', 'condition', 'temperature', 'wind_direction', 'wind_power'],
				sunrise_sunset: [PLACE, 'sunrise_at', 'sunset_at'],
			},
		},
		parameters: [
			CITY,
			numberField('Days', 'days', 7, 'Number of days to forecast', {
				typeOptions: { minValue: 1, maxValue: 8, numberPrecision: 0 },
			}),
		],
	},
];
