import { lastUserText, type Question, type Tool, toolResults } from './conversation';
import { termsOf } from './terms';

function mentions(text: string, { name, description }: Tool): boolean {
	const lower = text.toLowerCase();
	const nameWords = name
		.replace(/([a-z])([A-Z])/g, '$1_$2')
		.toLowerCase()
		.split(/[^a-z0-9]+/)
		.filter((word) => word.length > 3);
	const words = [
		name.toLowerCase(),
		...nameWords,
		...termsOf(description, 30).map((term) => term.toLowerCase()),
	];
	return words.some((word) => lower.includes(word));
}

/**
 * The tool that the model calls: the one it must call, or one that the newest user message mentions by its name or by
 * a word of its description. None once a result has come back, so that a conversation with tools ends.
 */
export function chosenTool(question: Question): Tool | undefined {
	const { tools, toolChoice } = question;
	if (toolChoice === 'none' || toolResults(question).length > 0) return undefined;
	if (typeof toolChoice === 'object') return tools.find(({ name }) => name === toolChoice.name);
	const asked = lastUserText(question);
	return tools.find((tool) => mentions(asked, tool)) ?? (toolChoice === 'required' ? tools[0] : undefined);
}
