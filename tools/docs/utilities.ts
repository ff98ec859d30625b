import type { INodePropertyOptions } from 'n8n-workflow';
import { catalogue } from '../../nodes/Utilities/catalogue';
import type { Utility, UtilityParameter } from '../../nodes/Utilities/catalogue/utility';
import { asRecord, groupBy, toText } from '../../nodes/shared/plain/values';
import { withSection } from './section';

/** Generates the list of a page from the catalogue of utilities, for `npm run docs`. */

/** The encodings of most endpoints, which the list omits. */
const USUAL = 'json, text, markdown';

/** Returns the page with an up-to-date list of all endpoints. */
export function withCatalogue(text: string): string {
	const lines = groupBy(catalogue, ({ group }) => group).map((utilities) =>
		[`- **${utilities[0].group}**`, ...utilities.map((utility) => `  - ${lineOf(utility)}`)].join('\n'),
	);
	return withSection(text, 'catalogue', lines.join('\n'));
}

function lineOf(utility: Utility): string {
	const path = utility.path.replace(/^\/v2\/apis/, '');
	const facts = [...utility.parameters.map(describe), encodingsOf(utility)].filter(Boolean);
	return `**${utility.name}** \`${path}\`${facts.length > 0 ? `: ${facts.join('; ')}` : ''}`;
}

/** Returns the encodings in words, with the default first; empty if they are those of most endpoints. */
function encodingsOf({ encodings }: Utility): string {
	if (encodings.join(', ') === USUAL) return '';
	return encodings.length > 0 ? `**Return As** (${encodings.join(', ')})` : 'no **Return As**';
}

function describe(parameter: UtilityParameter): string {
	const { name, displayName, required, keeps } = parameter;
	if (keeps) return `**${displayName}**, which is not sent, but selects entries by their \`${keeps.field}\``;
	const facts = [required ? 'required' : '', ...valuesOf(parameter)].filter(Boolean);
	return `**${displayName}** \`${name}\`${facts.length > 0 ? ` (${facts.join(', ')})` : ''}`;
}

/** Returns the value of a parameter in a new node; empty if there is none, or if it is a number that is not allowed. */
export function presetOf(parameter: UtilityParameter): string {
	const preset = asRecord(parameter.default)?.value ?? parameter.default;
	return preset === 0 ? '' : toText(preset);
}

function valuesOf(parameter: UtilityParameter): string[] {
	const { type, typeOptions: { minValue = 0, maxValue } = {}, options = [] } = parameter;
	const preset = presetOf(parameter);
	const defaults = preset === '' ? [] : [`default ${preset}`];
	switch (type) {
		case 'number':
			return [maxValue === undefined ? `at least ${minValue}` : `${minValue} to ${maxValue}`, ...defaults];
		case 'options':
			return [options.map((option) => (option as INodePropertyOptions).value).join('/'), ...defaults];
		case 'boolean':
			// It is not set in a new node.
			return [...(parameter.description ?? '').matchAll(/default: (?:yes|no)/g)].map(([words]) => words);
		case 'resourceLocator':
			return ['from a list', ...defaults];
		default:
			return defaults;
	}
}
