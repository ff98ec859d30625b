import type { IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';
import { jobs, type BareCall } from './bareJobs';

/**
 * A minimal node, which evaluates the prompt of each item and runs a job with n8n's helpers, a limited number of them
 * at the same time.
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
			{ displayName: 'Job', name: 'job', type: 'string', default: 'chat' },
		],
	},
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const shared: Omit<BareCall, 'prompt'> = {
			context: this,
			url: this.getNodeParameter('url', 0) as string,
			key: this.getNodeParameter('key', 0) as string,
		};
		const job = jobs[this.getNodeParameter('job', 0) as string];
		const count = this.getInputData().length;
		const results: INodeExecutionData[] = [];
		let next = 0;
		const worker = async () => {
			while (next < count) {
				const item = next++;
				const prompt = this.getNodeParameter('prompt', item) as string;
				results[item] = { ...(await job({ ...shared, prompt })), pairedItem: { item } };
			}
		};
		await Promise.all(
			Array.from({ length: this.getNodeParameter('concurrency', 0) as number }, async () => await worker()),
		);
		return [results];
	},
};
