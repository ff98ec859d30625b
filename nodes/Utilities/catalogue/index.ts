import { boxOffice } from './boxOffice';
import { charts } from './charts';
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
import type { Utility } from './utility';
import { weather } from './weather';

/** The groups that the editor offers as resources, in alphabetical order. */
export const groups: Array<{ name: string; value: string }> = [
	{ name: 'Box Office', value: 'boxOffice' },
	{ name: 'Charts', value: 'charts' },
	{ name: 'Colors', value: 'colors' },
	{ name: 'Custom Endpoint', value: 'customEndpoint' },
	{ name: 'Fun', value: 'fun' },
	{ name: 'Health and Passwords', value: 'healthAndPasswords' },
	{ name: 'Music Charts', value: 'musicCharts' },
	{ name: 'News', value: 'news' },
	{ name: 'Prices', value: 'prices' },
	{ name: 'Reference', value: 'reference' },
	{ name: 'Reviews', value: 'reviews' },
	{ name: 'Tools', value: 'tools' },
	{ name: 'Translation', value: 'translation' },
	{ name: 'Weather', value: 'weather' },
];

/** Every utility endpoint of the interface, section 4.13. The editor's fields, the requests and the documentation come from here. */
export const catalogue: Utility[] = [
	...boxOffice,
	...charts,
	...colors,
	...fun,
	...healthAndPasswords,
	...musicCharts,
	...news,
	...prices,
	...reference,
	...reviews,
	...tools,
	...translation,
	...weather,
].sort((one, other) => (one.name < other.name ? -1 : 1));
