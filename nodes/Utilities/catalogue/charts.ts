import { LINK, rows, titled, type UtilityEntry } from './utility';
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
	// Only through this address may other sites show the cover.
	'cover_proxy',
	LINK,
);

function weekly(value: string, what: string, chart: string, searchWords: string[]): UtilityEntry {
	return {
		value,
		name: titled(what),
		comparableTo: 'Douban',
		action: `get many best ${what} of the week`,
		description: `Best ${what} of the week by their reviews, in Chinese`,
		searchWords,
		path: `/v2/apis/reviews/weekly/${chart}`,
		output: OUTPUT,
	};
}

export const reviews: UtilityEntry[] = [
	weekly('reviewsMovies', 'movies', 'movie', [
		'movie reviews',
		'best movies',
		'film ratings',
		'一周口碑电影榜',
	]),
	weekly('reviewsTvGlobal', 'global TV series', 'tv_global', ['TV series', '全球口碑剧集榜']),
	weekly('reviewsTvChinese', 'Chinese TV series', 'tv_chinese', ['Chinese series', '剧集', '华语口碑剧集榜']),
	weekly('reviewsShowGlobal', 'global shows', 'show_global', ['TV shows', '国外口碑综艺榜']),
	weekly('reviewsShowChinese', 'Chinese shows', 'show_chinese', ['variety shows', '综艺', '国内口碑综艺榜']),
];

export const boxOffice: UtilityEntry[] = [
	{
		value: 'boxOfficeMovies',
		name: 'Movies Today',
		comparableTo: 'Maoyan',
		action: 'get many box office movies of the day',
		description: 'Revenue, showings, and admissions of movies in China today, in Chinese',
		searchWords: ['maoyan', '猫眼', 'box office', 'movie', 'cinema', '电影票房', '电影实时票房'],
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
		action: 'get many box office movies of all time',
		description: 'Movies with the highest revenue of all time in China, in Chinese',
		searchWords: ['all-time box office', '影史票房榜'],
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
		searchWords: ['TV ratings', 'television', '电视收视排行'],
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
		searchWords: ['web series', 'streaming charts', '网剧热度排行'],
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
		comparableTo: 'NetEase Cloud Music',
		action: 'get many tracks of music chart',
		description: 'The tracks of a music chart, with artists and albums, in Chinese',
		searchWords: ['netease', '网易云音乐', 'music chart', 'hit songs', 'top songs', '音乐榜单', '音乐排行榜'],
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
				placeholder: 'e.g. 3778678',
			}),
		],
	},
	{
		value: 'musicCharts',
		name: 'List Charts',
		action: 'get many music charts',
		description: 'The music charts that the gateway has, with their IDs, and names in Chinese',
		searchWords: ['music charts', '音乐榜单列表'],
		path: '/v2/apis/music-rank/list',
		output: rows('id', 'name', 'description', 'update_frequency', 'updated_at', 'created_at', 'cover', LINK),
	},
];
