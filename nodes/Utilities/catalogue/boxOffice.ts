import { encodingOnly, type UtilityEntry } from './utility';

/** Box office endpoints. */
export const boxOffice: UtilityEntry[] = encodingOnly([
	{
		value: 'boxOfficeAllTime',
		name: 'All-Time Movies',
		action: 'Get many all-time box office movies',
		description: 'Movies with the highest box office revenue of all time',
		chinese: '影史票房榜',
		searchWords: ['all-time box office'],
		path: '/v2/apis/boxoffice/all/movie',
		many: true,
		list: 'list',
	},
	{
		value: 'boxOfficeMovies',
		name: 'Movies Today',
		action: 'Get many movies in box office today',
		description: 'Revenue, showings, and admissions of movies, in real time',
		chinese: '电影实时票房',
		searchWords: ['box office', 'movie', 'cinema', '电影票房'],
		path: '/v2/apis/boxoffice/realtime/movie',
		many: true,
		list: 'list',
	},
	{
		value: 'boxOfficeTv',
		name: 'TV Today',
		action: 'Get many TV ratings today',
		description: 'Ratings of television programs, in real time',
		chinese: '电视收视排行',
		searchWords: ['TV ratings', 'television'],
		path: '/v2/apis/boxoffice/realtime/tv',
		many: true,
		list: 'list',
	},
	{
		value: 'boxOfficeWebSeries',
		name: 'Web Series Today',
		action: 'Get many web series ratings today',
		description: 'Popularity of web series, in real time',
		chinese: '网剧热度排行',
		searchWords: ['web series', 'streaming charts'],
		path: '/v2/apis/boxoffice/realtime/web',
		many: true,
		list: 'list',
	},
]);
