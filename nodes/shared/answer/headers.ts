/** Response headers as n8n's request helper returns them, with names in lower case. */
export type ResponseHeaders = Record<string, string | string[] | undefined>;

/** One header as a single string. */
export function headerValue(headers: ResponseHeaders, name: string): string | undefined {
	const value = headers[name];
	return Array.isArray(value) ? value[0] : value;
}

const MAX_ID_LENGTH = 200;

/** The gateway's ID for this request, for questions to its operator. */
export function requestIdOf(headers: ResponseHeaders): string | undefined {
	const id = headerValue(headers, 'x-oneapi-request-id') ?? headerValue(headers, 'x-request-id');
	return id?.slice(0, MAX_ID_LENGTH);
}

/** The media type of a response, in lower case and without parameters. */
export function mediaTypeOf({ headers }: { headers: ResponseHeaders }): string {
	return (headerValue(headers, 'content-type') ?? '').split(';')[0].trim().toLowerCase();
}
