import { LINK, rows, type UtilityEntry } from './utility';
import { pickerField } from '../../shared/fields/picker';

const OUTPUT = rows(
	'rank',
	'title',
	'rating',
	'rating_count',
	'trend',
	'rank_change',
	'description',
	'cover',
	// Other sites may not show the cover itself.
	'cover_proxy',
	LINK,
);

function weekly(value: string, name: string, what: string, chart: string): UtilityEntry {
	return {
		value,
		name,
		action: `get many best ${what} of the week`,
		description: `Best ${what} of the week by their reviews, in Chinese`,
		path: `/v2/apis/reviews/weekly/${chart}`,
		output: OUTPUT,
	};
}

export const reviews: UtilityEntry[] = [
	weekly('reviewsMovies', 'Movies', 'movies', 'movie'),
	weekly('reviewsTvGlobal', 'Global TV Series', 'global TV series', 'tv_global'),
	weekly('reviewsTvChinese', 'Chinese TV Series', 'Chinese TV series', 'tv_chinese'),
	weekly('reviewsShowGlobal', 'Global Shows', 'global shows', 'show_global'),
	weekly('reviewsShowChinese', 'Chinese Shows', 'Chinese shows', 'show_chinese'),
];

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

export const musicCharts: UtilityEntry[] = [
	{
		value: 'musicChart',
		name: 'Chart',
		action: 'get many tracks of music chart',
		description: 'The tracks of a music chart, with artists and albums, in Chinese',
		path: '/v2/apis/music-rank/{id}',
		output: rows(
			'rank',
			'title',
			['artists', 'artist.name'],
			['album', 'album.name'],
			'duration_desc',
			'album.published_at',
			'rank_name',
			'album.cover',
			LINK,
		),
		parameters: [
			pickerField({
				displayName: 'Chart',
				name: 'id',
				description: 'The chart to list. The list contains the charts of the gateway.',
				searchListMethod: 'searchMusicCharts',
				defaultValue: '',
				placeholder: 'e.g. 3778678',
			}),
		],
	},
	{
		value: 'musicCharts',
		name: 'List Charts',
		action: 'get many music charts',
		description: 'The music charts that the gateway has, with their IDs, and names in Chinese',
		path: '/v2/apis/music-rank/list',
		output: rows('id', 'name', 'description', 'update_frequency', 'updated_at', 'created_at', 'cover', LINK),
	},
];
