import { type Dialect, variant } from './dialect';
import { eachField } from './json';
import * as routes from './routes';

/** A list of an answer, by the name of its field. */
interface List {
	name: string;
	routes: readonly string[];
	field: string;
	/** Whether one of its regular entries can be bad, too: others do not depend on it. */
	isReplaceable?: boolean;
	/** Which of several fields of that name. */
	isMeant?: (list: unknown[]) => boolean;
	/** An object that is no entry. */
	bad?: unknown;
	/** Output fields that tell of the number of entries. */
	counts?: string[];
	/** Output fields that may hold what is not understood. */
	kept?: string[];
}

const hasText = (list: unknown[]) => JSON.stringify(list).includes('"text"');

const LISTS: List[] = [
	{ name: 'models', routes: routes.MODELS, field: 'data', isReplaceable: true },
	{ name: 'voices', routes: routes.VOICES, field: 'voice_characters', isReplaceable: true },
	{ name: 'images', routes: routes.IMAGES, field: 'data', isReplaceable: true, counts: ['images', 'image'] },
	{ name: 'rerank', routes: routes.RERANK, field: 'results', isReplaceable: true },
	{ name: 'embeddings', routes: routes.EMBEDDINGS, field: 'data', isReplaceable: true },
	{
		name: 'tracks',
		routes: routes.SONGS,
		field: 'data',
		isReplaceable: true,
		counts: ['track'],
		bad: { title: 'Without a file' },
	},
	{ name: 'choices', routes: routes.CHAT_COMPLETIONS, field: 'choices' },
	{ name: 'candidates', routes: routes.GENERATE_CONTENT, field: 'candidates' },
	{
		name: 'content-parts',
		routes: routes.MESSAGES,
		field: 'content',
		isMeant: hasText,
		bad: { type: 'holo' },
		kept: ['otherContent'],
	},
	{
		name: 'parts',
		routes: routes.GENERATE_CONTENT,
		field: 'parts',
		isMeant: hasText,
		bad: { executableCode: {} },
		kept: ['otherContent'],
	},
];

const BAD: Array<[name: string, says: string, entry: (list: List) => unknown]> = [
	['null', '`null`', () => null],
	['number', 'a number', () => 7],
	['object', 'an object without what is needed', ({ bad }) => bad ?? {}],
];

const changed =
	({ field, isMeant = () => true }: List, change: (entries: unknown[]) => unknown[]) =>
	(value: unknown) =>
		eachField(value, (entry, key) =>
			key === field && Array.isArray(entry) && isMeant(entry) ? change(entry) : entry,
		);

const looseOf = ({ counts = [], kept = [] }: List) =>
	Object.fromEntries([
		...counts.map((field) => [field, /^\d$/] as const),
		...kept.map((field) => [field, /./] as const),
	]);

/** After the first entry, so that whatever is read first is good. */
const added = (list: List) =>
	BAD.map(([name, says, entry]) =>
		variant({
			name: `${list.name}-more-${name}`,
			description: `Among the ${list.name.replace('-', ' ')}, there is one more that is ${says}`,
			routes: list.routes,
			meaning: {
				kind: 'same',
				loose: looseOf(list),
			},
			json: changed(list, (entries) => [...entries.slice(0, 1), entry(list), ...entries.slice(1)]),
		}),
	);

const replaced = (list: List) =>
	BAD.map(([name, says, entry]) =>
		variant({
			name: `${list.name}-one-${name}`,
			description: `One of the ${list.name} is ${says}`,
			routes: list.routes,
			meaning: { kind: 'oneLess' },
			json: changed(list, (entries) =>
				entries.length > 1 ? [...entries.slice(0, 1), entry(list), ...entries.slice(2)] : entries,
			),
		}),
	);

/** Lists with one entry that cannot be read. */
export const badEntries: readonly Dialect[] = [
	...LISTS.flatMap(added),
	...LISTS.filter(({ isReplaceable }) => isReplaceable).flatMap(replaced),
];
