import { numberOf } from './values';

/** Response headers as n8n's request helper returns them, with names in lower case. */
export type ResponseHeaders = Record<string, string | string[] | undefined>;

/** Returns a header as a single string: the first value if there are several. */
export function headerValue(headers: ResponseHeaders, name: string): string | undefined {
	const value = headers[name];
	return Array.isArray(value) ? value[0] : value;
}

/** The headers that report the cost of a request, and their unit as a fraction of the gateway's currency. */
const COST_HEADERS: Record<string, number> = {
	'x-litellm-response-cost': 1, // docs.litellm.ai/docs/proxy/response_headers
	'x-gammainfra-cost-usd': 1, // gammainfra.com/blog/cost-usd-header-explained.html
	'x-aimlapi-usd-spent': 1, // docs.aimlapi.com/capabilities/request-tracing-and-cost
	'x-aiand-cost-usd': 1, // Response Headers in the documentation of ai&
	'x-llmgw-cost': 0.01, // In cents: Response Headers in the documentation of Adastra LLMGW
};

/** Reads the cost of a request from its headers. 0 means an unknown price (LiteLLM, issue 13790) or a stream. */
export function costIn({ headers }: { headers: ResponseHeaders }): number | undefined {
	const costs = Object.entries(COST_HEADERS).map(
		([name, part]) => (numberOf(headerValue(headers, name)) ?? 0) * part,
	);
	return costs.find((cost) => cost > 0);
}

const MAX_ID_LENGTH = 200;

/** The names of the header with the ID of a request: of One API and New API, of most others, and of Anthropic. */
const REQUEST_IDS = ['x-oneapi-request-id', 'x-request-id', 'request-id'];

/** Returns the gateway's ID for this request, which its operator may ask for. */
export function requestIdOf(headers: ResponseHeaders): string | undefined {
	const ids = REQUEST_IDS.map((name) => headerValue(headers, name));
	return ids.find((id) => id !== undefined)?.slice(0, MAX_ID_LENGTH);
}

/** Returns the media type of a response, in lower case and without parameters. */
export function mediaTypeOf({ headers }: { headers: ResponseHeaders }): string {
	return (headerValue(headers, 'content-type') ?? '').split(';')[0].trim().toLowerCase();
}

const PARTIAL_CONTENT = 206;

/** Describes, as the rest of a sentence, a file of which only a part was sent unasked; undefined for a whole one. */
export function missingPart(status: number, headers: ResponseHeaders): string | undefined {
	const range = headerValue(headers, 'content-range') ?? '';
	const [, first, last, length] = /^bytes (\d+)-(\d+)\/(\d+|\*)$/i.exec(range.trim()) ?? [];
	const isWhole = first === '0' && (length === '*' || Number(last) + 1 === Number(length));
	return status !== PARTIAL_CONTENT || isWhole
		? undefined
		: `is only a part of the file (${range || 'status 206'})`;
}
