import { operationCase, operationCases, type OperationCase } from '../faults/operations';

const speech = operationCase('speech', 'create');

/** The operations, and some that need an answer of their own. */
export const dialectOperations: OperationCase[] = [
	...operationCases,
	{ ...operationCase('image', 'generate'), variant: 'several', rule: { images: { count: 3 } } },
	{
		...operationCase('image', 'generate', 'image in the JSON'),
		variant: 'several in the JSON',
		rule: { images: { count: 3, answerAs: 'b64_json' } },
	},
	{ ...speech, variant: 'WAV', parameters: { ...speech.parameters, format: 'wav' } },
];
