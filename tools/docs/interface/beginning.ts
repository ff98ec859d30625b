import { section } from './row';

const MAIN = [
	'addresses',
	'are read without white space, slashes at the end, and the path of the API',
] as const;
const ALTERNATE = [
	'chatBatches',
	'uses the alternate address while the base address cannot be reached',
] as const;
const VERSION = ['credential', 'has the name and value of the credential, unless they are empty'] as const;
const CREATED = [
	'voiceModel',
	'creates a voice from two binary fields that is then in the list of own voices and usable for speech',
] as const;
const UTILITIES = [
	'everyUtility',
	'has exactly the paths of the emulator, and all of them were requested',
] as const;

/** Section 1, and what comes before it. */
export const beginning = [
	section('0', 'Addresses', [
		['Paths are written relative to {base_url}.', 'Credential › Base URL', MAIN],
		[
			'The same `/v1` paths are also reachable at a second address',
			'Credential › Alternate Base URL',
			ALTERNATE,
		],
		[
			'A third address, {lab_url}, is a web console for creating voice models.',
			'Voice Model › Create',
			CREATED,
			'The console is made for people. The node creates voices through the endpoint.',
		],
		[
			'identifiers that contain a vendor or platform name are written here with a neutral word',
			['Chat › Message a Model › Options › Custom Response Format', 'Credential › Messages Version Header'],
			VERSION,
		],
	]),
	section('1', 'What the service does', [
		[
			'A gateway that accepts JSON requests (and one multipart request)',
			'= All nodes',
			['speech', 'streams a short text in one request into a file with its actual type'],
		],
		[
			'Chat: one unified endpoint',
			[
				'Chat › Message a Model',
				'Chat › Message a Model (Messages Format)',
				'Chat › Message a Model (Generate Content Format)',
				'Chat Model',
			],
			['chat', 'has the same fields for %j'],
		],
		[
			'Image generation from a text prompt',
			'Image › Generate',
			['image', 'outputs an item and a file named after the prompt'],
		],
		[
			'Text-to-speech with built-in and user-created voice characters',
			['Speech › Create', 'Speech › Join Items'],
			['speech', 'streams a short text in one request into a file with its actual type'],
		],
		['creation of custom voice models from audio samples', 'Voice Model › Create', CREATED],
		[
			'Asynchronous music generation',
			['Music › Generate', 'Music › Get', 'Music › Wait'],
			[
				'music',
				'finishes 50 songs of 60 s one poll interval after the slowest, with the minimum of polls, five at once',
			],
		],
		[
			'Reranking of candidate documents',
			['Rerank › Rerank Input Items', 'Rerank › Rerank List', 'Reranker Model'],
			['rerank', 'returns 1,000 items in batches of 200 in exactly the order of a single request'],
		],
		[
			"Listing of the models available to the caller's key",
			'Account › Get Many Models',
			['account', 'lists all models of the gateway, simplified and raw'],
		],
		['Utility and information endpoints', 'Utilities', UTILITIES],
	]),
];
