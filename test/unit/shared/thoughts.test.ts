import { extractJson } from '../../../nodes/Chat/json/parseJsonAnswer';
import { spokenText } from '../../../nodes/Speech/spokenText/spokenText';

/** How models mark their thoughts (vLLM's reasoning parsers, the harmony format, FastFlowLM #739). */
const MARKS: Array<[string, string]> = [
	...['think', 'thinking', 'thought', 'thoughts', 'reasoning', 'seed:think', 'THINK'].map(
		(name): [string, string] => [`<${name}>`, `</${name}>`],
	),
	['[THINK]', '[/THINK]'],
	['◁think▷', '◁/think▷'],
	['<|channel|>analysis<|message|>', '<|end|><|start|>assistant<|channel|>final<|message|>'],
];
const THOUGHTS = ['Hm, they want a greeting.', 'One.\n\n- Two, {"a": 0}\n', ' '];

describe.each(MARKS)('Thoughts between %s and %s', (open, close) => {
	const forms = THOUGHTS.flatMap((thoughts) => [
		`${open}${thoughts}${close}`,
		`\n${open}\n${thoughts}\n${close}\n\n`,
		`${open}${thoughts}${close}${open}${thoughts}${close}`,
		`${thoughts}${close}`,
	]);

	it('are neither read aloud nor taken for the answer', async () => {
		for (const form of forms) {
			expect(spokenText(`${form}Hello there.`)).toBe('Hello there.');
			expect(await extractJson(`${form}{"a": 1}`, () => true)).toEqual({ value: { a: 1 } });
		}
	});

	it('are nothing to read aloud if they never end', async () => {
		expect(spokenText(`${open}Hm, they want a greeting.`)).toBe('');
		expect(await extractJson(`${open}{"a": 0}`, () => true)).toBeUndefined();
	});

	it('are not read aloud in the middle of a text either', () => {
		expect(spokenText(`Hello ${open}Hm.${close} there.`)).toBe('Hello there.');
	});
});

it.each(['Models end their thoughts with `</think>` and go on.', 'Write "</thought>" at the end.'])(
	'A text about the marks is read aloud as a whole: %s',
	(text) => expect(spokenText(text)).toMatch(/^(Models|Write) .* (on|end)\.$/),
);
