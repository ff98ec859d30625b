import type { IDataObject, IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';

/**
 * The least that a node could do: it evaluates the prompt of each item and calls n8n's request helper, so many
 * at a time. With `patient` it also waits out `Retry-After`, as a careful author would.
 */
export const loopNode: INodeType = {
	description: {
		displayName: 'Bare Loop',
		name: 'loop',
		group: ['transform'],
		version: 1,
		description: 'A bare helper loop',
		defaults: { name: 'Bare Loop' },
		inputs: ['main'],
		outputs: ['main'],
		properties: [
			{ displayName: 'URL', name: 'url', type: 'string', default: '' },
			{ displayName: 'Key', name: 'key', type: 'string', default: '' },
			{ displayName: 'Prompt', name: 'prompt', type: 'string', default: '' },
			{ displayName: 'Concurrency', name: 'concurrency', type: 'number', default: 1 },
			{ displayName: 'Patient', name: 'patient', type: 'boolean', default: false },
		],
	},
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const url = this.getNodeParameter('url', 0) as string;
		const key = this.getNodeParameter('key', 0) as string;
		const patient = this.getNodeParameter('patient', 0) as boolean;
		const count = this.getInputData().length;
		const results: INodeExecutionData[] = [];
		let next = 0;
		const lane = async () => {
			while (next < count) {
				const item = next++;
				const content = this.getNodeParameter('prompt', item) as string;
				const json = await answer(this, url, key, content, patient);
				results[item] = { json, pairedItem: { item } };
			}
		};
		await Promise.all(
			Array.from({ length: this.getNodeParameter('concurrency', 0) as number }, async () => await lane()),
		);
		return [results];
	},
};

async function answer(
	context: IExecuteFunctions,
	url: string,
	key: string,
	content: string,
	patient: boolean,
): Promise<IDataObject> {
	for (;;) {
		const response = (await context.helpers.httpRequest({
			method: 'POST',
			url,
			headers: { authorization: `Bearer ${key}` },
			body: { model: 'aurora-4-mini', messages: [{ role: 'user', content }] },
			json: true,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
		})) as { statusCode: number; headers: Record<string, string>; body: IDataObject };
		if (response.statusCode === 200) return response.body;
		if (!patient || response.statusCode !== 429) return { error: `status ${response.statusCode}` };
		const seconds = Number(response.headers['retry-after'] ?? 1);
		await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
	}
}
