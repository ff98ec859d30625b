import { LINK, rows, type UtilityEntry } from './utility';

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

/** Endpoints of weekly review charts. */
export const reviews: UtilityEntry[] = [
	{
		value: 'reviewsShowChinese',
		name: 'Chinese Shows',
		action: 'Get many best Chinese shows of week',
		description: 'Chinese shows with the best reviews of the week',
		path: '/v2/apis/reviews/weekly/show_chinese',
		output: OUTPUT,
	},
	{
		value: 'reviewsTvChinese',
		name: 'Chinese TV Series',
		action: 'Get many best Chinese TV series of week',
		description: 'Chinese television series with the best reviews of the week',
		path: '/v2/apis/reviews/weekly/tv_chinese',
		output: OUTPUT,
	},
	{
		value: 'reviewsShowGlobal',
		name: 'Global Shows',
		action: 'Get many best global shows of week',
		description: 'Shows from other countries with the best reviews of the week',
		path: '/v2/apis/reviews/weekly/show_global',
		output: OUTPUT,
	},
	{
		value: 'reviewsTvGlobal',
		name: 'Global TV Series',
		action: 'Get many best global TV series of week',
		description: 'Television series from other countries with the best reviews of the week',
		path: '/v2/apis/reviews/weekly/tv_global',
		output: OUTPUT,
	},
	{
		value: 'reviewsMovies',
		name: 'Movies',
		action: 'Get many best movies of week',
		description: 'Movies with the best reviews of the week',
		path: '/v2/apis/reviews/weekly/movie',
		output: OUTPUT,
	},
];
