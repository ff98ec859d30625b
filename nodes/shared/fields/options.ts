import type { INodeProperties } from 'n8n-workflow';
import { DEFAULT_TOTAL_MINUTES } from '../plain/budgets';
import { DEFAULT_MAX_RETRIES } from '../send/retry';
import { DEFAULT_MAX_RATE_LIMIT_RETRIES } from '../limiter/lane';
import { compareTexts } from '../plain/values';
import { spendingLimitsOption } from './spendingLimits';

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
	description: 'Maximum number of simultaneous requests, or 0 for as many as suit the gateway',
} satisfies INodeProperties;

export const MAX_RETRIES = {
	displayName: 'Max Retries',
	name: 'maxRetries',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 20 },
	default: DEFAULT_MAX_RETRIES,
	description: 'How often to resend a request when the gateway fails or cannot be reached',
} satisfies INodeProperties;

export const MAX_RATE_LIMIT_RETRIES = {
	displayName: 'Max Rate Limit Retries',
	name: 'maxRateLimitRetries',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 20 },
	default: DEFAULT_MAX_RATE_LIMIT_RETRIES,
	description: 'How often to resend a request that the gateway refuses because of a rate limit',
} satisfies INodeProperties;

export const REPEAT_WHEN_UNCLEAR = {
	displayName: 'Repeat When the Outcome Is Unclear',
	name: 'repeatWhenUnclear',
	type: 'boolean',
	default: false,
	description:
		'Whether to resend a request even if the gateway may have carried it out. You may then pay twice.',
} satisfies INodeProperties;

export const REUSE_RESULTS = {
	displayName: 'Reuse Results on Retry',
	name: 'reuseResults',
	type: 'boolean',
	default: true,
	description: 'Whether a retry of a failed run reuses what is already paid for, which is the default',
} satisfies INodeProperties;

/** The default depends on the endpoint; see {@link optionsField}. */
export const TIMEOUT = {
	displayName: 'Timeout (Seconds)',
	name: 'timeoutSeconds',
	type: 'number',
	typeOptions: { minValue: 0.1, maxValue: 86_400 },
	default: 60,
	description: 'How long to wait for a response, or for the next part of a file or stream',
} satisfies INodeProperties;

export const TOTAL_TIME_LIMIT = {
	displayName: 'Total Time Limit (Minutes)',
	name: 'totalTimeLimitMinutes',
	type: 'number',
	typeOptions: { minValue: 0.1, maxValue: 1440 },
	default: DEFAULT_TOTAL_MINUTES,
	description: 'How long a file or stream may take as a whole',
} satisfies INodeProperties;

export const HEADERS: INodeProperties = {
	displayName: 'Headers',
	name: 'headers',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	default: {},
	placeholder: 'Add header',
	description: 'Further headers, such as a tag for the bill. Secrets belong in the credential.',
	options: [
		{
			displayName: 'Header',
			name: 'values',
			values: [
				{
					displayName: 'Name',
					name: 'name',
					type: 'string',
					default: '',
					placeholder: 'e.g. X-Tag',
					description: 'Name of the header',
				},
				{
					displayName: 'Value',
					name: 'value',
					type: 'string',
					default: '',
					description: 'Without a value, the header is not sent',
				},
			],
		},
	],
};

export const EXTRA_BODY_FIELDS = {
	displayName: 'Extra Body Fields',
	name: 'extraBodyFields',
	type: 'json',
	default: '{}',
	description: 'JSON object to merge into the request body, for further fields',
} satisfies INodeProperties;

/**
 * The Options collection of a node: the options that all nodes have, and the operation's own.
 *
 * @param settings `timeoutSeconds` is the default of the operation's endpoint; `body` says whether the request has a
 *   JSON body that can be extended; `streams` whether answers may be files or event streams; `concurrency` whether the
 *   node sends several requests at once (default true); `limits` by what spending can be limited, besides cost, if
 *   something is paid for; `isSubNode` whether that counts for an execution, of which a retry reuses nothing
 */
export function optionsField(
	settings: {
		timeoutSeconds: number;
		body: boolean;
		streams?: boolean;
		concurrency?: boolean;
		limits?: 'tokens' | 'requests';
		isSubNode?: boolean;
	},
	own: INodeProperties[] = [],
): INodeProperties {
	const { body, streams = false, concurrency = true, limits, isSubNode = false } = settings;
	const entries: INodeProperties[] = [
		...own,
		...(concurrency ? [MAX_CONCURRENCY] : []),
		MAX_RETRIES,
		MAX_RATE_LIMIT_RETRIES,
		...(body ? [REPEAT_WHEN_UNCLEAR] : []),
		...(limits && !isSubNode ? [REUSE_RESULTS] : []),
		...(limits ? [spendingLimitsOption(limits)] : []),
		{ ...TIMEOUT, default: settings.timeoutSeconds },
		...(streams ? [TOTAL_TIME_LIMIT] : []),
		...(body ? [EXTRA_BODY_FIELDS] : []),
		HEADERS,
	];
	const options = entries.sort((one, other) => compareTexts(one.displayName, other.displayName));
	return { ...OPTIONS, options };
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
