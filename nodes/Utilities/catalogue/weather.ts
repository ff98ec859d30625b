import { USUAL_ENCODINGS, type UtilityEntry, type UtilityParameter } from './utility';

const CITY: UtilityParameter = {
	key: 'query',
	label: 'City',
	type: 'text',
	identifier: true,
	upfront: true,
	placeholder: 'e.g. 上海',
	description:
		'Name of the city or region, preferably as the gateway writes it (usually in Chinese). Leave empty for the default city of the gateway.',
};

/** Weather endpoints. */
export const weather: UtilityEntry[] = [
	{
		value: 'currentWeather',
		name: 'Current Weather',
		action: 'Get current weather',
		description: 'Current weather, air quality, and advice for a city',
		chinese: '实时天气',
		searchWords: ['weather', 'temperature', 'air quality', '天气'],
		path: '/v2/apis/weather',
		encodings: USUAL_ENCODINGS,
		parameters: [CITY],
	},
	{
		value: 'weatherForecast',
		name: 'Forecast',
		action: 'Get weather forecast',
		description: 'Weather for the next hours and for up to eight days',
		chinese: '天气预报',
		searchWords: ['weather forecast', 'meteo'],
		path: '/v2/apis/weather/forecast',
		encodings: USUAL_ENCODINGS,
		list: 'daily_forecast',
		parameters: [
			CITY,
			{
				key: 'days',
				label: 'Days',
				type: 'number',
				min: 1,
				max: 8,
				default: 7,
				description: 'Number of days to forecast',
			},
		],
	},
];
