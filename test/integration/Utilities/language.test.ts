import type { INodeParameters } from 'n8n-workflow';
import { catalogue } from '../../../nodes/Utilities/catalogue';
import { oneNode, runWorkflow } from '../engine/runWorkflow';
import { useEmulator } from '../engine/useEmulator';
import { filledIn } from './utilityValues';

const gateway = useEmulator(3.4e7);

/** What the user asks for decides the language, which the description then does not promise. */
const AS_ASKED = ['lyrics', 'pageMetadata', 'qrCode', 'translate', 'whois'];
const others = catalogue.filter(({ value }) => !AS_ASKED.includes(value));

const isChinese = (value: unknown) => /\p{Script=Han}/u.test(JSON.stringify(value));

async function fieldsOf(operation: string, parameters: INodeParameters): Promise<unknown[]> {
	const settings = { operation, ...filledIn[operation], ...parameters };
	const { items, error } = await runWorkflow(oneNode('utilities', settings), {
		credential: gateway.credential(),
	});
	expect(error).toBeUndefined();
	return items.map(({ json }) => json);
}

describe('The description', () => {
	it.each(others)('of $value says whether its fields are in Chinese', async (utility) => {
		const { value, description, encodings } = utility;
		const fields = await fieldsOf(value, encodings.length > 0 ? { encoding: 'json' } : {});
		expect([description, isChinese(fields)]).toEqual([description, / in Chinese\b/.test(description)]);
	});

	it('of the others promises no language', () => {
		const promised = catalogue.filter(({ value }) => AS_ASKED.includes(value));
		expect(promised.filter(({ description }) => description.includes('Chinese'))).toEqual([]);
	});
});

describe('A list', () => {
	it.each(catalogue.filter(({ output }) => output))(
		'becomes items only if the action of $value says many',
		async ({ value, action, encodings }) => {
			const fields = await fieldsOf(value, encodings.length > 0 ? { encoding: 'json' } : {});
			if (!/^get many /.test(action)) expect(fields).toHaveLength(1);
			else expect(fields.length).toBeGreaterThan(1);
		},
	);
});
