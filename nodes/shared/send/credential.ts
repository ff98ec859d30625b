import type { IExecuteFunctions } from 'n8n-workflow';
import { settingsFailure } from '../failure/words';
import { hostFailure, type GatewayFailure } from '../failure/failure';
import { Redactor } from '../answer/redactor';
import type { Wiring } from './wiring';
import { numberOf, toText } from '../plain/values';

export const CREDENTIAL_TYPE = 'unifiedAiGatewayApi';

/** The fields of the credential, as n8n passes them to a node. */
export interface GatewayCredential extends Partial<Wiring> {
	baseUrl: string;
	apiKey: string;
	alternateBaseUrl?: string;
	utilitiesBaseUrl?: string;
	messagesAuthentication?: 'bearer' | 'xApiKey';
	messagesVersionHeader?: string;
	messagesVersion?: string;
	/** 0 for no limit. */
	requestsPerMinute?: number;
	/** Name of the header for idempotency keys; empty for none. */
	idempotencyHeader?: string;
	headers?: { values?: CredentialHeader[] };
}

interface CredentialHeader extends HeaderEntry {
	/** True if its value is hidden like the key, which is the default. */
	isSecret?: boolean;
}

/** Returns the credential that is selected in a node. */
export async function credentialOf(
	context: Pick<IExecuteFunctions, 'getCredentials' | 'getNode'>,
): Promise<GatewayCredential> {
	try {
		return await context.getCredentials<GatewayCredential>(CREDENTIAL_TYPE);
	} catch (error) {
		const { name, credentials } = context.getNode();
		throw settingsFailure(
			credentials?.[CREDENTIAL_TYPE]
				? `The credential of the node "${name}" cannot be used: ${hostFailure(error).message}`
				: `No credential is selected in the node "${name}"`,
			'Open the node. Under Credential, select the credential of your gateway, or create one.',
		);
	}
}

/** Returns the key alone: a copied key often has blanks around it, or "Bearer" before it, as in the header. */
function keyOf({ apiKey }: GatewayCredential): string {
	return (apiKey ?? '').trim().replace(/^(bearer(\s+|$))+/i, '');
}

const headerEntries = ({ headers }: GatewayCredential) => headers?.values ?? [];

/** Reads Requests per Minute; 0 for no limit. Throws if it cannot be read, so that no limit is ignored silently. */
export function requestsPerMinuteOf({ requestsPerMinute }: GatewayCredential): number {
	const limit = numberOf(requestsPerMinute || 0) ?? -1;
	if (limit >= 0) return limit;
	throw settingsFailure(
		'Requests per Minute in the credential is not a number from 0',
		'Enter the limit of your account, or 0 for no fixed limit.',
	);
}

/** Creates a redactor for the key of a credential, and nothing else. */
export function keyRedactorOf(credential: GatewayCredential): Redactor {
	return new Redactor([keyOf(credential)]);
}

/** Creates a redactor for the key of a credential, and the values of its secret headers. */
export function redactorOf(credential: GatewayCredential): Redactor {
	const secret = headerEntries(credential).filter(({ isSecret }) => isSecret !== false);
	return new Redactor([keyOf(credential), ...secret.map(({ value }) => toText(value))]);
}

function furtherHeaders(credential: GatewayCredential): Record<string, string> {
	return readHeaders(headerEntries(credential), namedHeaders(credential), (what, advice) =>
		settingsFailure(`Headers in the credential ${what}`, advice),
	);
}

/** Returns the names of headers in other fields of the credential. */
function namedHeaders({ messagesVersionHeader, idempotencyHeader }: GatewayCredential): string[] {
	return [versionHeaderOf(messagesVersionHeader), idempotencyHeader?.trim() ?? ''];
}

const versionHeaderOf = (name: string | undefined) => name?.trim() || 'msgapi-version';

/** Matches a URL of the messages endpoint (interface, 4.2), even at an address with another version. */
const MESSAGES_ENDPOINT = /\/v\d\w*(\/openai)?\/messages\/?(\?|$)/i;

/**
 * Returns the headers that a credential adds to a request: those that the user wants, a bearer token (interface,
 * section 5), and for the messages endpoint its version, and `x-api-key` instead if the credential says so.
 */
export function credentialHeaders(credential: GatewayCredential, url: string): Record<string, string> {
	const messages = MESSAGES_ENDPOINT.test(url);
	const key = keyOf(credential);
	const usesOwnHeader = messages && credential.messagesAuthentication === 'xApiKey';
	const headers: Record<string, string> = {
		...furtherHeaders(credential),
		...(usesOwnHeader ? { 'x-api-key': key } : { Authorization: `Bearer ${key}` }),
	};
	if (messages) {
		headers[versionHeaderOf(credential.messagesVersionHeader)] =
			credential.messagesVersion?.trim() || '2023-06-01';
	}
	return headers;
}

/**
 * Checks that fields can be sent as headers: Node refuses other characters only when it sends them.
 *
 * @returns the names of the headers that nothing else may set
 */
export function checkHeaderFields(credential: GatewayCredential): string[] {
	const { messagesVersion = '', messagesVersionHeader, idempotencyHeader } = credential;
	const key = keyOf(credential);
	if (key === '') {
		throw settingsFailure(
			'API Key in the credential is empty',
			'Enter the key that you created in the console of your gateway.',
		);
	}
	if (/\s/.test(key)) {
		throw settingsFailure(
			'API Key in the credential contains a space or a line break',
			'Enter the key again, as one word and without anything before or after it.',
		);
	}
	for (const [field, text] of Object.entries({ 'API Key': key, 'Messages Version': messagesVersion })) {
		if (isHeaderValue(text.trim())) continue;
		throw settingsFailure(
			`${field} in the credential contains a character that cannot be sent`,
			'Enter it again, without line breaks, spaces, or characters of other scripts.',
		);
	}
	checkHeaderName('Messages Version Header', messagesVersionHeader);
	checkHeaderName('Idempotency Header', idempotencyHeader, ', for example Idempotency-Key');
	return [...namedHeaders(credential), ...Object.keys(furtherHeaders(credential))];
}

function checkHeaderName(field: string, text = '', example = ''): void {
	const name = text.trim();
	if (name === '' || isHeaderName(name)) return;
	throw settingsFailure(
		`${field} in the credential cannot be "${name.slice(0, 100)}"`,
		`Enter the name of the header that the documentation of your gateway gives${example}, or leave the field empty.`,
	);
}

interface HeaderEntry {
	name?: unknown;
	value?: unknown;
}

/** Matches headers that a request has anyway, and those that could pretend that somebody else has sent it. */
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

function isHeaderName(text: string): boolean {
	// Servers that read headers as variables (CGI, RFC 3875, section 4.1.18) do not tell - and _ apart.
	return /^[\w!#$%&'*+.^`|~-]{1,100}$/.test(text) && !RESERVED_HEADERS.test(text.replaceAll('_', '-'));
}

/** Tells whether a text can be sent in a header; Node refuses other texts only when it sends them. */
function isHeaderValue(text: string): boolean {
	return !/[^\t\x20-\x7e\x80-\xff]/.test(text);
}

/**
 * Reads further headers of requests, without entries that have no value. @param taken names that the requests already
 * have @throws the result of `failure` for a header that cannot be sent
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
