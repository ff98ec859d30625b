import type { INodeProperties } from 'n8n-workflow';

/** What the requests of a node are charged by, as far as it is known: tokens, characters of speech, or each request. */
export type ChargedBy = 'tokens' | 'characters' | 'requests';

export const MAX_RUN_REQUESTS: INodeProperties = {
	displayName: 'Max Requests',
	name: 'maxRequests',
	type: 'number',
	typeOptions: { minValue: 0, numberPrecision: 0 },
	default: 0,
	description: 'Maximum number of requests, or 0 for no limit',
};

export const MAX_RUN_TOKENS: INodeProperties = {
	displayName: 'Max Tokens',
	name: 'maxTokens',
	type: 'number',
	typeOptions: { minValue: 0, numberPrecision: 0 },
	default: 0,
	description: 'Maximum number of input and output tokens, or 0 for no limit',
};

export const MAX_RUN_COST: INodeProperties = {
	displayName: 'Max Cost',
	name: 'maxCost',
	type: 'number',
	typeOptions: { minValue: 0, numberPrecision: 6 },
	default: 0,
	description: 'Maximum cost, as reported or by price, or 0 for no limit',
};

const price = (displayName: string, name: string, description: string): INodeProperties => ({
	displayName,
	name,
	type: 'number',
	typeOptions: { minValue: 0, numberPrecision: 6 },
	default: 0,
	description,
});

export const PRICE_PER_REQUEST = price(
	'Price per Request',
	'pricePerRequest',
	'What each request costs. It is reserved before the request is sent, so that Max Cost is never exceeded.',
);
export const PRICE_PER_CHARACTERS = price(
	'Price per 1,000 Characters',
	'pricePerThousandCharacters',
	'What 1,000 characters of text cost. They are reserved before the request is sent, so that Max Cost is never exceeded.',
);
export const PRICE_OF_INPUT = price(
	'Price per Million Input Tokens',
	'pricePerMillionInputTokens',
	'What a million input tokens cost',
);
export const PRICE_OF_OUTPUT = price(
	'Price per Million Output Tokens',
	'pricePerMillionOutputTokens',
	'What a million output tokens cost',
);

const VALUES: Record<ChargedBy, INodeProperties[]> = {
	tokens: [MAX_RUN_REQUESTS, MAX_RUN_TOKENS, MAX_RUN_COST, PRICE_OF_INPUT, PRICE_OF_OUTPUT],
	characters: [MAX_RUN_REQUESTS, MAX_RUN_COST, PRICE_PER_CHARACTERS],
	requests: [MAX_RUN_REQUESTS, MAX_RUN_COST, PRICE_PER_REQUEST],
};

const NAME = 'runCeiling';

/** Run Ceiling as an entry of Options. */
export function runCeilingOption(by: ChargedBy): INodeProperties {
	return {
		displayName: 'Run Ceiling',
		name: NAME,
		type: 'fixedCollection',
		default: {},
		placeholder: 'Add limit',
		description: 'What this run may spend. At a limit, other items fail without being paid for.',
		options: [{ displayName: 'Limits', name: 'limits', values: VALUES[by] }],
	};
}

/** The entry with the limits. */
export const RUN_CEILING = { name: NAME, group: 'limits' };
