import { boxOffice } from './boxOffice';
import { colors } from './colors';
import { fun } from './fun';
import { healthAndPasswords } from './healthAndPasswords';
import { musicCharts } from './musicCharts';
import { news } from './news';
import { prices } from './prices';
import { reference } from './reference';
import { reviews } from './reviews';
import { tools } from './tools';
import { translation } from './translation';
import { trends } from './trends';
import { USUAL_ENCODINGS, type Utility, type UtilityEntry } from './utility';
import { weather } from './weather';

/** The endpoints by their group, with which their names begin in the editor. */
const GROUPS: Record<string, UtilityEntry[]> = {
	'Box Office': boxOffice,
	Colors: colors,
	Fun: fun,
	'Health and Passwords': healthAndPasswords,
	'Music Charts': musicCharts,
	News: news,
	Prices: prices,
	Reference: reference,
	Reviews: reviews,
	Tools: tools,
	Translation: translation,
	Trends: trends,
	Weather: weather,
};

/**
 * Every utility endpoint (interface, 4.13), in alphabetical order. The editor's fields, the requests, and the
 * documentation come from here.
 */
export const catalogue: Utility[] = Object.entries(GROUPS)
	.flatMap(([group, entries]) =>
		entries.map((entry) => ({
			encodings: USUAL_ENCODINGS,
			parameters: [],
			many: entry.output?.lists !== undefined && entry.output.fields === undefined,
			...entry,
			group,
		})),
	)
	.sort((one, other) => (one.name < other.name ? -1 : 1));
