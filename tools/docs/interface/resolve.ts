import { rowsOf } from '../parameterRows';
import { sectionsOf } from '../parameterTables';
import { textOf, type Page } from '../pages';
import type { Place } from './row';

/** Finds what the rows name in the descriptions of the nodes, so that nothing outdated stays on the page. */

const CREDENTIAL = 'Credential';

/** `=` introduces a place that is neither a parameter nor an output field. */
const FREE = /^= /;

/**
 * A place in Markdown.
 *
 * @param pages the pages of all nodes and of the credential
 * @throws Error if there is no such node, operation, parameter, or output field
 */
export function linkTo(place: Place, pages: readonly Page[]): string {
	if (FREE.test(place)) return place.replace(FREE, '');
	const [name, ...steps] = place.split(' › ');
	const page = pages.find(({ title, file }) =>
		name === CREDENTIAL ? file.endsWith('credential.md') : title === `Unified AI ${name}`,
	);
	if (!page) throw new Error(`There is no node "${name}" (${place}).`);
	const wrong = wrongStep(steps, page);
	if (wrong !== undefined) throw new Error(`${page.title} has no "${wrong}" (${place}).`);
	const file = name === CREDENTIAL ? 'credential.md' : `nodes/${page.file.split('/').at(-1)}`;
	const shown = steps.map((step) => (fieldOf(step) ? `output \`${fieldOf(step)}\`` : step));
	return [`[${name}](${file})`, ...shown].join(' → ');
}

/** The first step that is not there. */
function wrongStep(steps: readonly string[], page: Page): string | undefined {
	if (steps.length === 0) return undefined;
	const sections = sectionsOf(page.properties);
	const hasOperations = sections.some(({ title }) => title !== '');
	const section = hasOperations ? sections.find(({ title }) => title === steps[0]) : sections[0];
	if (!section) return steps[0];
	const inside = hasOperations ? steps.slice(1) : steps;
	if (inside.length === 0) return undefined;
	const [label] = inside;
	const field = fieldOf(label);
	if (field !== undefined) return outputs(page, field) ? undefined : label;
	const paths = section.properties
		.filter(({ displayName }) => displayName === label)
		.flatMap((property) => rowsOf(property, page.properties))
		.map(({ path }) => path.join(' › '));
	const wanted = inside.join(' › ');
	return paths.some((path) => path === wanted || path.startsWith(`${wanted} › `)) ? undefined : wanted;
}

/** The name of an output field, which stands in braces. */
function fieldOf(step: string): string | undefined {
	return /^\{(\w+)\}$/.exec(step)?.[1];
}

/** Whether the page of a node shows an output field, in an example or in its text. */
function outputs(page: Page, field: string): boolean {
	const [text] = (textOf(page) ?? '').split('## All parameters');
	return new RegExp(`["\`{ ]${field}["\`, ]`).test(text);
}
