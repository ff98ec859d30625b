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

const PARTIAL_CONTENT = 206;

/** Says what is wrong with a file of which only a part was sent, although none was asked for, as the rest of a sentence. */
export function missingPart({
	status,
	headers,
}: {
	status: number;
	headers: ResponseHeaders;
}): string | undefined {
	const range = headerValue(headers, 'content-range') ?? '';
	const [, first, last, length] = /^bytes (\d+)-(\d+)\/(\d+|\*)$/i.exec(range.trim()) ?? [];
	const isWhole = first === '0' && (length === '*' || Number(last) + 1 === Number(length));
	return status !== PARTIAL_CONTENT || isWhole
		? undefined
		: `is only a part of the file (${range || 'status 206'})`;
}
