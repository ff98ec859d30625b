import { embeddedJson } from './embeddedJson';

const minPoints = 2;
const listMarker = /^\s*(?:\d{1,3}\s*[.、)）:：]|[-*•·])\s*(?=\S)/;
const titleFields = ['title', 'headline', 'name', 'text'];

function pointOf(value: unknown): string[] {
	if (typeof value === 'string') return value.trim() ? [value.trim()] : [];
	if (typeof value !== 'object' || value === null) return [];
	const fields = new Map<string, unknown>(Object.entries(value));
	const title = titleFields.map((field) => fields.get(field)).find((text) => typeof text === 'string');
	return typeof title === 'string' ? [title.trim()] : [];
}

/** Returns the longest list of texts in a JSON value. */
function pointsOfJson(value: unknown): string[] {
	if (typeof value !== 'object' || value === null) return [];
	const own = Array.isArray(value) ? value.flatMap(pointOf) : [];
	return Object.values(value)
		.map(pointsOfJson)
		.reduce((longest, next) => (next.length > longest.length ? next : longest), own);
}

/** Returns the lines of the longest paragraph, without the line that introduces them. */
function pointsOfLines(text: string): string[] {
	const paragraphs = text.split(/\n\s*\n/).map((paragraph) =>
		paragraph
			.split('\n')
			.map((line) => line.trim())
			.filter((line) => line !== '' && !/[:：]$/.test(line)),
	);
	const longest = paragraphs.reduce((best, next) => (next.length > best.length ? next : best), []);
	return longest.length > minPoints ? longest : [];
}

/**
 * Returns the points that a text lists, for example the headlines of a digest: elements of embedded JSON, numbered or
 * bulleted lines, or the lines of a paragraph. Empty if the text lists nothing.
 */
export function pointsIn(text: string): string[] {
	const fromJson = pointsOfJson(embeddedJson(text).map(({ value }) => value));
	if (fromJson.length >= minPoints) return fromJson;
	const marked = text.split('\n').filter((line) => listMarker.test(line));
	if (marked.length >= minPoints) return marked.map((line) => line.replace(listMarker, '').trim());
	return pointsOfLines(text);
}
