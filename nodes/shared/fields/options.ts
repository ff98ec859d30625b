import type { INodeProperties } from 'n8n-workflow';
import { DEFAULT_TOTAL_MINUTES } from '../http/budgets';
import { DEFAULT_MAX_RATE_LIMIT_RETRIES, DEFAULT_MAX_RETRIES } from '../pacing/retry';
import { type ChargedBy, runCeilingOption } from './ceiling';
import { compareTexts } from '../values';

/** The collection of optional parameters that every node has. */
export const OPTIONS = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
} satisfies INodeProperties;

export const MAX_CONCURRENCY = {
	displayName: 'Max Concurrency',
	name: 'maxConcurrency',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 100, numberPrecision: 0 },
	default: 0,
	description:
		'Maximum number of requests at the same time, or 0 for Automatic: as many as suit the gateway. The value of the first item applies to the whole run.',
} satisfies INodeProperties;

export const MAX_RETRIES = {
	displayName: 'Max Retries',
	name: 'maxRetries',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 20 },
	default: DEFAULT_MAX_RETRIES,
	description:
		'Maximum number of times to resend a request when the gateway fails or cannot be reached, after about one second, two, four, and so on, up to 30. A request whose outcome is unclear is resent only if Repeat When the Outcome Is Unclear is on, or if the credential has an Idempotency Header.',
} satisfies INodeProperties;

export const MAX_RATE_LIMIT_RETRIES = {
	displayName: 'Max Rate Limit Retries',
	name: 'maxRateLimitRetries',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 20 },
	default: DEFAULT_MAX_RATE_LIMIT_RETRIES,
	description:
		'Maximum number of times to resend a request that the gateway refuses because of a rate limit, or because it is busy and says for how long. The node waits as long as the gateway asks for. If it does not ask, or if that was not enough, the node waits longer each time, up to a minute. If this is not set, the node tries more often as long as other requests succeed.',
} satisfies INodeProperties;

export const REPEAT_WHEN_UNCLEAR = {
	displayName: 'Repeat When the Outcome Is Unclear',
	name: 'repeatWhenUnclear',
	type: 'boolean',
	default: false,
	description:
		'Whether to resend a request even if the gateway may have carried it out and charged for it, for example when a proxy answers with status 502 or 504, or when the connection is lost. You may then pay twice for one item.',
} satisfies INodeProperties;

export const REUSE_RESULTS = {
	displayName: 'Reuse Results on Retry',
	name: 'reuseResults',
	type: 'boolean',
	default: true,
	description:
		'Whether a retry of a failed run reuses the results that are already paid for and sends only what is missing or has changed. Applies to Retry in the list of executions and to Retry On Fail in the settings of the node. The value of the first item applies to the whole run.',
} satisfies INodeProperties;

export const SHARE_EQUAL = {
	displayName: 'Pay for Equal Requests Once',
	name: 'shareEqual',
	type: 'boolean',
	default: false,
	description:
		'Whether items of this run whose requests are exactly the same share one answer, which is paid for once. The value of the first item applies to the whole run.',
} satisfies INodeProperties;

export const ADD_SUMMARY = {
	displayName: 'Add Summary Item',
	name: 'addSummary',
	type: 'boolean',
	default: false,
	description:
		'Whether to add an item at the end of the output with what the run has used: requests, tokens, cost, and more, by model. The value of the first item applies to the whole run.',
} satisfies INodeProperties;

/** The default depends on the endpoint; see {@link optionsField}. */
export const TIMEOUT = {
	displayName: 'Timeout (Seconds)',
	name: 'timeoutSeconds',
	type: 'number',
	typeOptions: { minValue: 0.1, maxValue: 86_400 },
	default: 60,
	description:
		'How long to wait for a response from the gateway. For files and event streams, how long to wait for the next part of the content: comments and empty events do not count.',
} satisfies INodeProperties;

export const TOTAL_TIME_LIMIT = {
	displayName: 'Total Time Limit (Minutes)',
	name: 'totalTimeLimitMinutes',
	type: 'number',
	typeOptions: { minValue: 0.1, maxValue: 1440 },
	default: DEFAULT_TOTAL_MINUTES,
	description: 'How long a file or an event stream may take as a whole, even if content arrives all the time',
} satisfies INodeProperties;

export const EXTRA_BODY_FIELDS = {
	displayName: 'Extra Body Fields',
	name: 'extraBodyFields',
	type: 'json',
	default: '{}',
	description:
		'JSON object to merge into the request body, for fields of your gateway that this node does not have. Its fields override the other parameters.',
} satisfies INodeProperties;

/**
 * The Options collection of a node: the options that all nodes have, and the operation's own.
 *
 * @param settings `timeoutSeconds` is the default of the operation's endpoint; `body` says whether the request has a
 *   JSON body that can be extended; `streams` whether answers may be files or event streams; `concurrency` whether the node sends several requests at once (default true);
 *   `reuse` whether a retry can take over results (default `body`); `unclear` whether a request whose outcome is
 *   unclear is not repeated (default `body`); `ceiling` what its requests are charged by, if they are; `equal` whether equal requests can share one answer (default false)
 */
export function optionsField(
	settings: {
		timeoutSeconds: number;
		body: boolean;
		streams?: boolean;
		concurrency?: boolean;
		reuse?: boolean;
		unclear?: boolean;
		ceiling?: ChargedBy;
		equal?: boolean;
	},
	own: INodeProperties[] = [],
): INodeProperties {
	const {
		body,
		streams = false,
		concurrency = true,
		reuse = body,
		unclear = body,
		ceiling,
		equal = false,
	} = settings;
	const entries: INodeProperties[] = [
		...own,
		...(concurrency ? [MAX_CONCURRENCY] : []),
		MAX_RETRIES,
		MAX_RATE_LIMIT_RETRIES,
		...(unclear ? [REPEAT_WHEN_UNCLEAR] : []),
		...(reuse ? [REUSE_RESULTS] : []),
		...(ceiling ? [runCeilingOption(ceiling), ADD_SUMMARY] : []),
		...(equal ? [SHARE_EQUAL] : []),
		{ ...TIMEOUT, default: settings.timeoutSeconds },
		...(streams ? [TOTAL_TIME_LIMIT] : []),
		...(body ? [EXTRA_BODY_FIELDS] : []),
	];
	return {
		...OPTIONS,
		options: entries.sort((one, other) => compareTexts(one.displayName, other.displayName)),
	};
}

export const SIMPLIFY: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/** The name of the output field for a file. */
export const OUTPUT_FILE = {
	displayName: 'Put Output File in Field',
	name: 'binaryPropertyName',
	type: 'string',
	required: true,
	default: 'data',
	hint: 'The name of the output binary field to put the file in',
	description: 'Name of the binary field for the file in the output item',
} satisfies INodeProperties;

export const RETURN_ALL: INodeProperties = {
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
};

export const LIMIT: INodeProperties = {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 50,
	displayOptions: { show: { returnAll: [false] } },
	description: 'Max number of results to return',
};

/**
 * How many texts share a request.
 *
 * @param size the default
 */
export function batchSizeOption<Size extends number>(size: Size, description: string) {
	return {
		displayName: 'Batch Size',
		name: 'batchSize',
		type: 'number',
		typeOptions: { minValue: 1, numberPrecision: 0 },
		default: size,
		description,
	} satisfies INodeProperties;
}
