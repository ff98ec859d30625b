import { commented, escaped, print, rawBreaks, singleQuoted, typographic, type Style } from './print';
import type { Random } from './random';

/** One way in which models get the form of an answer wrong. */
export interface Damage {
	name: string;
	write: (value: unknown, random: Random) => string;
	/** Whether this can go wrong with a value; undefined: with any. */
	suits?: (value: unknown) => boolean;
}

const json = (value: unknown, random: Random) => JSON.stringify(value, null, random.pick([0, 2, 4]));
const PYTHON: Style = {
	quotes: ["'", "'"],
	content: singleQuoted,
	literals: { true: 'True', false: 'False', null: 'None' },
};
const trailingComma = () => ',';

const BEFORE = [
	'Here is the JSON you asked for:',
	"Sure! I've filled in all fields [as requested]:",
	'好的，以下是结果：',
	'Result (see note {1}) =',
];
const AFTER = [
	'Let me know if you need anything else!',
	"I left nothing out; it's complete.",
	'希望对你有帮助。',
	'Note: [1] is an estimate, {see above}.',
];

const style = (name: string, written: Style): Damage => ({ name, write: (value) => print(value, written) });

/** Answers that contain the whole value. */
export const FORMS: Damage[] = [
	{
		name: 'Code fence',
		write: (value, random) => `\`\`\`${random.pick(['json', ''])}\n${json(value, random)}\n\`\`\``,
	},
	{
		name: 'Fence in another form',
		write: (value, random) => {
			const [begin, end] = random.pick([
				['```JSON\n', '\n```'],
				['```javascript\n', '\n```'],
				['~~~json\n', '\n~~~'],
				['```json ', '```'],
				['```json\n', ''],
			]);
			return begin + json(value, random) + end;
		},
	},
	{ name: 'Text before it', write: (value, random) => `${random.pick(BEFORE)}\n\n${json(value, random)}` },
	{ name: 'Text after it', write: (value, random) => `${json(value, random)}\n\n${random.pick(AFTER)}` },
	{ name: 'Comments', write: (value, random) => print(value, { separator: commented(random) }) },
	style('Trailing commas', { separator: trailingComma }),
	style('Single quotation marks', { quotes: ["'", "'"], content: singleQuoted }),
	style('Typographic quotation marks', { quotes: ['“', '”'], content: typographic }),
	{
		name: 'Full-width punctuation',
		write: (value, random) =>
			print(value, {
				colon: '：',
				separator: (isLast) => (isLast ? '' : '，'),
				indent: random.pick(['', '　']),
			}),
	},
	style('Names without quotation marks', { name: (name) => name }),
	style("Python's literals", PYTHON),
	{
		name: 'Line breaks inside strings',
		suits: (value) => JSON.stringify(value).includes('line\\n'),
		write: (value) => print(value, { content: rawBreaks }),
	},
	{
		name: 'Byte-order mark, non-breaking spaces',
		write: (value) => `\uFEFF${print(value, { indent: '\u00A0\u00A0' })}`,
	},
	// Two strings in a list without a comma between them may also be the halves of one.
	style('No commas between fields', { separator: (isLast, isList) => (isList && !isLast ? ',' : '') }),
	{
		name: 'JSON as a JSON string',
		write: (value, random) => {
			const string = JSON.stringify(json(value, random));
			return random.chance() ? string : escaped(json(value, random));
		},
	},
	{
		name: 'Thoughts with a draft before it',
		write: (value, random) => {
			const thoughts = `I could answer ${JSON.stringify(emptied(value))}, but {that} isn't complete.`;
			return `${random.pick(['<think>\n', '<thinking>', ''])}${thoughts}\n</think>\n${json(value, random)}`.replace(
				/(<thinking>[^]*)<\/think>/,
				'$1</thinking>',
			);
		},
	},
	{
		name: 'Wrong value first, then the right one',
		write: (value, random) =>
			`${JSON.stringify(emptied(value))}\n\nWait, that does not fit the schema. Corrected:\n\n${json(value, random)}`,
	},
	{
		name: 'Several at once',
		write: (value, random) => {
			const separator = (isLast: boolean) => commented(random)(isLast && random.chance());
			const written = print(value, { ...PYTHON, separator });
			return `${random.pick(BEFORE)}\n\`\`\`${random.pick(['python', 'json', ''])}\n${written}\n\`\`\`\n${random.pick(AFTER)}`;
		},
	},
];

/** Answers whose end is missing, or that can be read in several ways. */
export const UNCERTAIN: Damage[] = [
	{
		name: 'Quotation marks inside strings',
		suits: (value) => JSON.stringify(value).includes('\\"'),
		write: (value) => print(value, { content: typographic }),
	},
	{
		name: 'Cut off',
		write: (value, random) => cut(json(value, random), random),
	},
	{
		name: 'Cut off, in a code fence or in another form',
		write: (value, random) => {
			const form = random.pick<Style>([PYTHON, { separator: trailingComma }, { name: (name) => name }, {}]);
			return `${random.pick(['', '```json\n', `${BEFORE[0]}\n`])}${cut(print(value, form), random)}`;
		},
	},
];

function cut(text: string, random: Random): string {
	return text.slice(0, random.integer(1, text.length - 1));
}

/** A value with the same outline, in which fields are missing. */
function emptied(value: unknown): unknown {
	if (Array.isArray(value)) return [{}];
	const [name, first] = Object.entries(value as Record<string, unknown>)[0];
	// n8n's parser wants the value in a field of its own.
	return typeof first === 'object' ? { [name]: emptied(first) } : { [name]: first };
}
