import type { INodeProperties } from 'n8n-workflow';
import { DEFAULT_TOTAL_MINUTES } from '../plain/budgets';
import type { Endpoint } from '../send/endpoints';
import { DEFAULT_MAX_RETRIES } from '../send/retry';
import { DEFAULT_MAX_RATE_LIMIT_RETRIES } from '../limiter/lane';
import { compareTexts } from '../plain/values';
import { flagField, headersField, numberField, textField } from './field';

const list = (displayName: string, name: string, placeholder: string) =>
	({ displayName, name, type: 'collection', placeholder, default: {} }) satisfies INodeProperties;

const OPTIONS = list('Options', 'options', 'Add option');
const LIMITS = list('Limits and Retries', 'limits', 'Add limit');
const SPENDING = list('Spending Limits', 'spending', 'Add spending limit');

/** The lists of optional parameters. They are read as one, so no two options may have the same name. */
export const OPTION_LISTS = [OPTIONS, LIMITS, SPENDING];
/** The lists with options of a whole run. */
export const RUN_LISTS = [LIMITS, SPENDING];

export const PARALLEL_REQUESTS = numberField(
	'Parallel Requests',
	'parallelRequests',
	1,
	'How many requests are sent at the same time. Without it, as many as the gateway can handle. Those in progress at a stop may be charged.',
	{ typeOptions: { minValue: 1, maxValue: 100, numberPrecision: 0 } },
);

export const MAX_RETRIES = numberField(
	'Max Retries',
	'maxRetries',
	DEFAULT_MAX_RETRIES,
	'How many times to resend a request when the gateway fails or cannot be reached',
	{ typeOptions: { minValue: 0, maxValue: 20, numberPrecision: 0 } },
);

export const MAX_RATE_LIMIT_RETRIES = numberField(
	'Max Rate Limit Retries',
	'maxRateLimitRetries',
	DEFAULT_MAX_RATE_LIMIT_RETRIES,
	'How many times to resend a request that the gateway refuses because of a rate limit',
	{ typeOptions: { minValue: 0, maxValue: 20, numberPrecision: 0 } },
);

export const RETRY_UNCLEAR = flagField(
	'Resend Unclear Requests',
	'retryUnclear',
	'Whether to resend a request that may have been carried out, and may then be charged twice',
);

export const PAY_AGAIN = flagField(
	'Start Over on Retry',
	'payAgain',
	'Whether a retry of a failed run pays for everything again, instead of reusing paid results',
);

/** The default depends on the endpoint; see {@link optionFields}. */
export const TIMEOUT = numberField(
	'Timeout (Seconds)',
	'timeoutSeconds',
	60,
	'How long to wait for a response, or for the next part of a file or stream',
	{ typeOptions: { minValue: 0.1, maxValue: 86_400 } },
);

export const TOTAL_TIME_LIMIT = numberField(
	'Total Time Limit (Minutes)',
	'totalTimeLimitMinutes',
	DEFAULT_TOTAL_MINUTES,
	'How long a file or stream may take as a whole',
	{ typeOptions: { minValue: 0.1, maxValue: 1440 } },
);

export const HEADERS = headersField(
	'Further headers, such as a billing tag. Secrets belong in the credential.',
	'e.g. X-Tag',
);

export const EXTRA_BODY_FIELDS = {
	displayName: 'Extra Body Fields',
	name: 'extraBodyFields',
	type: 'json',
	default: '{}',
	description: 'JSON object to merge into the request body, for further fields',
} satisfies INodeProperties;

export const INCLUDE_INPUT_FIELDS = flagField(
	'Include Input Fields',
	'includeInputFields',
	"Whether the output keeps the fields of the input item. The answer's fields replace those of the same name.",
);

/** @param preset the value of the limit when the user adds it; there is no limit before that */
const most = (displayName: string, name: string, preset: number, what: string, numberPrecision = 0) =>
	numberField(displayName, name, preset, `Maximum ${what}, or 0 for no limit`, {
		typeOptions: { minValue: 0, numberPrecision },
	});

export const MAX_REQUESTS = most(
	'Max Requests',
	'maxRequests',
	100,
	'number of paid requests in an execution (a sub-workflow for each item has one of its own)',
);
export const MAX_TOTAL_TOKENS = most(
	'Max Total Tokens',
	'maxTotalTokens',
	100_000,
	'number of input and output tokens in an execution',
);
export const MAX_COST = most('Max Cost', 'maxCost', 1, 'cost that the gateway reports, in its currency', 6);

/** The measures that can limit spending: requests and their cost; `tokens` adds the number of tokens. */
type Pays = 'cost' | 'tokens';

/**
 * Returns the lists of optional parameters of a node: the options that all nodes have, and the operation's own. A list
 * without options is left out.
 *
 * @param settings `streams`: whether answers may be files or event streams; `parallel`: whether the node sends several
 * requests at once (default: true); `pays`: the measures that can limit spending, if requests are paid for;
 * `isSubNode`: whether it is a sub-node, where a retry reuses nothing
 */
export function optionFields(
	{ method, timeoutSeconds }: Pick<Endpoint, 'method' | 'timeoutSeconds'>,
	settings: { streams?: boolean; parallel?: boolean; pays?: Pays; isSubNode?: boolean } = {},
	own: INodeProperties[] = [],
	ownLimits: INodeProperties[] = [],
): INodeProperties[] {
	const { streams = false, parallel = true, pays, isSubNode = false } = settings;
	const body = method === 'POST';
	const options = [...own, ...(body ? [EXTRA_BODY_FIELDS] : []), HEADERS];
	const limits = [
		...ownLimits,
		...(parallel ? [PARALLEL_REQUESTS] : []),
		MAX_RETRIES,
		MAX_RATE_LIMIT_RETRIES,
		...(body ? [RETRY_UNCLEAR] : []),
		...(pays && !isSubNode ? [PAY_AGAIN] : []),
		{ ...TIMEOUT, default: timeoutSeconds },
		...(streams ? [TOTAL_TIME_LIMIT] : []),
	];
	const spending = [
		...(pays ? [MAX_REQUESTS, MAX_COST] : []),
		...(pays === 'tokens' ? [MAX_TOTAL_TOKENS] : []),
	];
	return [
		{ ...OPTIONS, options },
		{ ...LIMITS, options: limits },
		{ ...SPENDING, options: spending },
	]
		.filter((one) => one.options.length > 0)
		.map((one) => ({
			...one,
			options: one.options.sort((first, second) => compareTexts(first.displayName, second.displayName)),
		}));
}

export const SIMPLIFY = flagField(
	'Simplify',
	'simplify',
	'Whether to return a simplified version of the response instead of the raw data',
);

export const OUTPUT_FILE = textField(
	'Put Output File in Field',
	'binaryPropertyName',
	'Name of the binary field for the file in the output item',
	{ default: 'data', required: true, hint: 'The name of the output binary field to put the file in' },
);

export const RETURN_ALL = flagField(
	'Return All',
	'returnAll',
	'Whether to return all results or only up to a given limit',
	{ default: false },
);

export const LIMIT = numberField('Limit', 'limit', 50, 'Max number of results to return', {
	typeOptions: { minValue: 1, numberPrecision: 0 },
	displayOptions: { show: { returnAll: [false] } },
});
