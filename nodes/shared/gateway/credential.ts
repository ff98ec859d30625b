/** Internal name of the credential type. */
export const CREDENTIAL_TYPE = 'unifiedAiGatewayApi';

/** The fields of the credential, as n8n passes them to a node. */
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

/**
 * The headers that authenticate a request (interface, section 5): a bearer token, or `x-api-key` for the messages
 * endpoint if the credential says so. The messages endpoint also gets its version header.
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

/** Whether a URL is the messages endpoint (interface, 4.2). */
function isMessagesEndpoint(url: string): boolean {
	return /\/v1\/messages\/?(\?|$)/.test(url);
}
