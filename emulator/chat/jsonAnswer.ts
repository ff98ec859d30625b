import { excerpt, isMostlyEastAsian } from '../text';
import { lastUserText, type Question } from './conversation';
import { embeddedJson } from './embeddedJson';
import { pointsIn } from './points';
import { valueFor } from './schemaValue';
import { termsOf } from './terms';

const wish =
	/\b(?:answer|reply|respond|return|output|give|produce|format)\b[^.\n]{0,80}\bJSON\b|\b(?:only|valid|raw)\s+JSON\b|(?:返回|输出|回答|回复|生成|以|用)[^。\n]{0,30}JSON/i;

const refusal = /\b(?:not|never|no|without|instead of)\b[^.\n]{0,40}\bJSON\b|(?:不要|不用|勿|别)[^。\n]{0,10}JSON/i;

/** Whether the texts of a question ask for JSON, or its format does. */
export function wantsJson(question: Question): boolean {
	const instructions = `${question.system}\n${lastUserText(question)}`;
	return question.json !== undefined || (wish.test(instructions) && !refusal.test(instructions));
}

/** The object that is shown as the form of the answer, after the word JSON. */
function shownForm(instructions: string): object | undefined {
	const wished = instructions.search(/JSON/i);
	const form = embeddedJson(instructions).find(({ value, start }) => start > wished && !Array.isArray(value));
	return typeof form?.value === 'object' && form.value !== null ? form.value : undefined;
}

/** The names of fields that are put in quotation marks after the word JSON. */
function namedFields(instructions: string): string[] {
	const names = instructions.slice(instructions.search(/JSON/i)).matchAll(/["'`](\w{1,40})["'`]/g);
	return [...new Set([...names].map(([, name]) => name))];
}

function schemaLike(form: unknown): Record<string, unknown> {
	if (Array.isArray(form)) return { type: 'array', items: schemaLike(form[0]) };
	if (typeof form === 'object' && form !== null) {
		const properties = Object.entries(form).map(([name, value]) => [name, schemaLike(value)]);
		return { type: 'object', properties: Object.fromEntries(properties) };
	}
	return { type: form === null ? 'string' : typeof form };
}

/** A JSON answer: after the schema of the request, after the form shown in its text, or a summary of what was asked. */
export function jsonAnswer(question: Question): string {
	const asked = lastUserText(question);
	const instructions = `${question.system}\n${asked}`;
	if (question.json !== undefined && question.json !== true) {
		return JSON.stringify(valueFor(question.json, asked));
	}
	const form = shownForm(instructions);
	if (form) return JSON.stringify(valueFor(schemaLike(form), asked));
	const names = namedFields(instructions);
	if (names.length > 0) {
		return JSON.stringify(Object.fromEntries(names.map((name) => [name, valueFor({ type: 'string' }, asked, name)])));
	}
	const points = pointsIn(asked);
	return JSON.stringify({
		summary: excerpt(asked, 120),
		points: points.length > 0 ? points : termsOf(asked),
		language: isMostlyEastAsian(asked) ? 'zh' : 'en',
	});
}
