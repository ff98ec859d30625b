import type { INodeProperties } from 'n8n-workflow';

const MAX_CONCURRENCY: INodeProperties = {
	displayName: 'Max Concurrency',
	name: 'maxConcurrency',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 100 },
	default: 5,
	description:
		'How many requests to the gateway may be under way at once. The value of the first item counts for the whole run.',
};

const MAX_RETRIES: INodeProperties = {
	displayName: 'Max Retries',
	name: 'maxRetries',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 20 },
	default: 6,
	description:
		'How often a request is sent again when the gateway is busy or out of order, with growing waits in between. A request that may already have been paid for is never sent again.',
};

function timeout(seconds: number): INodeProperties {
	return {
		displayName: 'Timeout (Seconds)',
		name: 'timeoutSeconds',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: seconds,
		description: 'How long to wait for one answer of the gateway',
	};
}

const EXTRA_BODY_FIELDS: INodeProperties = {
	displayName: 'Extra Body Fields',
	name: 'extraBodyFields',
	type: 'json',
	default: '{}',
	description:
		'JSON object that is merged into the request and wins over the other parameters, so that a newer field of your gateway can be used at once',
};

/**
 * The Options collection of an action node: what every node has, and the operation's own entries.
 *
 * @param settings `timeoutSeconds` is the default of the operation's endpoint; `body` says whether the
 *   request has a JSON body that can be extended; `concurrency` whether the node sends several at once (it does)
 */
export function optionsField(
	settings: { timeoutSeconds: number; body: boolean; concurrency?: boolean },
	own: INodeProperties[] = [],
): INodeProperties {
	const entries = [
		...own,
		...(settings.concurrency === false ? [] : [MAX_CONCURRENCY]),
		MAX_RETRIES,
		timeout(settings.timeoutSeconds),
		...(settings.body ? [EXTRA_BODY_FIELDS] : []),
	];
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: entries.sort((one, other) => one.displayName.localeCompare(other.displayName)),
	};
}

/** The Simplify switch. */
export const simplifyField: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/** The name of the output field for a file. */
export const outputFileField: INodeProperties = {
	displayName: 'Put Output File in Field',
	name: 'binaryPropertyName',
	type: 'string',
	required: true,
	default: 'data',
	hint: 'The name of the output binary field to put the file in',
	description: 'Name of the field in which the file leaves the node',
};

/** Return All and Limit, for operations that list things. */
export const listFields: INodeProperties[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		displayOptions: { show: { returnAll: [false] } },
		description: 'Max number of results to return',
	},
];
