import type { INodeParameters } from 'n8n-workflow';
import { groupBy } from '../../../nodes/shared/plain/values';
import { useEmulator } from '../engine/useEmulator';
import { everyNode, isMainNode, nameOf, requestsOf } from '../upgrades/fixture';

/** What an expression gives for a row without the field, or with another type; and no parameter at all. */
const ODD = ['={{ undefined }}', '={{ {} }}', undefined];

interface OddNode {
	path: string;
	odd: string | undefined;
	parameters: INodeParameters;
}

/** A node with an odd value in the place of each parameter, also inside Options. */
function withOddValues(parameters: INodeParameters): OddNode[] {
	return Object.entries(parameters).flatMap(([name, value]): OddNode[] => {
		if (['resource', 'operation'].includes(name)) return [];
		if (name !== 'options') {
			return ODD.map((odd) => ({
				path: name,
				odd,
				parameters: { ...parameters, [name]: odd },
			}));
		}
		return withOddValues(value as INodeParameters).map((one) => ({
			...one,
			path: `options.${one.path}`,
			parameters: { ...parameters, options: one.parameters },
		}));
	});
}

const nodes = everyNode()
	.filter(({ type }) => isMainNode(type))
	.flatMap(({ type, parameters }) =>
		withOddValues(parameters).map((one) => ({ ...one, type, operation: nameOf(parameters.operation) })),
	);
// The utilities share their fields.
const keyOf = ({ type, operation, path, odd }: (typeof nodes)[number]) =>
	[type, type.endsWith('.utilities') ? '' : operation, path, odd].join(' ');
const different = groupBy(nodes, keyOf).map(([one]) => one);
const groups = groupBy(different, ({ type, operation }) => `${type} ${operation}`);

const gateway = useEmulator(1e7);

describe('A parameter that is missing or odd', () => {
	it.each(groups.map((group) => ({ group, ...group[0] })))(
		'is never "undefined" in a message: $type $operation',
		async ({ group }) => {
			for (const { type, parameters } of group) {
				// Waiting takes seconds.
				const quick = { type, parameters: { ...parameters, waitForCompletion: false } };
				const message = await requestsOf(quick, gateway.emulator, 'odd').then(() => '', String);
				// n8n does not resolve every expression.
				expect(message.replace('{{ undefined }}', '')).not.toMatch(/\bundefined\b/);
			}
		},
	);
});
