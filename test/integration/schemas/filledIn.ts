import type { INodeParameters, NodeParameterValueType } from 'n8n-workflow';
import { utilityEndpoints } from '../../../emulator/utilities';
import { catalogue } from '../../../nodes/Utilities/catalogue';
import type { Utility, UtilityParameter } from '../../../nodes/Utilities/catalogue/utility';
import { presetOf } from '../../../tools/docs/utilities';

/** The emulator's example of a request that succeeds, by the path in the catalogue's notation. */
const examples = new Map(
	utilityEndpoints.map(({ path, example = path }) => [catalogued(path), catalogued(example)]),
);

function catalogued(path: string): string {
	return `/v2/apis${path.replace(/:(\w+)/g, '{$1}')}`;
}

/**
 * The parameters that a user must fill in, by operation, with the values of the emulator's examples. All others keep
 * their values in a new node.
 */
export const filledIn: Record<string, INodeParameters> = Object.fromEntries(
	catalogue.map((utility) => [
		utility.value,
		Object.fromEntries(
			utility.parameters
				.filter((parameter) => parameter.required && !presetOf(parameter))
				.map((parameter) => [parameter.name, editorValue(parameter, exampleOf(utility, parameter))]),
		),
	]),
);

function exampleOf({ value, path }: Utility, { name }: UtilityParameter): string {
	const example = new URL(examples.get(path) ?? '', 'http://gateway.example');
	const segment = path.split('/').indexOf(`{${name}}`);
	const text = segment < 0 ? example.searchParams.get(name) : example.pathname.split('/')[segment];
	if (!text) throw new Error(`The emulator's example for ${value} has no value for "${name}".`);
	return text;
}

function editorValue({ type }: UtilityParameter, text: string): NodeParameterValueType {
	if (type === 'number') return Number(text);
	return type === 'resourceLocator' ? { __rl: true, mode: 'list', value: text } : text;
}
