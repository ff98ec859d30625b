import type { WorkflowNode } from '../n8nTypes';
import { byId, type Mistake, ours, rows } from './mistake';

const reranker = byId('reranker-v2-m3');

function rerankItems(parameters: object): WorkflowNode[] {
	const given = { model: reranker, query: 'Which is the second?', text: '={{ $json.text }}' };
	const rerank = ours('rerank', { operation: 'rerankInputItems', ...given, ...parameters });
	return [...rows({ text: 'One' }, { text: 'Two' }), rerank];
}

function embed(parameters: object): WorkflowNode {
	return ours('embed', {
		operation: 'embedText',
		model: byId('embedding-3-small'),
		text: 'One',
		...parameters,
	});
}

function utility(operation: string, parameters: object): WorkflowNode[] {
	return [ours('utilities', { operation, ...parameters })];
}

const isMissing = ['Text is empty', 'expression'];

/** Mistakes in Rerank, Embed, and Utilities. */
export const dataMistakes: Mistake[] = [
	{ name: 'empty query', nodes: rerankItems({ query: '' }), says: ['"Query" is required'] },
	{
		name: 'wrong JSON in documents',
		nodes: [
			ours('rerank', {
				operation: 'rerankList',
				model: reranker,
				query: 'Which?',
				documents: '["One", "Two"',
			}),
		],
		says: ['Documents starts like a JSON list, but is not valid JSON', 'closing bracket'],
	},
	{
		name: 'documents from a field that does not exist',
		nodes: rerankItems({ text: '={{ $json.body }}' }),
		says: isMissing,
	},
	{
		name: 'number as a word',
		nodes: rerankItems({ topN: '={{ "three" }}' }),
		says: ['Top N is not a number: "three"', 'Enter a number'],
	},
	{
		name: 'text to embed from a field that does not exist',
		nodes: [...rows({ text: 'One' }), embed({ text: '={{ $json.body }}' })],
		says: isMissing,
	},
	{
		name: 'chat model in Embed',
		nodes: [embed({ model: byId('aurora-4-mini') })],
		says: ['"aurora-4-mini" cannot be used for embeddings', 'select Model from the list'],
	},
	{
		name: 'translation without a text',
		nodes: utility('translate', { text: '' }),
		says: ['"Text" is required'],
	},
	{
		name: 'unknown city',
		nodes: utility('currentWeather', { query: 'Xyzzyville' }),
		says: ['The gateway found nothing', 'Try the Chinese name of "Xyzzyville"'],
	},
	{
		name: 'unknown endpoint',
		nodes: utility('getCustomEndpoint', { path: 'horoscopes' }),
		says: ['The gateway found nothing', 'Check Prefix, Path, and Query Parameters'],
	},
	{
		name: 'endpoint without a path',
		nodes: utility('getCustomEndpoint', { path: '' }),
		says: ['"Path" is required'],
	},
	{
		name: 'date that is not a date',
		nodes: utility('aiNews', { options: { date: '={{ "yesterday" }}' } }),
		says: ['Date is not a date: "yesterday"', 'YYYY-MM-DD'],
	},
	{
		name: 'height of zero',
		nodes: utility('healthReport', { weight: 70, age: 30, gender: 'female' }),
		says: ['Height (cm) is 0, but must be 1 or more'],
	},
	{
		name: 'address of another server',
		nodes: utility('getCustomEndpoint', { path: 'https://example.com/v2/apis/quote' }),
		says: ['Path is a whole URL', 'Enter just the path'],
	},
];
