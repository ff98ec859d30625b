import { excerpt, isMostlyEastAsian } from '../text';
import { lastUserText, type Question } from './conversation';
import { type EmbeddedJson, embeddedJson } from './embeddedJson';
import { pointsIn } from './points';
import { valueFor } from './schemaValue';
import { termsOf } from './terms';

const jsonRequest =
	/\b(?:answer|reply|respond|return|output|give|produce|format)\b[^.\n]{0,80}\bJSON\b|\b(?:only|valid|raw)\s+JSON\b|(?:返回|输出|回答|回复|生成|以|用)[^。\n]{0,30}JSON/i;

const jsonRefusal =
	/\b(?:not|never|no|without|instead of)\b[^.\n]{0,40}\bJSON\b|(?:不要|不用|勿|别)[^。\n]{0,10}JSON/i;

const textSchema = { type: 'string' };
const textListSchema = { type: 'array', items: textSchema };

/** Tells whether a question requests JSON, in its text or by its response format. */
export function wantsJson(question: Question): boolean {
	const instructions = `${question.system}\n${lastUserText(question)}`;
	return question.json !== undefined || (jsonRequest.test(instructions) && !jsonRefusal.test(instructions));
}

/** Returns the form of the answer: the last schema after the word JSON, or else the first object. */
function exampleForm(instructions: string): EmbeddedJson | undefined {
	const keyword = instructions.search(/JSON/i);
	const forms = embeddedJson(instructions).filter(
		({ value, start }) => start > keyword && !Array.isArray(value),
	);
	// n8n explains first, with schemas as examples, what a schema is.
	return forms.findLast(({ value }) => isSchema(value)) ?? forms.at(0);
}

/** Returns the quoted field names after the word JSON. */
function namedFields(instructions: string): string[] {
	const names = instructions.slice(instructions.search(/JSON/i)).matchAll(/["'`](\w{1,40})["'`]/g);
	return [...new Set([...names].map(([, name]) => name))];
}

/** Tells whether a form is a JSON Schema rather than an example of the answer. */
function isSchema(form: unknown): form is Record<string, unknown> {
	if (typeof form !== 'object' || form === null) return false;
	const { properties, items, $schema } = form as Record<string, unknown>;
	return (
		[properties, items].some((inner) => typeof inner === 'object' && inner !== null) || $schema !== undefined
	);
}

function schemaLike(form: unknown): Record<string, unknown> {
	if (isSchema(form)) return form;
	if (Array.isArray(form)) return { type: 'array', items: schemaLike(form[0]) };
	if (typeof form === 'object' && form !== null) {
		const properties = Object.entries(form).map(([name, value]) => [name, schemaLike(value)]);
		return { type: 'object', properties: Object.fromEntries(properties) };
	}
	return { type: form === null ? 'string' : typeof form };
}

/** Returns the subject of the JSON: the text without the example and without the sentences that mention JSON. */
function subjectOf(asked: string, form: string): string {
	const prose = asked.replace(form, '').trim();
	const sentences = prose.split(/(?<=[.!?。！？:：])\s*|\n+/);
	const subject = sentences.filter((sentence) => !/JSON/i.test(sentence)).join('\n');
	return subject || prose || asked;
}

/** A JSON answer that follows the schema of the request or the example in its text, or a summary of the question. */
export function jsonAnswer(question: Question): string {
	const asked = lastUserText(question);
	const instructions = `${question.system}\n${asked}`;
	const form = exampleForm(instructions);
	const text = subjectOf(asked, form?.text ?? '');
	const listed = pointsIn(text);
	const source = { text, points: listed.length > 0 ? listed : termsOf(text) };

	if (typeof question.json === 'object') return JSON.stringify(valueFor(question.json, source));
	if (form) return JSON.stringify(valueFor(schemaLike(form.value), source));
	const names = namedFields(instructions);
	if (names.length > 0) {
		const fields = names.map((name) => {
			const isPlural = /[^s]s$/.test(name);
			return [name, valueFor(isPlural ? textListSchema : textSchema, source, name)];
		});
		return JSON.stringify(Object.fromEntries(fields));
	}
	return JSON.stringify({
		summary: excerpt(text, 120),
		points: source.points,
		language: isMostlyEastAsian(text) ? 'zh' : 'en',
	});
}
