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
