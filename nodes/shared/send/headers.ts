import type { GatewayFailure } from '../failure/failure';
import { toText } from '../plain/values';

export interface HeaderEntry {
	name?: unknown;
	value?: unknown;
}

/** Headers that a request has anyway, and those with which it could say that somebody else sends it. */
const RESERVED_HEADERS = new RegExp(
	`^(${[
		'accept.*|.*(access|api|secret|subscription)-?key|.*(secret|token)|(.*-)?(auth|authorization|authentication)',
		'connection|content-.*|(set-)?cookie.*|dpop|expect|host|keep-alive|proxy-.*|range|te|trailer|transfer-encoding|upgrade',
		'x-auth-.*|x-http-method.*|x-method-override|x-(original|rewrite)-url|x-remote-.*',
		// The sender's address as proxies pass it on: True-Client-IP (Akamai), CF-Connecting-IP, X-Real-IP (nginx).
		'(.*-)?forwarded(-.*)?|(.*-)?(client|connecting|real|source)-?(ip|ipv6|addr|address)|x-envoy-external-address|via',
	].join('|')})$`,
	'i',
);

/** Tells whether a header may have this name. */
export function isHeaderName(text: string): boolean {
	// Servers that read headers as variables (CGI, RFC 3875, section 4.1.18) know no difference between - and _.
	return /^[\w!#$%&'*+.^`|~-]{1,100}$/.test(text) && !RESERVED_HEADERS.test(text.replaceAll('_', '-'));
}

/** Tells whether a text can be sent in a header; Node refuses others only when it sends them. */
export function isHeaderValue(text: string): boolean {
	return !/[^\t\x20-\x7e\x80-\xff]/.test(text);
}

/**
 * Further headers of requests; an entry without a value is left out. @param taken names that the requests have already
 * @throws the result of `failure` for a header that cannot be sent
 */
export function readHeaders(
	entries: HeaderEntry[],
	taken: string[],
	failure: (what: string, advice: string) => GatewayFailure,
): Record<string, string> {
	const used = new Set(taken.map((name) => name.toLowerCase()));
	const filled = entries.map(({ name, value }) => [toText(name).trim(), toText(value).trim()] as const);
	const headers = filled.filter(([, value]) => value !== '');
	for (const [name, value] of headers) {
		const shown = name.slice(0, 100);
		if (!isHeaderName(name)) {
			throw failure(
				`cannot contain "${shown}"`,
				'Enter the name of a header that your gateway documents. The headers that authenticate requests, describe their content, or belong to the connection are set by the nodes and by the credential alone.',
			);
		}
		if (used.has(name.toLowerCase())) {
			throw failure(
				`contain "${shown}", which the requests have already`,
				'Keep one of the headers with this name, in the credential or in the node.',
			);
		}
		if (!isHeaderValue(value)) {
			throw failure(
				`contain a character in "${shown}" that cannot be sent`,
				'Enter a value in Latin letters, without line breaks.',
			);
		}
		used.add(name.toLowerCase());
	}
	return Object.fromEntries(headers);
}
