import { lastUserText, type Question, type Tool, toolRounds } from './conversation';
import { termsOf } from './terms';

function mentions(text: string, words: string[]): boolean {
	const lower = text.toLowerCase();
	return words.some((word) => lower.includes(word.toLowerCase()));
}

function nameWords({ name }: Tool): string[] {
	const parts = name.replace(/([a-z])([A-Z])/g, '$1_$2').split(/[^A-Za-z0-9]+/);
	return [name, ...parts.filter((word) => word.length > 3)];
}

const namedIn = (text: string, tools: Tool[]) => tools.filter((tool) => mentions(text, nameWords(tool)));

/** Returns the parts of the latest user message that name tools, divided by the word "then". */
function stepsOf(question: Question): string[] {
	const parts = lastUserText(question).split(/\bthen\b|然后|接着/i);
	return parts.filter((part) => namedIn(part, question.tools).length > 0);
}

/** What the model is asked to do now: a step of the latest user message, if it has several, or else all of it. */
export function askedNow(question: Question): string {
	const steps = stepsOf(question);
	return steps.length > 1 ? (steps[toolRounds(question)] ?? '') : lastUserText(question);
}

/**
 * Returns the tools that the model calls: the required tool, or all tools whose name shares a word with the request, or
 * the first tool whose description does. Returns none after the tool results of the last step, so that a conversation
 * with tools ends.
 */
export function chosenTools(question: Question): Tool[] {
	const { tools, toolChoice, oneToolAtATime } = question;
	const rounds = toolRounds(question);
	if (toolChoice === 'none' || rounds >= Math.max(1, stepsOf(question).length)) return [];
	if (typeof toolChoice === 'object') {
		return rounds > 0 ? [] : tools.filter(({ name }) => name === toolChoice.name).slice(0, 1);
	}
	const asked = askedNow(question);
	const named = namedIn(asked, tools);
	if (named.length > 0) return oneToolAtATime ? named.slice(0, 1) : named;
	const described = tools.find(({ description }) => mentions(asked, termsOf(description, 30)));
	return [described ?? (toolChoice === 'required' ? tools[0] : undefined)].filter(
		(tool) => tool !== undefined,
	);
}
