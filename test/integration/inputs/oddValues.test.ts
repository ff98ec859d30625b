import type { INodeParameters } from 'n8n-workflow';
import type { Emulator } from '../../../emulator';
import { startStrictEmulator } from '../engine/strictEmulator';
import { everyNode, isMainNode, nameOf, requestsOf } from '../upgrades/fixture';

/** Values of expressions that a row without the field, or with another type, gives. */
const ODD = ['={{ undefined }}', '={{ {} }}'];

/** The parameters of a node with an odd value in the place of each, also inside Options, and without it. */
function withOddValues(parameters: INodeParameters): Array<[path: string, changed: INodeParameters]> {
	return Object.entries(parameters).flatMap(([name, value]): Array<[string, INodeParameters]> => {
		if (['resource', 'operation'].includes(name)) return [];
		if (name === 'options') {
			return withOddValues(value as INodeParameters).map(([path, options]) => [
				`options.${path}`,
				{ ...parameters, options },
			]);
		}
		const { [name]: _left, ...others } = parameters;
		return [others, ...ODD.map((odd) => ({ ...parameters, [name]: odd }))].map((changed) => [name, changed]);
	});
}

const groups = new Map<string, Array<{ type: string; parameters: INodeParameters }>>();
const seen = new Set<string>();
for (const { type, parameters } of everyNode().filter((node) => isMainNode(node.type))) {
	const name = type.split('.')[1];
	for (const [path, changed] of withOddValues(parameters)) {
		const operation = nameOf(parameters.operation);
		// The utilities share their fields.
		const place = name === 'utilities' ? path : `${operation} ${path}`;
		const key = `${type} ${place} ${JSON.stringify(changed[path] ?? changed.options)}`;
		if (seen.has(key)) continue;
		seen.add(key);
		const title = `${name} ${operation}`;
		groups.set(title, [...(groups.get(title) ?? []), { type, parameters: changed }]);
	}
}

let emulator: Emulator;
beforeAll(async () => {
	emulator = await startStrictEmulator();
});
afterAll(async () => await emulator.close());

describe('A parameter that is missing or odd', () => {
	it.each([...groups])('is never "undefined" in a message: %s', async (_title, nodes) => {
		for (const node of nodes) {
			// Waiting takes seconds.
			const { parameters } = node;
			const quick = { ...node, parameters: { ...parameters, waitForCompletion: false } };
			const message = await requestsOf(quick, emulator, 'odd').then(() => '', String);
			// n8n does not resolve every expression.
			expect(message.replace('{{ undefined }}', '')).not.toMatch(/\bundefined\b/);
		}
	});
});
