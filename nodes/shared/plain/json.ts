import { excessOf, withWholeIntegers } from './values';
import { Turns } from './turns';
import { JSON_BUDGET } from './budgets';

/** The reason for a text that is not JSON at all, or not whole. */
export const NOT_JSON = 'it is not valid JSON, or it was cut off';

/** Number of characters that take some milliseconds to parse. */
const LARGE = 500_000;

/** The value of JSON from outside, or why it cannot be used. @param keepsDigits of long integers, as texts */
export async function readJsonText(
	text: string,
	maxValues = JSON_BUDGET.values,
	keepsDigits = true,
): Promise<{ value: unknown } | { problem: string }> {
	if (text === '') return { problem: 'it is empty' };
	// Each large text has a turn of the event loop of its own.
	if (text.length > LARGE) await new Turns().next();
	const problem = excessOf(text, maxValues);
	if (problem) return { problem };
	const json = keepsDigits ? withWholeIntegers(text) : text;
	try {
		return { value: JSON.parse(json) as unknown };
	} catch {
		return { problem: NOT_JSON };
	}
}
