import { type UtilityEntry } from './utility';

export const boxOffice: UtilityEntry[] = [
	{
		value: 'boxOfficeMovies',
		name: 'Movies Today',
		action: 'get many movies of the day',
		description: 'Revenue, showings, and admissions of movies in China today, in Chinese',
		path: '/v2/apis/boxoffice/realtime/movie',
		output: {
			lists: {
				list: [
					'movie_name',
					'release_info',
					'box_office',
					'box_office_unit',
					'box_office_rate',
					'sum_box_desc',
					'show_count',
					'avg_show_view',
					'^updated_at',
				],
			},
			numbers: ['box_office', 'avg_show_view'],
		},
	},
	{
		value: 'boxOfficeAllTime',
		name: 'All-Time Movies',
		action: 'get many movies of all time',
		description: 'Movies with the highest revenue of all time in China, in Chinese',
		path: '/v2/apis/boxoffice/all/movie',
		output: {
			lists: {
				list: ['rank', 'movie_name', 'release_year', 'box_office', 'box_office_desc', '^update_time_at'],
			},
			numbers: ['release_year'],
		},
	},
	{
		value: 'boxOfficeTv',
		name: 'TV Today',
		action: 'get many TV ratings of the day',
		description: 'Ratings of television programs in China today, in Chinese',
		path: '/v2/apis/boxoffice/realtime/tv',
		output: {
			lists: {
				list: [
					'programme_name',
					'channel_name',
					'market_rate',
					'market_rate_desc',
					'attention_rate',
					'attention_rate_desc',
					'^updated_at',
				],
			},
		},
	},
	{
		value: 'boxOfficeWebSeries',
		name: 'Web Series Today',
		action: 'get many web series ratings of the day',
		description: 'Popularity of web series in China today, in Chinese',
		path: '/v2/apis/boxoffice/realtime/web',
		output: {
			lists: {
				list: ['series_name', 'platform_desc', 'release_info', 'curr_heat', 'bar_value', '^updated_at'],
			},
		},
	},
];
