import type { INodeProperties } from 'n8n-workflow';

export const MAX_RUN_REQUESTS: INodeProperties = {
	displayName: 'Max Requests',
	name: 'maxRunRequests',
	type: 'number',
	typeOptions: { minValue: 0, numberPrecision: 0 },
	default: 0,
	description: 'Maximum number of paid requests, or 0 for no limit. After that, nothing more is sent.',
};

export const MAX_RUN_TOKENS: INodeProperties = {
	displayName: 'Max Tokens',
	name: 'maxRunTokens',
	type: 'number',
	typeOptions: { minValue: 0, numberPrecision: 0 },
	default: 0,
	description:
		'Maximum number of input and output tokens, or 0 for no limit. After that, nothing more is sent.',
};

export const MAX_RUN_COST: INodeProperties = {
	displayName: 'Max Cost',
	name: 'maxRunCost',
	type: 'number',
	typeOptions: { minValue: 0, numberPrecision: 6 },
	default: 0,
	description:
		'Maximum cost as far as the gateway reports it, or 0 for no limit. After that, nothing more is sent.',
};
