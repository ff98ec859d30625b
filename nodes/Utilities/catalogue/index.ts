import { boxOffice, musicCharts, reviews } from './charts';
import { colors } from './colors';
import { fun } from './fun';
import { healthAndPasswords } from './healthAndPasswords';
import { news } from './news';
import { prices } from './prices';
import { reference } from './reference';
import { tools } from './tools';
import { translation } from './translation';
import { trends } from './trends';
import { USUAL_ENCODINGS, type Utility, type UtilityEntry } from './utility';
import { weather } from './weather';

const GROUPS: Record<string, UtilityEntry[]> = {
	News: news,
	Weather: weather,
	Translation: translation,
	Tools: tools,
	Prices: prices,
	Trends: trends,
	Reference: reference,
	Reviews: reviews,
	'Box Office': boxOffice,
	'Music Charts': musicCharts,
	Fun: fun,
	Colors: colors,
	'Health and Passwords': healthAndPasswords,
};

/** Every utility endpoint (interface, 4.13), in the order of the editor; its fields and docs come from here. */
export const catalogue: Utility[] = Object.entries(GROUPS).flatMap(([group, entries]) =>
	entries.map((entry) => ({
		encodings: USUAL_ENCODINGS,
		parameters: [],
		many: entry.action.startsWith('get many '),
		...entry,
		group,
		action: actionOf(entry),
	})),
);

/** Returns the action with the language of the response, and with a service of this kind that people know. */
function actionOf({ action, description, comparableTo }: UtilityEntry): string {
	const isSilent = description.includes('in Chinese') && !action.includes('in Chinese');
	const words = [action, isSilent ? 'in Chinese' : '', comparableTo ? `(like ${comparableTo})` : ''];
	return words.filter(Boolean).join(' ');
}
