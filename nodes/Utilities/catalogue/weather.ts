import { USUAL_ENCODINGS, type Utility, type UtilityParameter } from './utility';

const CITY: UtilityParameter = {
	key: 'query',
	label: 'City',
	type: 'text',
	upfront: true,
	placeholder: 'e.g. 上海',
	description:
		'Name of the city or region, best as the gateway writes it (usually in Chinese). Leave empty for the default city of the gateway.',
};

/** Weather endpoints. */
export const weather: Utility[] = [
	{
		value: 'currentWeather',
		group: 'weather',
		name: 'Current Weather',
		action: 'Get current weather',
		description: 'Weather, air quality and advice for a city now',
		chinese: '实时天气',
		searchWords: ['weather', 'temperature', 'air quality', '天气'],
		path: '/v2/apis/weather',
		encodings: USUAL_ENCODINGS,
		parameters: [CITY],
	},
	{
		value: 'weatherForecast',
		group: 'weather',
		name: 'Forecast',
		action: 'Get weather forecast',
		description: 'Weather of the next hours and of up to eight days',
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
				description: 'How many days to forecast, at most 8',
			},
		],
	},
];
