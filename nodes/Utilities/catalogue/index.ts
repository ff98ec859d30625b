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
import type { Utility, UtilityEntry, UtilityGroup } from './utility';
import { weather } from './weather';

/**
 * The groups of endpoints, with which their names begin in the editor, in alphabetical order. An endpoint is added to the file
 * of its group, and nowhere else.
 */
const GROUPS: Array<UtilityGroup & { entries: UtilityEntry[] }> = [
	{ name: 'Box Office', value: 'boxOffice', entries: boxOffice },
	{ name: 'Colors', value: 'colors', entries: colors },
	{ name: 'Fun', value: 'fun', entries: fun },
	{ name: 'Health and Passwords', value: 'healthAndPasswords', entries: healthAndPasswords },
	{ name: 'Music Charts', value: 'musicCharts', entries: musicCharts },
	{ name: 'News', value: 'news', entries: news },
	{ name: 'Prices', value: 'prices', entries: prices },
	{ name: 'Reference', value: 'reference', entries: reference },
	{ name: 'Reviews', value: 'reviews', entries: reviews },
	{ name: 'Tools', value: 'tools', entries: tools },
	{ name: 'Translation', value: 'translation', entries: translation },
	{ name: 'Trends', value: 'trends', entries: trends },
	{ name: 'Weather', value: 'weather', entries: weather },
];

/** The groups of endpoints, without their entries. */
export const groups = GROUPS.map(({ name, value }) => ({ name, value }));

/**
 * Every utility endpoint (interface, 4.13), in alphabetical order. The editor's fields, the requests, and the
 * documentation come from here.
 */
export const catalogue: Utility[] = GROUPS.flatMap(({ name, value, entries }) =>
	entries.map((entry) => ({ ...entry, group: { name, value } })),
).sort((one, other) => (one.name < other.name ? -1 : 1));
