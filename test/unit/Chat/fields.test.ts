import { NodeHelpers, type INodeParameters, type INodeProperties } from 'n8n-workflow';
import { Chat } from '../../../nodes/Chat/Chat.node';

const { properties } = new Chat().description;
const operation = properties.find(({ name }) => name === 'operation')!;
const values = (operation.options as Array<{ value: string }>).map(({ value }) => value);

/** The parameters that the editor shows for these values. */
function inSight(chosen: INodeParameters): INodeProperties[] {
	const all = NodeHelpers.getNodeParameters(properties, chosen, true, true, null, null)!;
	const shown = properties.filter((property) => NodeHelpers.displayParameter(all, property, null, null));
	return shown.filter(({ type }) => type !== 'hidden');
}

describe('The panel of Unified AI Chat', () => {
	it('begins with the operation that is right for nearly everybody', () => {
		expect(operation.default).toBe('chatCompletion');
		expect(operation.options![0]).toMatchObject({ name: 'Message a Model', value: 'chatCompletion' });
	});

	it.each(values.flatMap((value) => ['prompt', 'messages', 'json'].map((input) => [value, input] as const)))(
		'shows at most seven parameters above Options for %s with the input %s',
		(value, inputType) => {
			const names = inSight({ operation: value, inputType }).map(({ name }) => name);
			expect(names.splice(-3)).toEqual(['options', 'limits', 'spending']);
			expect(names.length).toBeLessThanOrEqual(7);
			expect(names.slice(0, 3)).toEqual(['operation', 'model', 'inputType']);
		},
	);

	it('names the other formats, and says when to use them', () => {
		const [, ...others] = operation.options as Array<{ name: string; description: string }>;
		for (const { name, description } of others) {
			expect(name).toMatch(/^Message a Model \(.+ Format\)$/);
			expect(description).toMatch(/^For /);
		}
	});
});
