import type { Random } from './random';
import type { Answer, Wish } from './wishes';

type Fields = Record<string, unknown>;

/** One way in which the content of an answer does not match the schema, or there is none. */
export interface Spoil {
	name: string;
	/** The value that the model gives, or its whole answer if it is no value. */
	spoil: (value: Answer, random: Random, wish: Wish) => { value: unknown } | { text: string };
}

const TRANSLATIONS: Record<string, string> = {
	category: 'Kategorie',
	number: '编号',
	name: '姓名',
	标题: 'title',
	title: 'Titel',
};

const OTHER_TYPES: Record<string, (value: unknown) => unknown> = {
	number: (value) => String(value),
	boolean: (value) => (value ? 'yes' : 'no'),
	string: (value) => ({ text: value }),
	object: (value) => JSON.stringify(value),
};

/** Answers that must be refused, each with a value that does not match. */
export const SPOILS: Spoil[] = [
	{
		name: 'Wrong type of a field',
		spoil: (value, random) =>
			changed(value, (fields) => {
				const name = random.pick(Object.keys(fields).filter((candidate) => fields[candidate] !== null));
				return { ...fields, [name]: OTHER_TYPES[typeof fields[name]](fields[name]) };
			}),
	},
	{
		name: 'Value outside the limits',
		spoil: (value, random, { outside }) =>
			changed(value, (fields) => {
				const name = random.pick(Object.keys(outside));
				return { ...fields, [name]: random.pick(outside[name]) };
			}),
	},
	{
		name: 'Required field missing',
		spoil: (value, random) =>
			changed(value, (fields) => {
				const missing = random.pick(Object.keys(fields));
				return Object.fromEntries(Object.entries(fields).filter(([name]) => name !== missing));
			}),
	},
	{
		name: 'Field that is not allowed',
		spoil: (value, random) =>
			changed(value, (fields) => ({ ...fields, [random.pick(['confidence', 'note2', '备注'])]: 0.9 })),
	},
	{
		name: 'Names in another language',
		spoil: (value) =>
			changed(value, (fields) =>
				Object.fromEntries(
					Object.entries(fields).map(([name, entry]) => [TRANSLATIONS[name] ?? name, entry]),
				),
			),
	},
	{
		name: 'Text without JSON',
		spoil: (_value, random) => ({
			text: random.pick([
				'这位客户对发货延迟表示不满，评分为二分，属于投诉。',
				"I'm sorry, but I can't help with that.",
				'The category is "complaint" [score: 2], {see above}.',
				'类别：投诉，评分：2，标签：发货、延迟。',
				'| category | score |\n| --- | --- |\n| complaint | 2 |',
			]),
		}),
	},
	{
		name: 'Empty answer',
		spoil: (_value, random) => ({ text: random.pick(['', ' \n', '{}', '[]', 'null', '```json\n```', '""']) }),
	},
	{
		name: 'Entries left out with an ellipsis',
		spoil: (value) => ({
			text: JSON.stringify(value, null, 2).replace(/\n(\s*)[\]}]$/, ',\n  // ... and so on\n]'),
		}),
	},
];

/** Changes the value, or its first entry if it is a list. */
function changed(value: unknown, change: (fields: Fields) => Fields): { value: unknown } {
	if (!Array.isArray(value)) return { value: change(value as Fields) };
	const [first, ...others] = value as Fields[];
	return { value: [change(first), ...others] };
}
