import { type UtilityEntry } from './utility';

/** Box office endpoints. */
export const boxOffice: UtilityEntry[] = [
	{
		value: 'boxOfficeAllTime',
		name: 'All-Time Movies',
		action: 'Get many all-time box office movies',
		description: 'Movies with the highest box office revenue of all time',
		path: '/v2/apis/boxoffice/all/movie',
		output: {
			lists: {
				list: ['rank', 'movie_name', 'release_year', 'box_office', 'box_office_desc', '^update_time_at'],
			},
			numbers: ['release_year'],
		},
	},
	{
		value: 'boxOfficeMovies',
		name: 'Movies Today',
		action: 'Get many movies in box office today',
		description: 'Revenue, showings, and admissions of movies, in real time',
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
		value: 'boxOfficeTv',
		name: 'TV Today',
		action: 'Get many TV ratings today',
		description: 'Ratings of television programs, in real time',
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
		action: 'Get many web series ratings today',
		description: 'Popularity of web series, in real time',
		path: '/v2/apis/boxoffice/realtime/web',
		output: {
			lists: {
				list: ['series_name', 'platform_desc', 'release_info', 'curr_heat', 'bar_value', '^updated_at'],
			},
		},
	},
];
