import { lastUserText, type Question, type Tool, toolResults } from './conversation';
import { termsOf } from './terms';

function mentions(text: string, words: string[]): boolean {
	const lower = text.toLowerCase();
	return words.some((word) => lower.includes(word.toLowerCase()));
}

function nameWords({ name }: Tool): string[] {
	const parts = name.replace(/([a-z])([A-Z])/g, '$1_$2').split(/[^A-Za-z0-9]+/);
	return [name, ...parts.filter((word) => word.length > 3)];
}

/**
 * The tools that the model calls: the required tool, or all tools whose name shares a word with the latest user message,
 * or the first tool whose description does. None after a tool result, so that a conversation with tools ends.
 */
export function chosenTools(question: Question): Tool[] {
	const { tools, toolChoice, oneToolAtATime } = question;
	if (toolChoice === 'none' || toolResults(question).length > 0) return [];
	if (typeof toolChoice === 'object') return tools.filter(({ name }) => name === toolChoice.name).slice(0, 1);
	const asked = lastUserText(question);
	const named = tools.filter((tool) => mentions(asked, nameWords(tool)));
	if (named.length > 0) return oneToolAtATime ? named.slice(0, 1) : named;
	const described = tools.find(({ description }) => mentions(asked, termsOf(description, 30)));
	return [described ?? (toolChoice === 'required' ? tools[0] : undefined)].filter(
		(tool) => tool !== undefined,
	);
}
