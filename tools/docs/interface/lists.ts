import { section, type TestName } from './row';

const CUSTOM: TestName = [
	'music',
	'sends lyrics, style, and title in custom mode, and the vocal gender only with vocals',
];
const IDS: TestName = ['music', 'returns the IDs immediately when it does not wait'];
const FIRST: TestName = [
	'music',
	'returns tracks as items with their audio and cover, in the order of the input',
];
const TASK: TestName = [
	'music',
	'Get returns the progress of a pending task and the songs of a finished one',
];
const RANKED: TestName = [
	'rerank',
	'returns 1,000 items in batches of 200 in exactly the order of a single request',
];
const TOP: TestName = ['rerank', 'applies Minimum Score and Top N'];
const both = (label: string) => [`Rerank › Rerank Input Items › ${label}`, `Rerank › Rerank List › ${label}`];

/** Sections 4.8 to 4.13: music, rankings, lists, and what the utilities have in common. */
export const lists = [
	section('4.8', 'POST /v1/music/generations', [
		['prompt', ['Music › Generate › Prompt', 'Music › Generate › Lyrics'], CUSTOM],
		['model', 'Music › Generate › Model', FIRST],
		['custom_mode', 'Music › Generate › Custom Mode', CUSTOM],
		['style and title', ['Music › Generate › Style', 'Music › Generate › Title'], CUSTOM],
		['instrumental', 'Music › Generate › Instrumental', CUSTOM],
		['vocal_gender', 'Music › Generate › Vocal Gender', CUSTOM],
		['applies only when `instrumental` is false', 'Music › Generate › Vocal Gender', CUSTOM],
		[
			'Response: outer success marker `success`, and `data` with `task_id` and a `PENDING` status.',
			'Music › Generate › {taskId}',
			IDS,
		],
		[
			'The same operation is also referred to once as POST /v1/music/generate.',
			'Music › Generate › Options › Submit Path',
			['musicRoutes', 'have alternative paths'],
		],
	]),
	section('4.9', 'GET /v1/music/tasks/{task_id}', [
		[
			'Path parameter `task_id` (string).',
			['Music › Get › Task ID', 'Music › Wait › Task ID'],
			['endpoints', 'of a music task has the ID in its path, unless that would be another path'],
		],
		['Response: music task with outer success marker (2.9).', 'Music › Get › {status}', TASK],
		[
			'Recommended polling interval is 5 to 10 seconds',
			[
				'Music › Generate › Options › Poll Interval (Seconds)',
				'Music › Wait › Options › Poll Interval (Seconds)',
			],
			[
				'music',
				'finishes 50 songs of 60 s one poll interval after the slowest, with the minimum of polls, five at once',
			],
		],
		[
			'A second path, GET /v1/music/query',
			['Music › Get › Options › Query Path', 'Music › Get › Options › Query Parameter Name'],
			['musicRoutes', 'have alternative paths'],
		],
	]),
	section('4.10', 'POST /v1/rerank', [
		['model', both('Model'), RANKED],
		['query', both('Query'), RANKED],
		['documents', ['Rerank › Rerank Input Items › Text', 'Rerank › Rerank List › Documents'], RANKED],
		['top_n', both('Top N'), TOP],
		['Response: `results` (2.7).', 'Rerank › Rerank Input Items › {relevanceScore}', RANKED],
		[
			'Other fields of each result and of the response: not shown.',
			both('Simplify'),
			['rerankScores', 'leaves out what it need not know'],
		],
		[
			'Guidance: reranking helps most with 20 or more candidates; typical `top_n` is 3 to 5.',
			both('Top N'),
			TOP,
			'The node keeps all documents unless Top N is set, so that nothing is lost that was paid for.',
		],
	]),
	section('4.11', 'GET /v1/models', [
		[
			'No body.',
			'Account › Get Many Models',
			['account', 'lists all models of the gateway, simplified and raw'],
		],
		[
			'Returns the list of model objects accessible to the key (2.1).',
			['Account › Get Many Models', 'Credential › API Key'],
			['credentialTest', 'requests the list of models with the key, once, and says how many there are'],
		],
	]),
	section('4.12', 'Endpoints named but without shape', [
		[
			'POST /v1/embeddings (text to vectors)',
			['Embed › Embed Text', 'Embeddings Model'],
			['embed', 'returns the same numbers for base64 and float'],
		],
		[
			'GET /v1/dashboard/billing/subscription (account status check)',
			'Account › Get Subscription',
			['account', 'returns the limits, simplified and raw, with and without usage'],
		],
	]),
	section('4.13', 'Utility endpoints: what they have in common', [
		[
			'Base address of these endpoints: not shown.',
			'Credential › Utilities Base URL',
			['utilities', 'goes to Utilities Base URL, with or without the prefix of the endpoints'],
		],
		[
			'Shape of the `data` payload of each endpoint: not shown.',
			'Utilities › Custom Endpoint',
			['utilities', 'has one item per entry by default where the response is a list by nature'],
		],
		[
			'Optional query parameter `encoding` chooses the response format.',
			'= Every operation of Utilities that has encodings',
			['catalogue', 'has the encodings of the document for $path'],
		],
		[
			'Unless noted, the payload is wrapped in a uniform JSON envelope',
			'= Every operation of Utilities',
			['utilityOutputs', 'of $value can be turned off for the whole response'],
		],
		[
			'Field names ending in `_at` are 13-digit millisecond Unix timestamps',
			'= ISO text in simplified output, and unchanged without Simplify',
			['utilityOutputs', 'of $value is a narrow table that ends with addresses'],
		],
		[
			'Platform names in paths are replaced here by neutral words.',
			'= Options of every operation: Endpoint Path',
			['utilities', 'contains Extra Query Parameters and goes to Endpoint Path'],
		],
		[
			'Endpoints with parameters (all GET;',
			'Utilities',
			['catalogue', 'has every path of the document, once'],
		],
		[
			'Endpoints whose only parameter is `encoding`',
			'Utilities',
			['catalogue', 'has every path of the document, once'],
		],
	]),
];
