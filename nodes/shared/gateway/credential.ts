import { GatewayFailure } from '../errors/gatewayFailure';

/** Internal name of the credential type. */
export const CREDENTIAL_TYPE = 'unifiedAiGatewayApi';

/** The credential's fields, as n8n hands them to a node. */
export interface GatewayCredential {
	baseUrl: string;
	apiKey: string;
	alternateBaseUrl?: string;
	utilitiesBaseUrl?: string;
	messagesAuthentication?: 'bearer' | 'xApiKey';
	messagesVersionHeader?: string;
	messagesVersion?: string;
	/** 0 for no limit. */
	requestsPerMinute?: number;
}

/** The addresses of a gateway, each without a trailing slash and without `/v1`. */
export interface GatewayAddresses {
	base: string;
	alternate?: string;
	utilities: string;
}

/** The addresses that were read last: each request asks for those of its credential. */
let lastRead: { texts: unknown[]; addresses: GatewayAddresses } | undefined;

/**
 * The addresses that the credential's key may be sent to.
 *
 * @throws GatewayFailure (kind `settings`) that names the field of an address that cannot be used
 */
export function addressesOf(credential: GatewayCredential): GatewayAddresses {
	const texts = [credential.baseUrl, credential.alternateBaseUrl, credential.utilitiesBaseUrl];
	if (!lastRead?.texts.every((text, index) => text === texts[index])) {
		lastRead = { texts, addresses: readAddresses(credential) };
	}
	return lastRead.addresses;
}

function readAddresses(credential: GatewayCredential): GatewayAddresses {
	const base = readAddress('Base URL', credential.baseUrl);
	if (base === undefined) {
		throw new GatewayFailure(
			'settings',
			'Base URL is missing in the credential',
			'Open the credential and enter the address of your gateway, for example https://gateway.example.com.',
		);
	}
	return {
		base,
		alternate: readAddress('Alternate Base URL', credential.alternateBaseUrl),
		// Whoever copies the address of a utility endpoint brings its prefix along.
		utilities:
			readAddress('Utilities Base URL', credential.utilitiesBaseUrl)?.replace(/\/v2(\/apis)?$/, '') ?? base,
	};
}

/** Whether a URL lies on one of the credential's own addresses (same scheme, host and port). */
export function belongsToCredential(url: string, addresses: GatewayAddresses): boolean {
	const own = [addresses.base, addresses.alternate, addresses.utilities].filter(
		(address) => address !== undefined,
	);
	// What begins with an address, up to a slash, needs no parsing.
	if (own.some((address) => url.startsWith(address) && url[address.length] === '/')) return true;
	const origin = originOf(url);
	return origin !== undefined && own.some((address) => originOf(address) === origin);
}

/** Whether a URL is the messages endpoint (interface, 4.2), which may use `x-api-key`. */
export function isMessagesEndpoint(url: string): boolean {
	return /\/v1\/messages\/?(\?|$)/.test(url);
}

/**
 * The headers that authenticate a request (interface, section 5): a bearer key everywhere, except that the
 * messages endpoint takes `x-api-key` if the credential says so. That endpoint also gets its version header.
 */
export function authenticationHeaders(credential: GatewayCredential, url: string): Record<string, string> {
	const messages = isMessagesEndpoint(url);
	const key = (credential.apiKey ?? '').trim();
	const headers: Record<string, string> =
		messages && credential.messagesAuthentication === 'xApiKey'
			? { 'x-api-key': key }
			: { Authorization: `Bearer ${key}` };
	if (messages) {
		headers[credential.messagesVersionHeader?.trim() || 'msgapi-version'] =
			credential.messagesVersion?.trim() || '2023-06-01';
	}
	return headers;
}

function readAddress(field: string, text: string | undefined): string | undefined {
	const trimmed = text?.trim();
	if (!trimmed) return undefined;
	const url = URL.canParse(trimmed) ? new URL(trimmed) : undefined;
	if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password || url.search) {
		throw new GatewayFailure(
			'settings',
			`${field} in the credential is not a usable web address`,
			'Enter an address that begins with https:// (or http://) and holds neither a user name nor a question mark, for example https://gateway.example.com.',
		);
	}
	return `${url.origin}${url.pathname}`.replace(/\/+$/, '').replace(/\/v1$/, '');
}

function originOf(url: string): string | undefined {
	return URL.canParse(url) ? new URL(url).origin : undefined;
}
