import { operationCase, operationCases, type OperationCase } from '../faults/operations';

/** Utilities that stand for all others: lists, objects, files, one whose data has words about itself, and an address. */
const UTILITIES = [
	'microblogHot',
	'worldNews',
	'ipAddress',
	'quote',
	'qrCode',
	'passwordCheck',
	'translate',
	'currentWeather',
	'getCustomEndpoint',
];

const speech = operationCase('speech', 'create');

/** The operations, the representative ones of Utilities, and some that need an answer of their own. */
export const dialectOperations: OperationCase[] = [
	...operationCases.filter(({ node, operation }) => node !== 'utilities' || UTILITIES.includes(operation)),
	{ ...operationCase('image', 'generate'), variant: 'several', rule: { images: { count: 3 } } },
	{
		...operationCase('image', 'generate', 'image in the JSON'),
		variant: 'several in the JSON',
		rule: { images: { count: 3, answerAs: 'b64_json' } },
	},
	{ ...speech, variant: 'WAV', parameters: { ...speech.parameters, format: 'wav' } },
];
