import { NodeHelpers, type INode, type INodeParameters, type INodeProperties } from 'n8n-workflow';
import { nodeTypes, oneNode, runWorkflow } from './runWorkflow';
import { useEmulator } from './useEmulator';

const gateway = useEmulator(4.6e7);
const byId = (value: string) => ({ __rl: true, mode: 'id', value });
const isRemoved = ({ type, displayName }: INodeProperties) =>
	type === 'notice' && displayName.includes(' no longer exists. ');
const typeOf = (name: string) => nodeTypes[`n8n-nodes-unified-ai-gateway.${name}`].description;

/** As an earlier version saved them. */
const options: INodeParameters = {
	addSummary: true,
	runCeiling: { limits: { maxRequests: 3 } },
	shareEqual: false,
};
const chat = (more: INodeParameters): INodeParameters => ({
	operation: 'chatCompletion',
	model: byId('aurora-4'),
	prompt: 'Hello',
	options: more,
});

describe('An option that no longer exists', () => {
	const { properties } = typeOf('chat');
	const keptOf = (parameters: INodeParameters, withDefaults: boolean) => {
		const node = { name: 'Node', type: 'chat', typeVersion: 1, parameters } as INode;
		return NodeHelpers.getNodeParameters(properties, parameters, withDefaults, false, node, typeOf('chat'));
	};

	it.each([true, false])(
		'stays in a saved workflow, and appears in no other (defaults: %s)',
		(withDefaults) => {
			expect(keptOf(chat(options), withDefaults)).toMatchObject({ options });
			expect(keptOf(chat({ maxRetries: 1 }), withDefaults)).toMatchObject({ options: { maxRetries: 1 } });
		},
	);

	it('is a notice in the editor, only where it is set', () => {
		const collections = properties.filter(({ name }) => name === 'options');
		const entries = (collections[0].options as INodeProperties[]).filter(isRemoved);
		expect(entries.map(({ name }) => name).sort()).toEqual([
			...['addSummary', 'repairJson', 'runCeiling', 'shareEqual'],
		]);
		const shown = (parameters: INodeParameters) =>
			entries.filter((entry) =>
				NodeHelpers.displayParameterPath({ parameters }, entry, 'parameters.options', null, typeOf('chat')),
			);
		expect(shown(chat({ maxRetries: 1 }))).toEqual([]);
		expect(shown(chat(options)).map(({ name }) => name)).toEqual(Object.keys(options));
	});

	it.each<[string, INodeParameters, string]>([
		['Pay for Equal Requests Once', chat({ shareEqual: true }), "n8n's Remove Duplicates node"],
		['Add Summary Item', chat({ addSummary: true }), 'A hint after each run'],
		[
			'Run Ceiling',
			chat({ runCeiling: { limits: { maxCost: 1, pricePerRequest: 1 } } }),
			'Set Spending Limits',
		],
		['Repair Invalid JSON', chat({ repairJson: true }), 'Send the schema as a field'],
	])('ends a run before anything is sent: %s', async (name, parameters, advice) => {
		const { error } = await runWorkflow(oneNode('chat', parameters), { credential: gateway.credential() });
		expect(error?.message).toBe(`${name} no longer exists [item 0]`);
		expect(error?.description).toContain('Replace this node by a new one.');
		expect(error?.description).toContain(advice);
		expect(gateway.emulator.journal.count()).toBe(0);
	});

	it('does not matter if it was turned off', async () => {
		const workflow = oneNode('chat', chat({ shareEqual: false }));
		const { error } = await runWorkflow(workflow, { credential: gateway.credential() });
		expect(error).toBeUndefined();
	});

	it.each(
		Object.values(nodeTypes).flatMap(({ description }) =>
			description.properties
				.filter(
					({ name, options: entries }) =>
						name === 'options' && entries?.some((one) => isRemoved(one as INodeProperties)),
				)
				.map((collection) => [description.name, collection] as const),
		),
	)('has no name that %s still uses', (_name, { options: entries = [] }) => {
		const names = entries.map(({ name }) => name);
		expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
	});
});
